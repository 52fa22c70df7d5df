import { z } from 'zod'
import { type Json, schemaErrorMap, schemaErrors, sortedJson, withoutMark } from '../../core/index.ts'
import { settingsText, settingValue } from '../../models/index.ts'
import { type ImportedCall, type Row, readLines, textOfFile, type Usage } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'
import { storedPrompt } from '../scoring/call-details.ts'
import { scoreResponse } from '../scoring/score.ts'

export interface ResponseProblem {
  readonly kind: 'bad-line' | 'missing' | 'unknown-item' | 'unknown-style' | 'already-answered'
  readonly path: string
  /** The first line with it. */
  readonly line: number
  readonly count: number
  readonly message: string
}

export interface ImportResponsesResult {
  readonly lines: number
  readonly responses: number
  readonly problems: readonly ResponseProblem[]
}

/** A line of a file of responses, with its number, or why it has no response. */
export type ResponseText = { readonly number: number } & ({ readonly text: string } | { readonly missing: string })

/**
 * Imports responses made elsewhere into a run: JSON lines `{item, style, model, sample, text, finish?, usage?, seconds?, prompt?, settings?}` as
 * `export --to prompts` names them. They are scored. What cannot be used is counted, with its first line; a call
 * that has a response keeps it.
 *
 * @param lines - lines of a file in another format, converted to this one.
 *
 * @example
 * import { importResponses, openRun, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const take = async (dir: string, answers: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => importResponses(run, answers))
 */
export async function importResponses(
  run: Run,
  path: string,
  lines: AsyncIterable<readonly ResponseText[]> = readLines(withoutMark(textOfFile(path)), path),
): Promise<ImportResponsesResult> {
  const problems = new Problems(path)
  let total = 0
  let responses = 0
  for await (const batch of lines) {
    const calls: ImportedCall[] = []
    const at: number[] = []
    for (const one of batch) {
      const { number: line } = one
      total++
      if ('missing' in one) {
        problems.add('missing', line, one.missing)
        continue
      }
      const call = readCall(run, one.text, line, problems)
      if (call === null) continue
      calls.push(call)
      at.push(line)
    }
    const added = await run.ledger.importCalls(calls)
    for (const [i, isNew] of added.entries()) {
      if (isNew) responses++
      else problems.add('already-answered', at[i] ?? 0, 'this call has a response already, which is kept')
    }
  }
  return { lines: total, responses, problems: problems.list() }
}

function readCall(run: Run, text: string, line: number, problems: Problems): ImportedCall | null {
  let row: Json
  try {
    row = JSON.parse(text) as Json
  } catch (error) {
    problems.add('bad-line', line, `not JSON: ${(error as Error).message}`)
    return null
  }
  const read = parseImported(row as Row)
  if (read.kind === 'wrong') {
    problems.add('bad-line', line, read.message)
    return null
  }
  const { response } = read
  const item = run.ledger.item(response.item)
  if (item === null) {
    problems.add('unknown-item', line, `this run has no item ${response.item}`)
    return null
  }
  const styles = run.sources.styles(item.item)
  const style = response.style === '' ? styles[0] : response.style
  if (style === undefined || !styles.includes(style)) {
    problems.add('unknown-style', line, `this run asks in the styles ${styles.join(', ')}, not "${response.style}"`)
    return null
  }
  const settings =
    response.settings === undefined ? plannedSettings(run, response.model) : sortedJson(response.settings as Json)
  if (settings === null) {
    problems.add('bad-line', line, `${response.model} is asked with several settings: say which in "settings"`)
    return null
  }
  const stored = {
    finish: response.finish,
    text: run.redact.known(response.text),
    reasoning: response.reasoning,
    logprobs: null,
    usage: response.usage,
    raw: storedPrompt(response.prompt, { shared: item.shared, given: item.item.given }),
  }
  const task = run.sources.scorer(item.item.source)
  const outcome = scoreResponse(task, run.sources.problem(item.item, item.shared), stored)
  return {
    item: response.item,
    style,
    model: response.model,
    settings,
    sample: response.sample,
    response: stored,
    seconds: response.seconds,
    scored: { scorer: task.scorerVersion, outcome },
  }
}

/** The settings of a line that names none: the only ones of the model in the run, or none; null: several. */
function plannedSettings(run: Run, model: string): string | null {
  const planned = run.file.models.find(({ name }) => name === model)?.settings.map(settingsText) ?? []
  const [only, ...others] = planned
  return planned.includes('{}') ? '{}' : others.length > 0 ? null : (only ?? '{}')
}

const MAX_REASONS = 100

class Problems {
  private readonly found = new Map<string, ResponseProblem>()
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  add(kind: ResponseProblem['kind'], line: number, message: string): void {
    // Each reason why a line has no response, or is malformed, is listed as long as they are few.
    const key =
      (kind === 'missing' || kind === 'bad-line') && this.found.size < MAX_REASONS ? `${kind}\n${message}` : kind
    const before = this.found.get(key)
    this.found.set(
      key,
      before === undefined
        ? { kind, path: this.path, line, count: 1, message }
        : { ...before, count: before.count + 1 },
    )
  }

  list(): readonly ResponseProblem[] {
    return [...this.found.values()]
  }
}

const count = z.int().min(0).optional()

const line = z.object({
  item: z.string(),
  style: z.string().default(''),
  model: z.string().default('imported'),
  sample: z.int().min(0).default(0),
  text: z.string().max(64 * 1024 * 1024),
  finish: z.enum(['stop', 'truncated', 'refused', 'unknown']).default('unknown'),
  reasoning: z.string().nullable().default(null),
  usage: z.object({ inputTokens: count, outputTokens: count, reasoningTokens: count }).default({}),
  /** Duration of the call. */
  seconds: z.number().min(0).max(86_400).nullable().default(null),
  /** What the model saw, where it is known: it may be another prompt than the task's of today. */
  prompt: z
    .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1)
    .optional(),
  settings: z.record(z.string(), settingValue).optional(),
})

export type ResponseLine = Omit<z.infer<typeof line>, 'usage'> & { readonly usage: Usage }

interface Read {
  readonly kind: 'read'
  readonly response: ResponseLine
}
interface Wrong {
  readonly kind: 'wrong'
  readonly message: string
}

/** Parses one line of a responses file, `{item, style, model, sample, text, finish?, usage?, seconds?, prompt?, settings?}`. */
export function parseImported(row: Row): Read | Wrong {
  const parsed = line.safeParse(row, { error: schemaErrorMap })
  if (!parsed.success)
    return {
      kind: 'wrong',
      message: `a response line is {item, style, model, sample, text, finish?, usage?, seconds?, prompt?, settings?}: ${schemaErrors(parsed.error, line)[0]}`,
    }
  const usage: Usage = Object.fromEntries(Object.entries(parsed.data.usage).filter(([, n]) => n !== undefined))
  return { kind: 'read', response: { ...parsed.data, usage } }
}
