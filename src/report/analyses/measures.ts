import { type Analysis, column, type Frame, inWords } from '../../core/index.ts'
import { clusterCodes, clusteredMeanEstimate, rowsWhere, take } from '../../libraries/statistics/index.ts'
import { blocks, byModel, count, text } from './columns.ts'

/** More columns than this nobody reads. */
const SIDE_BY_SIDE = 8

/**
 * Means of what scored requests measure (losses, log-probabilities), named by the task: first, side by side, what items of
 * every kind have, then all. `truth` is a feature that says what an item is, such as whether a string is of the language:
 * means over what is true and what is not say nothing.
 */
export const measures = (names: readonly string[], truth: string | null): Analysis => ({
  id: 'core/measures',
  title: 'Measures of scored requests',
  notes: ['Means over the cells that have the measure, with intervals that cluster items of one group.'],
  needs: ['task', 'config', 'style', 'model', 'item', ...names.slice(0, 1)],
  run(frame, { level }) {
    const { blocks: parts, columns } = blocks(frame)
    const kinds = kindsOf(frame, truth)
    const cells = byModel(frame, parts)
      .flatMap(kinds)
      .map(({ key, rows }) => ({ key, measured: names.flatMap((name) => measuredIn(frame, name, rows, level)) }))
      .filter(({ measured }) => measured.length > 0)
    if (cells.length === 0) return { tables: [] }
    const shared = names
      .map(wordOf)
      .filter((name) => cells.every(({ measured }) => measured.some(({ measure }) => measure === name)))
      .slice(0, SIDE_BY_SIDE)
    const who = [
      ...columns,
      text('model', 'Model'),
      ...(cells.some(({ key }) => 'kind' in key) ? [text('kind', 'Kind')] : []),
    ]
    const sideBySide = {
      id: 'core/measures',
      title: 'Mean of what every kind of item has',
      columns: [...who, count('n', 'Cells'), ...shared.map((name) => column.estimate(name, titled(name), null))],
      rows: cells.map(({ key, measured }) => ({
        ...key,
        n: Math.max(...measured.map(({ n }) => n)),
        ...Object.fromEntries(
          measured.filter(({ measure }) => shared.includes(measure)).map(({ measure, mean }) => [measure, mean]),
        ),
      })),
    }
    const all = {
      id: 'core/measures-all',
      title: 'Mean of each measure',
      columns: [...who, text('measure', 'Measure'), count('n', 'Cells'), column.estimate('mean', 'Mean', null)],
      rows: cells.flatMap(({ key, measured }) =>
        measured.map((one) => ({ ...key, ...one, measure: titled(one.measure) })),
      ),
    }
    return { tables: shared.length === 0 ? [all] : [sideBySide, all] }
  },
})

const wordOf = (name: string): string => name.replace(/^measured_/, '')

function titled(name: string): string {
  const words = inWords(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The mean of a measure over those of the rows that have it; nothing where none has. */
function measuredIn(frame: Frame, name: string, rows: Int32Array, level?: number) {
  const values = frame.number(name)
  const used = rowsWhere(rows, (row) => !Number.isNaN(values[row]))
  if (used.length === 0) return []
  const mean = clusteredMeanEstimate(take(values, used), clusterCodes(frame, used), level)
  return [{ measure: wordOf(name), n: used.length, mean }]
}

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
