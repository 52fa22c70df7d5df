import { type Analysis, type Frame, optional, splitCamelCase, type Task, table } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredMeanEstimate,
  rowsWhere,
  type SystemRows,
  take,
} from '../../libraries/statistics/index.ts'
import { conditionsOf, count, estimate, model, text } from './conditions.ts'

/** Most metrics in the table that shows them side by side. */
const MAX_SIDE_BY_SIDE = 8

/**
 * Means of the metrics of loglikelihood items (losses, log-probabilities): first side by side those that items of every kind have,
 * then all. `kind` is the feature that says what an item is, such as whether a string is in the language: a mean over both is
 * meaningless.
 */
export const metrics = (names: readonly string[], kind: string | null): Analysis => ({
  id: 'core/measures',
  title: 'Metrics of loglikelihood items',
  question: 'accuracy',
  notes: ['Means over the calls that have the metric; CIs are clustered by group.'],
  needs: ['task', 'config', 'style', 'model', 'item', ...names.slice(0, 1)],
  run(frame, { confidence }) {
    const { systems, columns } = conditionsOf(frame)
    const found = systems
      .flatMap(kindsIn(frame, kind))
      .map(({ rows, ...of }) => ({ ...of, means: names.flatMap((name) => meanOf(frame, name, rows, confidence)) }))
      .filter(({ means }) => means.length > 0)
    const shared = names
      .map(shortName)
      .filter((name) => found.every(({ means }) => means.some(({ metric }) => metric === name)))
      .slice(0, MAX_SIDE_BY_SIDE)
    const named = [...columns, model, optional(text('kind', 'Kind'))]
    const sideBySide = table(
      'core/measures',
      'Mean of the metrics that every kind of item has',
      [...named, count('n', 'Calls'), ...shared.map((name) => estimate(name, titleOf(name), null))],
      found.map(({ key, kind, means }) => ({
        ...key,
        kind,
        n: Math.max(...means.map(({ n }) => n)),
        ...Object.fromEntries(
          means.filter(({ metric }) => shared.includes(metric)).map(({ metric, mean }) => [metric, mean]),
        ),
      })),
    )
    const all = table(
      'core/measures-all',
      'Mean of each metric',
      [...named, text('metric', 'Metric'), count('n', 'Calls'), estimate('mean', 'Mean', null)],
      found.flatMap(({ key, kind, means }) =>
        means.map(({ metric, n, mean }) => ({ ...key, kind, metric: titleOf(metric), n, mean })),
      ),
    )
    return { tables: shared.length === 0 ? [all] : [sideBySide, all] }
  },
})

/** The feature that says what an item is: the first text feature with the role of a truth. */
export function kindFeature(tasks: readonly Task[]): string | null {
  const features = tasks.flatMap((task) => Object.entries(task.features.shape))
  return features.find(([, schema]) => schema.type === 'string' && schema.meta()?.['role'] === 'truth')?.[0] ?? null
}

/** The prefix of the columns of metrics. */
export const METRIC = 'metric_'

const shortName = (column: string): string => column.replace(METRIC, '')

function titleOf(name: string): string {
  const words = splitCamelCase(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The mean of a metric over the rows that have it; empty where none has. */
function meanOf(frame: Frame, column: string, rows: Int32Array, confidence?: number) {
  const values = frame.number(column)
  const used = rowsWhere(rows, (row) => !Number.isNaN(values[row]))
  if (used.length === 0) return []
  const mean = clusteredMeanEstimate(take(values, used), clusterCodes(frame, used), confidence)
  return [{ metric: shortName(column), n: used.length, mean }]
}

/** The rows of a system by kind of item, in order of first appearance; whole where items have no kind. */
function kindsIn(frame: Frame, feature: string | null) {
  const column = `feature_${feature}`
  const kinds = feature !== null && frame.has(column) ? frame.category(column) : null
  return ({ key, rows }: SystemRows) =>
    kinds === null
      ? [{ key, kind: null, rows }]
      : [...new Set(Array.from(rows, (row) => kinds.codes[row] as number))].map((code) => ({
          key,
          kind: kinds.levels[code] ?? null,
          rows: rowsWhere(rows, (row) => kinds.codes[row] === code),
        }))
}
