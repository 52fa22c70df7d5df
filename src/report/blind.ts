import { type Frame, memoize, type Task } from '../core/index.ts'
import { thingsOf, withDerived } from './derived-columns.ts'
import type { ReportFrames } from './report.ts'

/** What answers without reasoning earn on one item; `guesses` by the name of a rule of thumb. */
export interface BlindItem {
  readonly chance: number | null
  readonly guesses: { readonly [rule: string]: boolean }
}
export type BlindItems = ReadonlyMap<string, BlindItem>

/** Column of the frames: share of an item's possible answers that are right. */
export const CHANCE = 'chance'
/** Columns `guess_NAME`: 1 where a rule of thumb is right. */
export const GUESS = 'guess_'

/** Frames with `chance` and `guess_*`, missing for items that are not among those given. */
export function blindFrames(frames: ReportFrames, items: BlindItems): ReportFrames {
  if (items.size === 0) return frames
  const rules = [...new Set([...items.values()].flatMap(({ guesses }) => Object.keys(guesses)))].map(
    (rule) => `${GUESS}${rule}`,
  )
  const value = (id: string, column: string): number => cellOf(items.get(id), column)
  const derived = withDerived(frames, { names: [CHANCE, ...rules], of: 'item', value }, (task) => {
    const cut = frames.ofTask(task)
    const own = thingsOf(cut, 'item')
    return blindFrames(cut, new Map([...items].filter(([id]) => own.has(id))))
  })
  return {
    ...derived,
    frame(parser) {
      const frame = derived.frame(parser)
      if (frame !== null) itemsOf.set(frame, items)
      return frame
    },
  }
}

/** What frames were given, item by item: their columns say it again in every row. */
const itemsOf = new WeakMap<Frame, BlindItems>()

function cellOf(item: BlindItem | undefined, column: string): number {
  if (item === undefined) return Number.NaN
  if (column === CHANCE) return item.chance ?? Number.NaN
  const right = item.guesses[column.slice(GUESS.length)]
  return right === undefined ? Number.NaN : Number(right)
}

/** Fewer items say too little about a rule of thumb. */
const MIN = 5

/** What needs no reasoning, as shares over sets of rows; null where too few items tell. */
export interface Blind {
  chance(rows: Int32Array): number | null
  /** Of the rule of thumb that does best on all rows; null where the task has none. */
  readonly guess: { readonly rule: string; of(rows: Int32Array): number | null } | null
}

/** Chance and the best of a task's rules of thumb over some rows; each item counts once. null where neither is known. */
export function blindOf(frame: Frame, task: Task | undefined, rows: Int32Array): Blind | null {
  const items = itemsOf.get(frame)
  if (items === undefined) return null
  const share = (column: string, fewest: number) => (of: Int32Array) => meanByItem(frame, column, of, fewest)
  const chance = share(CHANCE, 1)
  const rules = Object.keys(task?.heuristics ?? {}).flatMap((rule) => {
    const of = share(`${GUESS}${rule}`, MIN)
    const whole = of(rows)
    return whole === null ? [] : [{ rule, of, whole }]
  })
  const [best] = rules.sort((a, b) => b.whole - a.whole)
  if (best === undefined && chance(rows) === null) return null
  return { chance, guess: best === undefined ? null : { rule: best.rule, of: best.of } }
}

function meanByItem(frame: Frame, column: string, rows: Int32Array, fewest: number): number | null {
  const values = cellsOf(frame)(column)
  const items = itemsIn(frame, rows)
  let [sum, n] = [0, 0]
  for (let i = 0; i < items.length; i++) {
    const value = values[items[i] as number] as number
    if (Number.isNaN(value)) continue
    sum += value
    n++
  }
  return n < fewest ? null : sum / n
}

/** What is known of the items of a frame, which are few of all: looked up once, and not once a set of rows. */
const knownOf = memoize((frame: Frame) => {
  const items = itemsOf.get(frame)
  const { levels } = frame.category('item')
  const known: BlindItem[] = []
  /** By the code of an item: its place among those known, -1: none. */
  const places = new Int32Array(levels.length).fill(-1)
  for (const [code, id] of levels.entries()) {
    const item = items?.get(id)
    if (item !== undefined) places[code] = known.push(item) - 1
  }
  return { known, places }
})

/** What each of them says of a column. */
const cellsOf = memoize((frame: Frame) => {
  const { known } = knownOf(frame)
  const made = new Map<string, Float64Array>()
  return (column: string): Float64Array => {
    const cells = made.get(column) ?? Float64Array.from(known, (item) => cellOf(item, column))
    made.set(column, cells)
    return cells
  }
})

/** The places of the known items of some rows, in order of first appearance. */
const itemsIn = (frame: Frame, rows: Int32Array): readonly number[] => itemsByRows(frame)(rows)

/** Asked once for each rule of thumb. */
const itemsByRows = memoize((frame: Frame) => {
  const { codes } = frame.category('item')
  const { known, places } = knownOf(frame)
  return memoize((rows: Int32Array): readonly number[] => {
    const seen = new Uint8Array(known.length)
    const found: number[] = []
    for (let i = 0; i < rows.length; i++) {
      const place = places[codes[rows[i] as number] as number] ?? -1
      if (place < 0 || seen[place] === 1) continue
      seen[place] = 1
      found.push(place)
    }
    return found
  })
})

/** How the shares below are made, for the notes of an analysis. */
export const BLIND_NOTES = [
  'Chance is the share of the possible answers that are right; the rule of thumb is the best of those that the audit of the task tries, which look at a question and do not reason. Both over up to 1,000 items of a task.',
] as const
