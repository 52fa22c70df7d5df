import type { Frame, Task } from '../core/index.ts'
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
  return withDerived(frames, { names: [CHANCE, ...rules], of: 'item', value }, (task) => {
    const cut = frames.ofTask(task)
    const own = thingsOf(cut, 'item')
    return blindFrames(cut, new Map([...items].filter(([id]) => own.has(id))))
  })
}

function cellOf(item: BlindItem | undefined, column: string): number {
  if (item === undefined) return Number.NaN
  if (column === CHANCE) return item.chance ?? Number.NaN
  const right = item.guesses[column.slice(GUESS.length)]
  return right === undefined ? Number.NaN : Number(right)
}

/** Fewer items say too little about a rule of thumb. */
const FEWEST = 5

/** What needs no reasoning, as shares over sets of rows; null where too few items tell. */
export interface Blind {
  chance(rows: Int32Array): number | null
  /** Of the rule of thumb that does best on all rows; null where the task has none. */
  readonly guess: { readonly rule: string; of(rows: Int32Array): number | null } | null
}

/** Chance and the best of a task's rules of thumb over some rows; each item counts once. null where neither is known. */
export function blindOf(frame: Frame, task: Task | undefined, rows: Int32Array): Blind | null {
  if (!frame.has(CHANCE)) return null
  const items = frame.category('item').codes
  const share = (values: Float64Array, fewest: number) => (of: Int32Array) => meanByItem(values, items, of, fewest)
  const chance = share(frame.number(CHANCE), 1)
  const rules = Object.keys(task?.heuristics ?? {}).flatMap((rule) => {
    const column = `${GUESS}${rule}`
    if (!frame.has(column)) return []
    const of = share(frame.number(column), FEWEST)
    const whole = of(rows)
    return whole === null ? [] : [{ rule, of, whole }]
  })
  const [best] = rules.sort((a, b) => b.whole - a.whole)
  if (best === undefined && chance(rows) === null) return null
  return { chance, guess: best === undefined ? null : { rule: best.rule, of: best.of } }
}

function meanByItem(values: Float64Array, items: Int32Array, rows: Int32Array, fewest: number): number | null {
  const seen = new Set<number>()
  let sum = 0
  for (const row of rows) {
    const item = items[row] as number
    const value = values[row] as number
    if (Number.isNaN(value) || seen.has(item)) continue
    seen.add(item)
    sum += value
  }
  return seen.size < fewest ? null : sum / seen.size
}

/** How the shares below are made, for the notes of an analysis. */
export const BLIND_NOTES = [
  'Chance is the share of the possible answers that are right; the rule of thumb is the best of those that the audit of the task tries, which look at a question and do not reason. Both over up to 1,000 items of a task.',
] as const
