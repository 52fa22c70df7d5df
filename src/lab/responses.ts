import { type Frame, hint, UsageError } from '../core/index.ts'
import type { CallDetails } from '../runner/index.ts'
import type { Installed } from './installed.ts'
import { onRun } from './runs.ts'

/** Which responses of a run are wanted. */
export interface ResponsesRequest {
  /** Of this item: its id, its index (of all tasks that have it), or the start of ids. */
  readonly item?: string
  /** A SQL condition over the columns of the rows. */
  readonly where?: string
  /** Of this model only, by its name in tables. */
  readonly model?: string
  /** Read, and wrong. */
  readonly wrong?: boolean
  /** Of two models, where one is right and the other is not. */
  readonly differ?: readonly [a: string, b: string]
  /** Whose verdicts count for `wrong` and `differ`; left out: `strict`. */
  readonly parser?: string
  /** At most so many, in the order of the plan; left out: all. */
  readonly limit?: number
}

/** Responses of a run, each with its prompt and what was made of it. */
export interface Responses {
  readonly schema: 'touchstone/show-run/1'
  readonly run: string
  /** Whose verdicts chose. */
  readonly parser: string
  /** Cells that fit, those beyond `limit` included. */
  readonly matched: number
  readonly cells: readonly CallDetails[]
}

/**
 * What models said: prompt, answer, how it was read, and the truth, cell by cell.
 *
 * @throws UsageError for a model or parser that the run does not have, and a condition that is none.
 */
export async function responsesOf(here: Installed, dir: string, request: ResponsesRequest = {}): Promise<Responses> {
  const { callDetails } = await import('../runner/index.ts')
  const { loadFrames } = await import('../store/index.ts')
  const { where, parser = 'strict', limit = Number.POSITIVE_INFINITY } = request
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    const frames = await loadFrames(run, where === undefined ? {} : { where })
    const frame = frames.frame(parser)
    if (frame === null)
      throw new UsageError(`no row was read by the parser ${parser}; there are ${frames.parsers.join(', ')}`)
    const rows = matching(frame, request)
    const cells = frame.number('cell')
    return {
      schema: 'touchstone/show-run/1',
      run: dir,
      parser,
      matched: rows.length,
      cells: rows.slice(0, limit).flatMap((row) => callDetails(run, cells[row] as number) ?? []),
    }
  })
}

function matching(frame: Frame, { item, model, wrong = false, differ }: ResponsesRequest): readonly number[] {
  const items = texts(frame, 'item')
  const isMeant = item === undefined ? () => true : meaning(item, frame.category('item').levels)
  const models = texts(frame, 'model')
  for (const name of [...(model === undefined ? [] : [model]), ...(differ ?? [])]) requireModel(frame, name)
  const value = frame.number('value')
  const state = texts(frame, 'state')
  const right = (row: number): boolean => state(row) === 'graded' && (value[row] as number) >= 1
  const one = (row: number): boolean =>
    isMeant(items(row)) &&
    (model === undefined || models(row) === model) &&
    (!wrong || (state(row) === 'graded' && !right(row)))
  const rows = Array.from({ length: frame.length }, (_, row) => row).filter(one)
  return differ === undefined ? rows : differing(frame, rows, differ, right)
}

/** Ids end in their index, so that a whole id is the start of others. */
function meaning(item: string, ids: readonly string[]): (id: string) => boolean {
  if (/^\d+$/u.test(item)) return (id) => id.endsWith(`/${item}`)
  return ids.includes(item) ? (id) => id === item : (id) => id.startsWith(item)
}

/** Rows of cells that both models have, of which one is right. */
function differing(
  frame: Frame,
  rows: readonly number[],
  differ: readonly [string, string],
  right: (row: number) => boolean,
): readonly number[] {
  const [items, styles, models] = [texts(frame, 'item'), texts(frame, 'style'), texts(frame, 'model')]
  const samples = frame.number('sample')
  const places = Map.groupBy(
    rows.filter((row) => differ.includes(models(row))),
    (row) => JSON.stringify([items(row), styles(row), samples[row]]),
  )
  const found = [...places.values()].flatMap((place) => {
    const pair = differ.map((name) => place.find((row) => models(row) === name))
    const [a, b] = pair
    return a !== undefined && b !== undefined && right(a) !== right(b) ? [a, b] : []
  })
  return found
}

const texts = (frame: Frame, name: string): ((row: number) => string) => {
  const { codes, levels } = frame.category(name)
  return (row) => levels[codes[row] as number] ?? ''
}

function requireModel(frame: Frame, name: string): void {
  const { levels } = frame.category('model')
  if (!levels.includes(name))
    throw new UsageError(`no row is of the model "${name}"${hint(name, levels)}; there are ${levels.join(', ')}`)
}
