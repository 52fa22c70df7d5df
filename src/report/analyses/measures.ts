import type { Analysis, Frame } from '../../core/index.ts'
import { clusterCodes, clusteredMeanEstimate, rowsWhere, take } from '../../stats/index.ts'
import { blocks, byModel, count, text } from './columns.ts'

/**
 * Means of what scored requests measure (losses, log-probabilities), named by the task. `truth` is a feature that says what
 * an item is, such as whether a string is of the language: means over what is true and what is not say nothing.
 */
export const measures = (names: readonly string[], truth: string | null): Analysis => ({
  id: 'core/measures',
  title: 'Measures of scored requests',
  notes: ['Means over the cells that have the measure, with intervals that cluster items of one group.'],
  needs: ['task', 'config', 'style', 'model', 'item', ...names.slice(0, 1)],
  run(frame) {
    const { blocks: parts, columns } = blocks(frame)
    const kinds = kindsOf(frame, truth)
    const rows = byModel(frame, parts).flatMap((block) =>
      kinds(block).flatMap(({ key, rows: mine }) =>
        names.flatMap((name) => {
          const values = frame.number(name)
          const used = rowsWhere(mine, (row) => !Number.isNaN(values[row]))
          if (used.length === 0) return []
          const mean = clusteredMeanEstimate(take(values, used), clusterCodes(frame, used))
          return [{ ...key, measure: name.replace(/^measured_/, ''), n: used.length, mean }]
        }),
      ),
    )
    const split = rows.some((row) => 'kind' in row)
    const table = {
      id: 'core/measures',
      title: 'Mean of each measure',
      columns: [
        ...columns,
        text('model', 'Model'),
        ...(split ? [text('kind', 'Kind')] : []),
        text('measure', 'Measure'),
        count('n', 'Cells'),
        { key: 'mean', label: 'Mean', kind: 'estimate' } as const,
      ],
      rows,
    }
    return { tables: rows.length === 0 ? [] : [table] }
  },
})

interface Block {
  readonly key: { readonly [column: string]: string | number | null }
  readonly rows: Int32Array
}

/** The rows of each level of the feature for themselves, in order of first appearance; whole where there is no such feature. */
function kindsOf(frame: Frame, truth: string | null): (block: Block) => readonly Block[] {
  const column = `feature_${truth}`
  if (truth === null || !frame.has(column)) return (block) => [block]
  const { codes, levels } = frame.category(column)
  return ({ key, rows }) =>
    [...new Set(Array.from(rows, (row) => codes[row] as number))].map((code) => ({
      key: { ...key, kind: levels[code] ?? null },
      rows: rowsWhere(rows, (row) => codes[row] === code),
    }))
}
