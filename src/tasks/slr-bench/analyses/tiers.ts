import { type Analysis, column, type Frame, tableOf } from '../../../core/index.ts'
import {
  allRows,
  clusterCodes,
  clusteredMeanEstimate,
  clusteredShare,
  partition,
  rowsWhere,
  scores,
  systemsIn,
  take,
} from '../../../libraries/statistics/index.ts'

const TIERS = ['basic', 'easy', 'medium', 'hard', 'large', 'negation', 'recursion', 'arithmetic']

/** Tables 11 and 12: accuracy, partial score, syntax score and nulls, overall and by tier. */
export const tiers: Analysis = {
  id: 'slr-bench/tiers',
  title: 'Rules about trains: accuracy, partial and syntax score',
  source: { paper: 'PBEBench', item: 'tables 11 and 12' },
  notes: [
    'Partial score: share of trains classified correctly. Syntax score: share of responses that are Prolog and define the target. Not rounded.',
    'Null: unparsed, truncated or refused; it scores 0 in all three.',
    'Held out: share of withheld trains that the response classifies as the true rule does; generated items only. Gap: how much larger the partial score is.',
  ],
  needs: ['item', 'model', 'status', 'score', 'feature_tier', 'subscore_partial'],
  run(frame) {
    const value = scores(frame)
    const { codes, levels } = frame.category('status')
    const graded = levels.indexOf('graded')
    const clusters = clusterCodes(frame, allRows(frame))
    const counted = rowsWhere(allRows(frame), (row) => !Number.isNaN(value[row]))
    /** A subscore, 0 for nulls; null where the task lacks it. */
    const subscore = (name: string, rows: Int32Array) => {
      if (!frame.has(`subscore_${name}`)) return null
      const all = frame.number(`subscore_${name}`)
      if (rows.every((row) => Number.isNaN(all[row] as number))) return null
      const own = Float64Array.from(rows, (row) => (codes[row] === graded ? (all[row] as number) : 0))
      return clusteredShare(own, take(clusters, rows))
    }
    /** Where there are held-out trains, over the responses that were graded: a null has no gap. */
    const gap = (rows: Int32Array) => {
      if (!frame.has('subscore_gap')) return null
      const all = frame.number('subscore_gap')
      const own = rowsWhere(rows, (row) => !Number.isNaN(all[row]))
      return clusteredMeanEstimate(take(all, own), take(clusters, own))
    }
    const rows = systemsIn(frame, counted).flatMap(({ model, rows: own }) =>
      tiersOf(frame, own).map(({ tier, rows: here }) => ({ key: { model, tier }, here })),
    )
    const named = [column.text('model', 'Model'), column.text('tier', 'Tier')]
    const made = tableOf('slr-bench/tiers', 'All items and each tier', named, rows, [
      [column.number('items', 'Responses'), ({ here }) => here.length],
      [column.estimate('accuracy', 'Accuracy'), ({ here }) => clusteredShare(take(value, here), take(clusters, here))],
      [column.estimate('partial', 'Partial score'), ({ here }) => subscore('partial', here)],
      [column.estimate('syntax', 'Syntax score'), ({ here }) => subscore('syntax', here)],
      [column.estimate('heldOut', 'Held out'), ({ here }) => subscore('heldOut', here)],
      [column.estimate('gap', 'Gap'), ({ here }) => gap(here)],
      [column.number('nulls', 'Nulls'), ({ here }) => here.filter((row) => codes[row] !== graded).length],
    ])
    return { tables: [made] }
  },
}

/** All rows, and by tier where there are several, the easy ones first. */
function tiersOf(frame: Frame, rows: Int32Array) {
  const split = partition(frame, ['feature_tier'], rows)
    .map(({ key, rows: own }) => ({ tier: key['feature_tier'] ?? '', rows: own }))
    .sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier))
  return [{ tier: 'all', rows }, ...(split.length > 1 ? split : [])]
}
