import { isUsageError, type Json, type Outcome, type Request } from '../../core/index.ts'
import { outcomeOf, type StoredItem, type StoredResponse } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'
import { seenPrompt } from './seen-prompt.ts'

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
