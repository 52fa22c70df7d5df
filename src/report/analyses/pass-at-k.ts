import { type Analysis, figure, marksBy, table } from '../../core/index.ts'
import {
  allOfK,
  clusterCodes,
  clusteredShare,
  correctness,
  passAtK,
  sampleCounts,
  scores,
} from '../../libraries/statistics/index.ts'
import { conditionsOf, count, estimate, model } from './conditions.ts'

/** pass@k and pass^k where items were sampled more than once. */
export const passAtKTable: Analysis = {
  id: 'core/pass-at-k',
  title: 'pass@k',
  question: 'accuracy',
  source: { paper: 'Chen et al. 2021, Evaluating Large Language Models Trained on Code', item: 'equation 1' },
  notes: ['Unbiased pass@k and pass^k over items with at least k samples; CIs clustered by group.'],
  needs: ['task', 'config', 'style', 'model', 'item', 'sample', 'status', 'score'],
  run(frame) {
    const { conditions, systems, columns } = conditionsOf(frame)
    const correct = correctness(scores(frame))
    const rows = systems.flatMap(({ key, rows: own }) => {
      const items = sampleCounts(frame, correct, own)
      const most = items.reduce((max, item) => Math.max(max, item.n), 0)
      return powers(most).map((k) => {
        const able = items.filter((item) => item.n >= k)
        const firsts = Int32Array.from(able, (item) => item.row)
        const over = (of: typeof passAtK) => {
          const shares = able.map(({ n, right }) => of(n, right, k))
          return clusteredShare(shares, clusterCodes(frame, firsts, shares))
        }
        return { ...key, k, items: able.length, pass: over(passAtK), all: over(allOfK) }
      })
    })
    const made = table(
      'core/pass-at-k',
      'At least one (pass@k) and all (pass^k) of k samples correct',
      [
        ...columns,
        model,
        count('k', 'k'),
        count('items', 'Items'),
        estimate('pass', 'pass@k'),
        estimate('all', 'pass^k'),
      ],
      rows,
    )
    const marks = marksBy('model', 'interval', 'line', 'point')
    const curve = figure(made, { title: 'pass@k', x: { key: 'k', scale: 'log' }, y: 'pass', marks })
    return { tables: [made], figures: conditions.length === 1 ? [curve] : [] }
  },
}

/** 1, 2, 4 ... and the largest itself; nothing for single samples. */
function powers(most: number): number[] {
  if (most < 2) return []
  const found: number[] = []
  for (let k = 1; k < most; k *= 2) found.push(k)
  return [...found, most]
}
