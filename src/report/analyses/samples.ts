import type { Analysis } from '../../core/index.ts'
import {
  allOfK,
  clusterCodes,
  clusteredShare,
  correctness,
  passAtK,
  sampleCounts,
  scores,
} from '../../libraries/statistics/index.ts'
import { blocks, byModel, count, estimate, text } from './columns.ts'

/** pass@k and all-of-k where items were sampled more than once. */
export const passAtKTable: Analysis = {
  id: 'core/pass-at-k',
  title: 'pass@k',
  source: { paper: 'Chen et al. 2021, Evaluating Large Language Models Trained on Code', item: 'equation 1' },
  notes: [
    'Unbiased from all samples of an item, then averaged over items with at least k samples; intervals cluster items of one group.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'sample', 'state', 'value'],
  run(frame) {
    const { blocks: parts, columns } = blocks(frame)
    const right = correctness(scores(frame))
    const rows = byModel(frame, parts).flatMap(({ key, rows: mine }) => {
      const items = sampleCounts(frame, right, mine)
      const most = items.reduce((max, item) => Math.max(max, item.n), 0)
      return powers(most).flatMap((k) => {
        const able = items.filter((item) => item.n >= k)
        const clusters = clusterCodes(
          frame,
          Int32Array.from(able, (item) => item.row),
        )
        const pass = able.map((item) => passAtK(item.n, item.right, k))
        const all = able.map((item) => allOfK(item.n, item.right, k))
        return [
          {
            ...key,
            k,
            items: able.length,
            pass: clusteredShare(pass, clusters),
            all: clusteredShare(all, clusters),
          },
        ]
      })
    })
    if (rows.length === 0) return { tables: [] }
    const table = {
      id: 'core/pass-at-k',
      title: 'At least one (pass@k) and all (pass^k) of k samples right',
      columns: [
        ...columns,
        text('model', 'Model'),
        count('k', 'k'),
        count('items', 'Items'),
        estimate('pass', 'pass@k'),
        estimate('all', 'pass^k'),
      ],
      rows,
    }
    const figure = {
      id: 'core/pass-at-k',
      title: 'pass@k',
      table: table.id,
      x: { key: 'k', label: 'k', scale: 'log' },
      y: { key: 'pass', label: 'pass@k', unit: 'share' },
      marks: [
        { kind: 'interval', series: 'model' },
        { kind: 'line', series: 'model' },
        { kind: 'point', series: 'model' },
      ],
    } as const
    return { tables: [table], figures: parts.length === 1 ? [figure] : [] }
  },
}

/** 1, 2, 4 ... and the largest itself; nothing for single samples. */
function powers(most: number): number[] {
  if (most < 2) return []
  const found: number[] = []
  for (let k = 1; k < most; k *= 2) found.push(k)
  return [...found, most]
}
