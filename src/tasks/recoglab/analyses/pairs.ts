import type { Column, Estimate, Frame } from '../../../core/analysis.ts'
import { bySystem, correctness, mcnemarOf, pairedDifference, take } from '../../../libraries/statistics/index.ts'
import { contextCodes, estimate, itemsIn, number, scoresOf, text, whoIn } from './cells.ts'
import { columnsOf } from './knobs.ts'

/** Two conditions compared on the items they share. */
interface Paired {
  readonly model: string
  readonly pairs: number
  readonly difference: Estimate
  /** Two-sided, clustered: Student's t, or sign flips where all groups show the same difference. */
  readonly p: number
  /** McNemar's mid-p, which takes pairs as independent; null where items have several samples. */
  readonly midP: number | null
}

/** A knob of which two conditions are compared. */
interface Knob {
  readonly column: string
  /** Features that change with it. */
  readonly follows: readonly string[]
  /** Knobs that may take several values, one and the same in each pair. */
  readonly pooled: readonly string[]
}

/**
 * Condition `a` less condition `b` of a knob in one block of configs, per model, on pairs that share index and seed
 * (column `draw`), sample, the pooled knobs and every feature of the problem but those that follow from the knob.
 */
export function pairedBy(
  frame: Frame,
  { column, follows, pooled }: Knob,
  [a, b]: readonly [string, string],
  rows: Int32Array,
): Paired[] {
  const value = scoresOf(frame)
  const clusters = contextCodes(frame)
  const { codes, levels } = frame.category(column)
  const content = columnsOf(frame, 'content').filter((name) => !follows.includes(name))
  const same = ['draw', 'sample', ...pooled, ...content]
    .filter((name) => frame.has(name))
    .map((name) => frame.category(name).codes)
  const usable = rows.filter((row) => !Number.isNaN(value[row] as number))
  return bySystem(whoIn(frame), usable).flatMap(({ contestant, rows: mine }): Paired[] => {
    const of = (condition: string) =>
      new Map(
        [...mine]
          .filter((row) => levels[codes[row] as number] === condition)
          .map((row) => [same.map((list) => list[row]).join(' '), row]),
      )
    const second = of(b)
    const pairs = [...of(a)].flatMap(([key, row]) => {
      const other = second.get(key)
      return other === undefined ? [] : [[row, other] as const]
    })
    const first = Int32Array.from(pairs, ([row]) => row)
    const x = take(value, first)
    const y = Float64Array.from(pairs, ([, row]) => value[row] as number)
    const found = pairedDifference(x, y, take(clusters, first))
    if (found === null) return []
    const single = itemsIn(frame, first) === pairs.length
    return [
      {
        model: contestant,
        pairs: pairs.length,
        difference: found.difference,
        p: found.p,
        midP: single ? mcnemarOf(correctness(x), correctness(y)).midP : null,
      },
    ]
  })
}

/** Columns of a table of paired differences. */
export const pairedColumns: readonly Column[] = [
  text('model', 'Model'),
  text('comparison', 'Comparison'),
  number('pairs', 'Pairs'),
  estimate('difference', 'Difference in accuracy'),
  number('p', 'p (clustered)'),
  number('midP', 'p (McNemar, mid-p)'),
]
