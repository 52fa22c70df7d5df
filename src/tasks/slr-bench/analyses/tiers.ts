import type { Analysis, Frame } from '../../../core/analysis.ts'
import { column } from '../../../core/columns.ts'
import {
  allRows,
  bySystem,
  clusterCodes,
  clusteredShare,
  partition,
  scores,
  systems,
  take,
} from '../../../libraries/statistics/index.ts'

const ALL = 'all'
const ORDER = ['basic', 'easy', 'medium', 'hard']

/** Tables 11 and 12: accuracy, partial score, syntax score and nulls, of all and by tier. */
export const tiers: Analysis = {
  id: 'slr-bench/tiers',
  title: 'Rules about trains: accuracy, partial and syntax score',
  source: { paper: 'PBEBench', item: 'tables 11 and 12' },
  notes: [
    'Partial score: share of trains an answer is right about. Syntax score: share of answers that are Prolog and define what was asked for. Nothing is cut to whole numbers.',
    'A null is a response that was cut, refused or not read; it counts as 0 in all three.',
    'Held out: share of trains kept back about which the answer says what the true rule says; generated items only.',
  ],
  needs: ['item', 'model', 'state', 'value', 'feature_tier', 'part_partial'],
  run(frame) {
    const value = scores(frame)
    const { codes, levels } = frame.category('state')
    const graded = levels.indexOf('graded')
    const clusters = clusterCodes(frame, allRows(frame))
    const counted = allRows(frame).filter((row) => !Number.isNaN(value[row] as number))
    /** A part of the grade; 0 where there was nothing to grade, left out where the task has no such part. */
    const part = (name: string, rows: Int32Array) => {
      if (!frame.has(`part_${name}`)) return null
      const all = frame.number(`part_${name}`)
      if (rows.every((row) => Number.isNaN(all[row] as number))) return null
      const own = Float64Array.from(rows, (row) => (codes[row] === graded ? (all[row] as number) : 0))
      return clusteredShare(own, take(clusters, rows))
    }
    const rows = bySystem(systems(frame), counted).flatMap(({ contestant, rows: own }) =>
      tiersOf(frame, own).map(({ tier, rows: mine }) => ({
        model: contestant,
        tier,
        items: mine.length,
        accuracy: clusteredShare(take(value, mine), take(clusters, mine)),
        partial: part('partial', mine),
        syntax: part('syntax', mine),
        heldOut: part('heldOut', mine),
        nulls: mine.filter((row) => codes[row] !== graded).length,
      })),
    )
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'slr-bench/tiers',
          title: 'All items and each tier',
          columns: [
            column.text('model', 'Model'),
            column.text('tier', 'Tier'),
            column.number('items', 'Answers'),
            column.estimate('accuracy', 'Accuracy'),
            column.estimate('partial', 'Partial score'),
            column.estimate('syntax', 'Syntax score'),
            column.estimate('heldOut', 'Held out'),
            column.number('nulls', 'Nulls'),
          ],
          rows,
        },
      ],
    }
  },
}

/** All rows; and by tier, where there are several, the easy ones first. */
function tiersOf(frame: Frame, rows: Int32Array): readonly { readonly tier: string; readonly rows: Int32Array }[] {
  const split = partition(frame, ['feature_tier'], rows)
    .map(({ key, rows: own }) => ({ tier: key['feature_tier'] ?? '', rows: own }))
    .sort((a, b) => ORDER.indexOf(a.tier) - ORDER.indexOf(b.tier))
  const whole = { tier: ALL, rows }
  return split.length === 1 ? [whole] : [whole, ...split]
}
