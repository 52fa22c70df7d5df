import { type Frame, UsageError } from '../../core/index.ts'
import { SELECTED } from '../../report/index.ts'
import type { RunFrames } from '../../store/index.ts'
import { conditionsByName, type FilterCondition, type ItemsFilter, type ItemsPage, outcomes } from '../api/index.ts'
import { responseMetrics } from './response-metrics.ts'

/** Entries of a list of items: one per item and style. */
export interface Entries {
  /** The entry of each row. */
  readonly of: Int32Array
  /** The first row of each entry, in the order of the run. */
  readonly first: Int32Array
}

export function entriesOf(frames: RunFrames): Entries {
  const frame = strictFrame(frames)
  const [item, style] = [frame.category('item'), frame.category('style')]
  const known = new Int32Array(item.levels.length * style.levels.length).fill(-1)
  const of = new Int32Array(frame.length)
  const first = new Int32Array(frame.length)
  let count = 0
  for (let row = 0; row < of.length; row++) {
    const key = (item.codes[row] as number) * style.levels.length + (style.codes[row] as number)
    if (known[key] === -1) {
      known[key] = count
      first[count++] = row
    }
    of[row] = known[key] as number
  }
  return { of, first: first.slice(0, count) }
}

/** The strict frame is always there. */
export const strictFrame = (frames: RunFrames): Frame => frames.frame('strict') as Frame

/** The frame of a parser, or for `selected` of the parser selected for each model. @throws UsageError if the run has none */
export function frameOf(frames: RunFrames, parser: string): Frame {
  const frame = frames.frame(parser) ?? (parser === SELECTED ? frames.frame('strict') : null)
  if (frame === null) throw new UsageError(`no row of this run was read by the parser "${parser}"`)
  return frame
}

const [RIGHT, WRONG] = [0, 1] as const
export const FAILED = 5
/** A row whose task has no such parser. */
export const NONE = 255

/** Outcome of each row as an index into `outcomes`. Errors stand only in the strict column and count for every parser. */
export function outcomesOf(frames: RunFrames, parser: string): Uint8Array {
  const frame = frameOf(frames, parser)
  const [strict, state] = [strictFrame(frames).category('status'), frame.category('status')]
  const value = frame.number('score')
  const failed = strict.levels.map((level) => level === 'error')
  const known = state.levels.map((level) =>
    level === 'graded' ? RIGHT : outcomes.indexOf(level as (typeof outcomes)[number]),
  )
  const came = new Uint8Array(frame.length)
  for (let row = 0; row < came.length; row++) {
    const outcome = failed[strict.codes[row] as number] === true ? FAILED : codeOf(known[state.codes[row] as number])
    came[row] = outcome === RIGHT && !((value[row] as number) >= 1) ? WRONG : outcome
  }
  return came
}

/** Scored strings have no outcome. */
const codeOf = (found: number | undefined): number => (found === undefined || found < 0 ? NONE : found)

/** The data that a filter is applied to. */
export interface FilteredRows {
  readonly frames: RunFrames
  readonly entries: Entries
  readonly outcomes: Uint8Array
  /** The calls whose response contains the searched text; null: no search. */
  readonly cells: readonly number[] | null
  /** Entries whose prompt contains it: any response to them does. */
  readonly asking?: ReadonlySet<number>
}

/** True if an entry matches the conditions on responses. */
export function fitsResponses(filter: ItemsFilter, rows: FilteredRows): (entry: number) => boolean {
  const frame = frameOf(rows.frames, filter.parser ?? 'strict')
  const tests = [anyResponse(filter, frame, rows), amongModels(filter, frame, rows), pairOfModels(filter, frame, rows)]
  const all = tests.filter((test) => test !== null)
  return (entry) => all.every((test) => test(entry))
}

type EntryTest = ((entry: number) => boolean) | null

/** True if one response matches all conditions. */
function anyResponse(
  { outcome, model, amount }: ItemsFilter,
  frame: Frame,
  { frames, entries, outcomes: came, cells, asking }: FilteredRows,
): EntryTest {
  const tests: ((row: number) => boolean)[] = []
  if (outcome !== undefined) {
    const wanted = outcomes.indexOf(outcome)
    tests.push((row) => came[row] === wanted)
  }
  const metrics = responseMetrics(frames.columns, frame)
  for (const condition of [...conditionsByName(amount).values()].flat()) {
    const metric = metrics.get(condition.name)
    if (metric === undefined)
      throw new UsageError(
        `responses of this run have no amount "${condition.name}"; there are ${[...metrics.keys()].join(', ')}`,
      )
    tests.push(bound(metric(), condition))
  }
  if (cells !== null) {
    const [known, cell] = [new Set(cells), frame.number('call')]
    tests.push((row) => known.has(cell[row] as number) || asking?.has(entries.of[row] as number) === true)
  }
  if (tests.length === 0) return null
  if (model !== undefined) {
    const { codes, levels } = frame.category('model')
    const wanted = levels.indexOf(model)
    tests.unshift((row) => codes[row] === wanted)
  }
  const found = new Uint8Array(entries.first.length)
  for (let row = 0; row < frame.length; row++)
    if (tests.every((test) => test(row))) found[entries.of[row] as number] = 1
  return (entry) => found[entry] === 1
}

