import { type AnalysisResult, column, type Figure, type Frame, memoize, type Task } from '../core/index.ts'
import { idsIn, withColumns } from './derived-columns.ts'
import type { ReportFrames } from './report.ts'

/** What answers without reasoning score on one item; `guesses`: is the answer of each heuristic correct? */
export interface ItemReferences {
  readonly chance: number | null
  readonly guesses: { readonly [heuristic: string]: boolean }
}
export type ReferenceItems = ReadonlyMap<string, ItemReferences>

/** Column of the frames: share of an item's possible answers that are correct. */
export const CHANCE = 'chance'
/** Columns `guess_NAME`: 1 where the heuristic is correct. */
const HEURISTIC = 'guess_'

/** Frames with `chance` and `guess_*`, missing for items that are not among those given. */
export function withReferences(frames: ReportFrames, items: ReferenceItems): ReportFrames {
  if (items.size === 0) return frames
  const heuristics = new Set([...items.values()].flatMap(({ guesses }) => Object.keys(guesses)))
  const names = [CHANCE, ...[...heuristics].map((name) => `${HEURISTIC}${name}`)]
  const value = (id: string, column: string): number => referenceValue(items.get(id), column)
  const derived = withColumns(frames, { names, of: 'item', value }, (task) => {
    const own = frames.ofTask(task)
    const ids = idsIn(own, 'item')
    return withReferences(own, new Map([...items].filter(([id]) => ids.has(id))))
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

/** The items that a frame was given: cheaper to read than its columns, which repeat them in every row. */
const itemsOf = new WeakMap<Frame, ReferenceItems>()

function referenceValue(item: ItemReferences | undefined, column: string): number {
  if (item === undefined) return Number.NaN
  if (column === CHANCE) return item.chance ?? Number.NaN
  const correct = item.guesses[column.slice(HEURISTIC.length)]
  return correct === undefined ? Number.NaN : Number(correct)
}

/** Fewest items for the accuracy of a heuristic. */
const MIN_ITEMS = 5

/** Chance and the best heuristic, as shares over sets of rows; null where too few items are known. */
export interface References {
  chance(rows: Int32Array): number | null
  /** The heuristic that does best on all rows; null where the task has none. */
  readonly heuristic: { readonly name: string; of(rows: Int32Array): number | null } | null
}

/** Chance and the best heuristic of a task over some rows; each item counts once. null where neither is known. */
export function referencesOf(frame: Frame, task: Task | undefined, rows: Int32Array): References | null {
  if (!itemsOf.has(frame)) return null
  const share = (column: string, min: number) => (of: Int32Array) => meanByItem(frame, column, of, min)
  const chance = share(CHANCE, 1)
  const [best] = Object.keys(task?.heuristics ?? {})
    .flatMap((name) => {
      const of = share(`${HEURISTIC}${name}`, MIN_ITEMS)
      const whole = of(rows)
      return whole === null ? [] : [{ name, of, whole }]
    })
    .sort((a, b) => b.whole - a.whole)
  if (best === undefined && chance(rows) === null) return null
  return { chance, heuristic: best === undefined ? null : { name: best.name, of: best.of } }
}

function meanByItem(frame: Frame, column: string, rows: Int32Array, min: number): number | null {
  const values = valuesIn(frame)(column)
  let [sum, n] = [0, 0]
  for (const item of itemsInRows(frame)(rows)) {
    const value = values[item] as number
    if (Number.isNaN(value)) continue
    sum += value
    n++
  }
  return n < min ? null : sum / n
}

/** The known items of a frame, and by item code their position among them, -1 for others. */
const knownIn = memoize((frame: Frame) => {
  const items = itemsOf.get(frame)
  const { levels } = frame.category('item')
  const known: ItemReferences[] = []
  const positions = Int32Array.from(levels, (id) => {
    const item = items?.get(id)
    return item === undefined ? -1 : known.push(item) - 1
  })
  return { known, positions }
})

/** The values of the known items in a column. */
const valuesIn = memoize((frame: Frame) => {
  const cache = new Map<string, Float64Array>()
  return (column: string): Float64Array => {
    const values = cache.get(column) ?? Float64Array.from(knownIn(frame).known, (item) => referenceValue(item, column))
    cache.set(column, values)
    return values
  }
})

/** The positions of the known items of some rows, in order of first appearance; cached, as every heuristic asks for them. */
const itemsInRows = memoize((frame: Frame) => {
  const { codes } = frame.category('item')
  const { known, positions } = knownIn(frame)
  return memoize((rows: Int32Array): readonly number[] => {
    const seen = new Uint8Array(known.length)
    const found: number[] = []
    for (let i = 0; i < rows.length; i++) {
      const at = positions[codes[rows[i] as number] as number] ?? -1
      if (at < 0 || seen[at] === 1) continue
      seen[at] = 1
      found.push(at)
    }
    return found
  })
})

export const REFERENCE_NOTES: readonly string[] = [
  'Chance: uniform guess. Heuristic baseline: best non-reasoning heuristic of the audit. Both on up to 1,000 items.',
  'The best of several heuristics on few items is above chance by luck alone.',
]

/** Labels of axes that show an accuracy. */
const ACCURACY = /accuracy|pass rate|correct/i

/** The column that is added for the chance of all items. */
const TASK_CHANCE = 'chanceOfTask'

/**
 * The figures of one task that show accuracies, with chance where they draw no reference themselves: that of their table, which knows
 * the items of each row, or that of all items where it is the same for each.
 */
export function withChance({ tables, figures = [] }: AnalysisResult, frame: Frame): AnalysisResult {
  const own = new Set(tables.filter(({ columns }) => columns.some(({ key }) => key === CHANCE)).map(({ id }) => id))
  const chance = commonChance(frame)
  const needsLine = (figure: Figure): boolean => lacksReference(figure) && (own.has(figure.table) || chance !== null)
  const widened = new Set(figures.filter(needsLine).flatMap(({ table }) => (own.has(table) ? [] : [table])))
  return {
    tables: tables.map((table) =>
      widened.has(table.id)
        ? {
            ...table,
            columns: [...table.columns, column.share(TASK_CHANCE, 'Chance')],
            rows: table.rows.map((row) => ({ ...row, [TASK_CHANCE]: chance })),
          }
        : table,
    ),
    figures: figures.map((figure) => {
      const y = own.has(figure.table) ? CHANCE : TASK_CHANCE
      return needsLine(figure) ? { ...figure, marks: [{ kind: 'reference', y }, ...figure.marks] } : figure
    }),
  }
}

/** null where items differ in their chance, or it is known for no item of a config. */
function commonChance(frame: Frame): number | null {
  if (!frame.has(CHANCE) || !frame.has('config')) return null
  const { codes, levels } = frame.category('config')
  const known = new Set<number>()
  const configs = new Set<number>()
  frame.number(CHANCE).forEach((value, row) => {
    if (Number.isNaN(value)) return
    known.add(value)
    configs.add(codes[row] as number)
  })
  const [chance] = known
  return chance !== undefined && known.size === 1 && configs.size === levels.length ? chance : null
}

const lacksReference = ({ y, marks }: Figure): boolean =>
  y.unit === 'share' &&
  ACCURACY.test(y.label) &&
  !marks.some(({ kind }) => ['rule', 'reference', 'cell'].includes(kind))
