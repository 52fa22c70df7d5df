import { z } from 'zod'
import { isObject, isUsageError, type Json, type Message, type Outcome, type Request } from '../../core/index.ts'
import { outcomeOf, type StoredItem, type StoredResponse } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'

/** One call of a run: prompt, response, outcome and target. */
export interface CallDetails {
  readonly call: number
  readonly item: StoredItem
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly sample: number
  /** null: the installed version of the task makes other prompts. */
  readonly request: Request | null
  /** null: none (yet). */
  readonly response: Omit<StoredResponse, 'raw'> | null
  /** null: not scored yet. */
  readonly outcome: Outcome | null
  /** A response that scores 1, as the task writes it; null if it has none. */
  readonly gold: string | null
  /** Drawings of the truth as data. */
  readonly view: readonly Json[]
}

/** A call by its number, as frames number them; null for a number without a call. */
export function callDetails(run: Run, call: number): CallDetails | null {
  const { ledger, sources } = run
  const [row] = ledger.query('SELECT item, style, model, settings, sample, state FROM call WHERE id = ?', call)
  const found = row === undefined ? null : ledger.item(String(row['item']))
  if (row === undefined || found === null) return null
  const { item, shared } = found
  const place = {
    style: String(row['style']),
    model: String(row['model']),
    settings: String(row['settings']),
    sample: Number(row['sample']),
  }
  const answered = ledger.find({ item: item.id, ...place })
  const scored = ledger.outcomes(call, call).get(call)
  const [attempt] = ledger.query("SELECT 1 FROM attempt WHERE call = ? AND status = 'imported'", call)
  const isImported = attempt !== undefined
  const task = sources.scorer(item.source)
  const problem = sources.problem(item, shared)
  return {
    call,
    item,
    ...place,
    request: unless(() => {
      const made = sources.request(item, shared, place.style)
      return isImported ? importedRequest(run, item, shared, answered?.raw ?? null, made) : made
    }),
    response: answered === null ? null : withoutBody(answered),
    outcome: scored === undefined ? failureOf(run, call) : outcomeOf(scored),
    gold: task.gold?.(problem) ?? null,
    view: task.drawings?.(problem) ?? [],
  }
}

/** Stands where a release was imported without its prompts, so that none is taken for what its models saw. */
const UNKNOWN: Request = {
  kind: 'chat',
  messages: [{ role: 'user', content: '[The prompt that the model saw was not imported.]' }],
}

/** What the model of an imported response saw, by its raw body; `made`: the prompt of the item. */
export function importedRequest(run: Run, item: StoredItem, shared: Json, raw: string | null, made: Request): Request {
  const recorded = raw === null ? null : seenPrompt(raw, { shared, given: item.given })
  if (recorded !== null) return recorded
  // The questions of a log are its prompts.
  const isLog = run.sources.scorer(item.source).asGiven === 'scores'
  return run.file.sources[item.source]?.kind === 'imported' && !isLog ? UNKNOWN : made
}

const withoutBody = ({ raw: _raw, ...response }: StoredResponse): Omit<StoredResponse, 'raw'> => response

/** null if the installed task has another version than the run. */
function unless(make: () => Request): Request | null {
  try {
    return make()
  } catch (error) {
    if (isUsageError(error)) return null
    throw error
  }
}

/** Why a call failed; null if it did not. */
function failureOf({ ledger }: Run, call: number): Outcome | null {
  const [last] = ledger.query(
    "SELECT a.error_source, a.code, a.message FROM attempt a JOIN call c ON c.id = a.call WHERE a.call = ? AND c.state = 'failed' ORDER BY a.attempt_no DESC LIMIT 1",
    call,
  )
  if (last === undefined) return null
  const source =
    last['error_source'] === 'task' || last['error_source'] === 'runner' ? last['error_source'] : 'provider'
  return { kind: 'error', source, code: String(last['code']), message: String(last['message'] ?? '') }
}

/** A field of the group or of the item. */
const place = z.tuple([z.enum(['shared', 'given']), z.string()])
type Question = { readonly [part in 'shared' | 'given']: Json }

/** Texts in pieces, of which those that stand in the group or in the item, such as a grammar, are named and not repeated. */
const kept = z.looseObject({
  prompt: z
    .array(
      z.object({
        role: z.enum(['system', 'user', 'assistant']),
        content: z.union([z.string(), z.array(z.union([z.string(), place]))]),
      }),
    )
    .min(1),
})

/** Shorter texts are repeated. */
const MIN_NAMED = 40

/** The raw body that keeps the prompt of an imported response; null: its source does not say it. */
export function storedPrompt(prompt: readonly Message[] | undefined, question: Question): string | null {
  if (prompt === undefined) return null
  const long = (['shared', 'given'] as const).flatMap((part) =>
    Object.entries(isObject(question[part]) ? question[part] : {})
      .filter(([, text]) => typeof text === 'string' && text.length >= MIN_NAMED)
      .map(([name, text]) => ({ text: text as string, name: [part, name] as const })),
  )
  const pieces = (content: string): readonly (string | readonly [string, string])[] => {
    const found = long.find(({ text }) => content.includes(text))
    if (found === undefined) return [content]
    const at = content.indexOf(found.text)
    return [content.slice(0, at), found.name, ...pieces(content.slice(at + found.text.length))]
  }
  const messages = prompt.map(({ role, content }) => {
    const parts = pieces(content)
    return { role, content: parts.length === 1 ? content : parts }
  })
  return JSON.stringify({ prompt: messages })
}

/** The prompt in a raw body; null: it holds none. */
function seenPrompt(raw: string, question: Question): Request | null {
  const textOf = (piece: string | z.infer<typeof place>): string =>
    typeof piece === 'string' ? piece : String((question[piece[0]] as { readonly [name: string]: Json })[piece[1]])
  try {
    const { prompt } = kept.parse(JSON.parse(raw))
    const messages = prompt.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.map(textOf).join(''),
    }))
    return { kind: 'chat', messages }
  } catch {
    return null
  }
}
