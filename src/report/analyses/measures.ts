import type { Analysis } from '../../core/index.ts'
import { clusterCodes, clusteredMeanEstimate, rowsWhere, take } from '../../stats/index.ts'
import { blocks, byModel, count, text } from './columns.ts'

/** Means of what scored requests measure (losses, log-probabilities), named by the task. */
export const measures = (names: readonly string[]): Analysis => ({
  id: 'core/measures',
  title: 'Measures of scored requests',
  notes: ['Means over the cells that have the measure, with intervals that cluster items of one group.'],
  needs: ['task', 'config', 'style', 'model', 'item', ...names.slice(0, 1)],
  run(frame) {
    const { blocks: parts, columns } = blocks(frame)
    const rows = byModel(frame, parts).flatMap(({ key, rows: mine }) =>
      names.flatMap((name) => {
        const values = frame.number(name)
        const used = rowsWhere(mine, (row) => !Number.isNaN(values[row]))
        if (used.length === 0) return []
        const mean = clusteredMeanEstimate(take(values, used), clusterCodes(frame, used))
        return [{ ...key, measure: name.replace(/^measured_/, ''), n: used.length, mean }]
      }),
    )
    const table = {
      id: 'core/measures',
      title: 'Mean of each measure',
      columns: [
        ...columns,
        text('model', 'Model'),
        text('measure', 'Measure'),
        count('n', 'Cells'),
        { key: 'mean', label: 'Mean', kind: 'estimate' } as const,
      ],
      rows,
    }
    return { tables: rows.length === 0 ? [] : [table] }
  },
})