/** Entries by what came of them, among those that fit the other conditions. */
export function segmentsOf(
  fits: Uint8Array,
  { model }: ItemsFilter,
  rows: FilteredRows,
  parser: string,
): Omit<ItemsPage['counts'], 'all'> {
  const frame = frameOf(rows.frames, parser)
  const { codes, levels } = frame.category('model')
  const wanted = model === undefined ? null : levels.indexOf(model)
  const seen = new Uint8Array(fits.length)
  for (let row = 0; row < frame.length; row++) {
    const [entry, outcome] = [rows.entries.of[row] as number, rows.outcomes[row] as number]
    if (outcome !== NONE && (wanted === null || codes[row] === wanted))
      seen[entry] = (seen[entry] as number) | (1 << outcome)
  }
  const split = amongModels({ among: 'split', amount: [], feature: [] }, frame, rows)
  const counted = (test: (entry: number) => boolean): number => {
    let total = 0
    for (let entry = 0; entry < fits.length; entry++) if (fits[entry] === 1 && test(entry)) total++
    return total
  }
  const having = (name: (typeof outcomes)[number]) =>
    counted((entry) => ((seen[entry] as number) & (1 << outcomes.indexOf(name))) !== 0)
  return {
    wrong: having('wrong'),
    differ: counted((entry) => split?.(entry) === true),
    unparsed: having('unparsed'),
    truncated: having('truncated'),
    refused: having('refused'),
    failed: having('failed'),
  }
}

/** NaN fulfils no bound. */
function bound(values: Float64Array, condition: FilterCondition): (row: number) => boolean {
  const limit = numberOf(condition)
  switch (condition.operator) {
    case '=':
      return (row) => values[row] === limit
    case '>=':
      return (row) => (values[row] as number) >= limit
    case '<=':
      return (row) => (values[row] as number) <= limit
  }
}

/** @throws UsageError where a condition names no number */
export function numberOf({ name, operator, value }: FilterCondition): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isFinite(number)) return number
  throw new UsageError(`${name} ${operator} needs a number, got "${value.slice(0, 80)}"`)
}

/** Errors do not count: such a model is neither correct nor incorrect. */
function amongModels({ among }: ItemsFilter, frame: Frame, { entries, outcomes: came }: FilteredRows): EntryTest {
  if (among === undefined) return null
  if (among === 'answers') return answersDiffer(frame, entries)
  const { codes, levels } = frame.category('model')
  const count = entries.first.length
  const [isThere, isMissed] = [1, 2]
  const models = new Uint8Array(count * levels.length)
  const [there, missed] = [new Int32Array(count), new Int32Array(count)]
  const right = new Uint8Array(count)
  for (let row = 0; row < frame.length; row++) {
    const outcome = came[row]
    if (outcome === NONE || outcome === FAILED) continue
    const entry = entries.of[row] as number
    const at = entry * levels.length + (codes[row] as number)
    const known = models[at] as number
    if ((known & isThere) === 0) there[entry] = (there[entry] as number) + 1
    if (outcome === RIGHT) right[entry] = 1
    else if ((known & isMissed) === 0) missed[entry] = (missed[entry] as number) + 1
    models[at] = known | isThere | (outcome === RIGHT ? 0 : isMissed)
  }
  switch (among) {
    case 'split':
      return (entry) => (missed[entry] as number) > 0 && (there[entry] as number) > (missed[entry] as number)
    case 'right':
      return (entry) => (there[entry] as number) > 0 && missed[entry] === 0
    case 'none':
      return (entry) => (there[entry] as number) > 0 && right[entry] === 0
  }
}

function answersDiffer(frame: Frame, entries: Entries): EntryTest {
  const { codes } = frame.category('prediction')
  const first = new Int32Array(entries.first.length).fill(-1)
  const differ = new Uint8Array(entries.first.length)
  for (let row = 0; row < frame.length; row++) {
    const code = codes[row] as number
    const entry = entries.of[row] as number
    if (code < 0) continue
    if (first[entry] === -1) first[entry] = code
    else if (first[entry] !== code) differ[entry] = 1
  }
  return (entry) => differ[entry] === 1
}

/** Conditions on two models that have both answered. */
function pairOfModels({ pair, a, b, by }: ItemsFilter, frame: Frame, rows: FilteredRows): EntryTest {
  if (pair === undefined || a === undefined || b === undefined) return null
  const [first, second] = [answersOf(a, frame, rows), answersOf(b, frame, rows)]
  const fits = (entry: number): boolean => {
    const [x, y] = [first.share(entry), second.share(entry)]
    switch (pair) {
      case 'onlyA':
        return x === 1 && y !== 1
      case 'onlyB':
        return y === 1 && x !== 1
      case 'both':
        return x === 1 && y === 1
      case 'neither':
        return x !== 1 && y !== 1
      case 'differ':
        return by === undefined ? (x === 1) !== (y === 1) : Math.abs(x - y) >= by
    }
  }
  return (entry) => first.hasAnswered(entry) && second.hasAnswered(entry) && fits(entry)
}

function answersOf(model: string, frame: Frame, { entries, outcomes: came }: FilteredRows) {
  const { codes, levels } = frame.category('model')
  const wanted = levels.indexOf(model)
  const [right, heard] = [new Int32Array(entries.first.length), new Int32Array(entries.first.length)]
  for (let row = 0; row < frame.length; row++) {
    if (codes[row] !== wanted || came[row] === NONE || came[row] === FAILED) continue
    const entry = entries.of[row] as number
    heard[entry] = (heard[entry] as number) + 1
    if (came[row] === RIGHT) right[entry] = (right[entry] as number) + 1
  }
  return {
    hasAnswered: (entry: number) => (heard[entry] as number) > 0,
    share: (entry: number) => (right[entry] as number) / (heard[entry] as number),
  }
}
