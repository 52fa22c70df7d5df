import type { Analysis, Frame } from '../../../core/analysis.ts'
import { everyTwo, figure, marksBy, tableOf } from '../../../core/tables.ts'
import {
  allRows,
  correctness,
  mcnemarOf,
  pairedDifference,
  partition,
  rowsWhere,
  scores,
  systemsIn,
  take,
} from '../../../libraries/statistics/index.ts'
import {
  accuracyTable,
  contextCodes,
  estimate,
  itemsIn,
  levelsIn,
  model,
  NEEDS,
  number,
  paper,
  setting,
  text,
} from './accuracy.ts'
import { type Block, blocksBeside, columnsOf, named, panels } from './settings.ts'

interface Contrast {
  readonly id: string
  readonly title: string
  readonly item: string
  readonly column: string
  readonly label: string
  /** The levels compared. Default: all that occur. */
  readonly among?: readonly string[]
  /** Features that change with the level. */
  readonly follows?: readonly string[]
  /** Parameters over whose values a condition is averaged: those run under every condition. */
  readonly pooled?: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Accuracy at each level of one parameter, and paired differences between every two levels on shared items: flavour (figure 5),
 * ordering (figure 7), congruency (figure 8).
 */
export const contrast = (of: Contrast): Analysis => ({
  id: of.id,
  title: of.title,
  source: { paper, item: of.item },
  notes: [
    ...of.notes,
    'Pairs share index, seed, sample and every feature that does not follow from the level.',
    'p: Student t over contexts, not adjusted. McNemar assumes independent pairs and one sample per item.',
  ],
  needs: [...NEEDS, 'draw', of.column],
  run(frame) {
    const { id, column, label, among, follows = [], pooled = [] } = of
    const { codes, levels } = frame.category(column)
    const compared = allRows(frame).filter((row) => among?.includes(levels[codes[row] as number] as string) ?? true)
    const settings = named(
      blocksBeside(frame, [column, ...follows, ...pooled], compared)
        .map((block) => underAll(frame, block, column, pooled))
        .filter(({ rows }) => levelsIn(frame, column, rows).length > 1),
    )
    const title = `Accuracy by ${label.toLowerCase()}`
    const accuracies = accuracyTable(frame, settings, [id, title], [[column, text('condition', label)]])
    const differences = tableOf(
      `${id}-paired`,
      `Paired differences by ${label.toLowerCase()}`,
      [setting, model, text('comparison', 'Comparison')],
      settings.flatMap(({ setting: name, rows }) =>
        everyTwo(levelsIn(frame, column, rows)).flatMap((pair) =>
          pairedBy(frame, { column, follows, pooled }, pair, rows).map(({ model: system, ...found }) => ({
            ...found,
            key: { setting: name, model: system, comparison: pair.join(' - ') },
          })),
        ),
      ),
      [
        [number('pairs', 'Pairs'), ({ pairs }) => pairs],
        [estimate('difference', 'Difference in accuracy'), ({ difference }) => difference],
        [number('p', 'p (clustered)'), ({ p }) => p],
        [number('midP', 'p (McNemar, mid-p)'), ({ midP }) => midP],
      ],
    )
    const plot = figure(accuracies, {
      x: { key: 'model', scale: 'category' },
      y: 'accuracy',
      facet: panels(settings),
      marks: marksBy('condition', 'interval', 'point'),
    })
    return { tables: [accuracies, differences], figures: [plot] }
  },
})

/** A block without the values of the pooled parameters that lack a condition, so that all average over the same. */
function underAll(frame: Frame, { key, rows }: Block, column: string, pooled: readonly string[]): Block {
  const conditions = levelsIn(frame, column, rows).length
  const kept = partition(frame, pooled, rows).filter((part) => levelsIn(frame, column, part.rows).length === conditions)
  return { key, rows: Int32Array.from(kept.flatMap((part) => [...part.rows])) }
}

/**
 * Condition `a` minus condition `b` per model, on pairs that share index and seed (column `draw`), sample, the pooled parameters
 * and every feature of the problem but those that follow from the condition.
 */
function pairedBy(
  frame: Frame,
  { column, follows, pooled }: Required<Pick<Contrast, 'column' | 'follows' | 'pooled'>>,
  [a, b]: readonly [string, string],
  rows: Int32Array,
) {
  const value = scores(frame)
  const clusters = contextCodes(frame)
  const { codes, levels } = frame.category(column)
  const content = columnsOf(frame, 'content').filter((name) => !follows.includes(name))
  const same = ['draw', 'sample', ...pooled, ...content]
    .filter((name) => frame.has(name))
    .map((name) => frame.category(name).codes)
  const usable = rowsWhere(rows, (row) => !Number.isNaN(value[row]))
  return systemsIn(frame, usable).flatMap(({ model: name, rows: own }) => {
    const under = (condition: string) =>
      new Map(
        [...own]
          .filter((row) => levels[codes[row] as number] === condition)
          .map((row) => [same.map((list) => list[row]).join(' '), row]),
      )
    const second = under(b)
    const pairs = [...under(a)].flatMap(([key, row]) => {
      const other = second.get(key)
      return other === undefined ? [] : [[row, other] as const]
    })
    const first = Int32Array.from(pairs, ([row]) => row)
    const [x, y] = [0, 1].map((side) => Float64Array.from(pairs, (pair) => value[pair[side] as number] as number)) as [
      Float64Array,
      Float64Array,
    ]
    const found = pairedDifference(x, y, take(clusters, first))
    if (found === null) return []
    // McNemar's test needs one sample per item.
    const isSingle = itemsIn(frame, first) === pairs.length
    const midP = isSingle ? mcnemarOf(correctness(x), correctness(y)).midP : null
    return [{ model: name, pairs: pairs.length, difference: found.difference, p: found.p, midP }]
  })
}
