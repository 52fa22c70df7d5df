import { defined } from '../core/defined.ts'
import { type Frame, hint, modelShortNames, UsageError } from '../core/index.ts'
import { type CallDetails, callDetails } from '../runner/index.ts'
import { loadFrames } from '../store/index.ts'
import type { Environment } from './environment.ts'
import type { responsesRequest, Valid } from './requests/index.ts'
import { onRun } from './runs.ts'

/** Responses of a run, each with its prompt and its results. */
export interface Responses {
  readonly schema: 'touchstone/show-run/1'
  readonly run: string
  readonly parser: string
  /** Matching calls, also those beyond `limit`. */
  readonly matched: number
  readonly calls: readonly CallDetails[]
}

/**
 * Responses of a run with prompt, prediction and target, call by call.
 *
 * @throws UsageError for a model or parser that the run does not have, and for an invalid condition.
 */
export async function responsesOf(
  here: Environment,
  dir: string,
  request: Valid<typeof responsesRequest>,
): Promise<Responses> {
  const { where, parser = 'strict', limit = Number.POSITIVE_INFINITY } = request
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    const frames = await loadFrames(run, defined({ where }))
    const frame = frames.frame(parser)
    if (frame === null) throw new UsageError(`the run has no parser "${parser}"; it has ${frames.parsers.join(', ')}`)
    const rows = matching(frame, request)
    const numbers = frame.number('call')
    return {
      schema: 'touchstone/show-run/1',
      run: dir,
      parser,
      matched: rows.length,
      calls: rows.slice(0, limit).flatMap((row) => callDetails(run, numbers[row] as number) ?? []),
    }
  })
}

function matching(
  frame: Frame,
  { item, model, wrong = false, disagree }: Valid<typeof responsesRequest>,
): readonly number[] {
  const items = texts(frame, 'item')
  const isMeant = item === undefined ? () => true : meaning(item, frame.category('item').levels)
  const models = texts(frame, 'model')
  const known = frame.category('model').levels
  const wanted = model === undefined ? undefined : modelNamed(model, known)
  const pair = disagree?.map((name) => modelNamed(name, known))
  const value = frame.number('score')
  const state = texts(frame, 'status')
  const correct = (row: number): boolean => state(row) === 'graded' && (value[row] as number) >= 1
  const one = (row: number): boolean =>
    isMeant(items(row)) &&
    (wanted === undefined || models(row) === wanted) &&
    (!wrong || (state(row) === 'graded' && !correct(row)))
  const rows = Array.from({ length: frame.length }, (_, row) => row).filter(one)
  return pair === undefined ? rows : disagreeing(frame, rows, pair, correct)
}

/** Ids end in their index, so that a whole id is the start of others. */
function meaning(item: string, ids: readonly string[]): (id: string) => boolean {
  if (/^\d+$/u.test(item)) return (id) => id.endsWith(`/${item}`)
  return ids.includes(item) ? (id) => id === item : (id) => id.startsWith(item)
}

/** Rows of calls that both models have, of which exactly one is correct. */
function disagreeing(
  frame: Frame,
  rows: readonly number[],
  models: readonly string[],
  correct: (row: number) => boolean,
): readonly number[] {
  const [items, styles, modelOf] = [texts(frame, 'item'), texts(frame, 'style'), texts(frame, 'model')]
  const samples = frame.number('sample')
  const calls = Map.groupBy(
    rows.filter((row) => models.includes(modelOf(row))),
    (row) => JSON.stringify([items(row), styles(row), samples[row]]),
  )
  return [...calls.values()].flatMap((same) => {
    const pair = models.map((name) => same.find((row) => modelOf(row) === name))
    const [a, b] = pair
    return a !== undefined && b !== undefined && correct(a) !== correct(b) ? [a, b] : []
  })
}

const texts = (frame: Frame, name: string): ((row: number) => string) => {
  const { codes, levels } = frame.category(name)
  return (row) => levels[codes[row] as number] ?? ''
}

/**
 * The model of a run, by its name, its short name in tables, or the end of its name (`cyk` for `baseline:cyk`), if only one has it.
 *
 * @throws UsageError that names the nearest.
 */
export function modelNamed(name: string, models: readonly string[]): string {
  if (models.includes(name)) return name
  const short = modelShortNames(models)
  const isNamed = (model: string) =>
    short.get(model) === name || model.endsWith(`:${name}`) || model.endsWith(`/${name}`)
  const [found, ...others] = models.filter(isNamed)
  if (found !== undefined && others.length === 0) return found
  throw new UsageError(`unknown model "${name}"${hint(name, models)}; the run has ${models.join(', ')}`)
}
