import type { Analysis, Frame, Table } from '../../../core/analysis.ts'
import { figure, marksBy, optional, table } from '../../../core/tables.ts'
import { rowsWhere, scores, spearman, systemsIn, take } from '../../../libraries/statistics/index.ts'
import {
  accuracyTable,
  contextMeans,
  estimate,
  model,
  NEEDS,
  number,
  paper,
  rowsWith,
  setting,
  text,
} from './accuracy.ts'
import { blocksBeside, named, panels, type Setting } from './settings.ts'

/** The symbolic distance effect: people do better with distance (Moyer and Bayer 1976). */
export const distanceEffect = (task: string): Analysis => ({
  id: `recoglab/distance-${task}`,
  title: 'Accuracy against symbolic distance',
  source: { paper, item: 'section 4.1' },
  notes: [
    'Rank correlation of correctness with distance: above 0, larger distances are easier, as for people; below 0, harder.',
    'A context counts once, with its mean over samples and both ways of asking. Each network size is a setting.',
  ],
  needs: [...NEEDS, 'feature_distance'],
  run(frame) {
    const settings = named(blocksBeside(frame, [], rowsWith(frame, 'feature_distance')))
    const distances = accuracyTable(
      frame,
      settings,
      [`recoglab/distance-${task}`, 'Accuracy by distance'],
      [['feature_distance', number('distance', 'Symbolic distance')]],
    )
    const value = scores(frame)
    const systems = settings.flatMap((one) =>
      systemsIn(frame, one.rows).map((system) => ({
        ...one,
        ...system,
        values: value,
        rows: rowsWhere(system.rows, (row) => !Number.isNaN(value[row])),
      })),
    )
    const title = 'Rank correlation of correctness with distance'
    const curve = figure(distances, {
      title: 'Accuracy by symbolic distance',
      x: 'distance',
      y: 'accuracy',
      facet: panels(settings),
      marks: marksBy('model', 'interval', 'line'),
    })
    return { tables: [distances, directionTable(frame, `${distances.id}-direction`, title, systems)], figures: [curve] }
  },
})

interface Measured extends Setting {
  readonly model: string
  /** The values that are correlated with distance, by row. */
  readonly values: Float64Array
  readonly unit?: string
}

/** The rank correlation of some values with distance, over contexts. */
export const directionTable = (frame: Frame, id: string, title: string, systems: readonly Measured[]): Table =>
  table(
    id,
    title,
    [
      setting,
      model,
      optional(text('unit', 'Unit')),
      number('n', 'Contexts'),
      estimate('correlation', 'Correlation', 'correlation'),
      number('p', 'p'),
    ],
    systems.flatMap(({ setting: name, model: system, unit = null, values, rows }) => {
      const { first, mean } = contextMeans(frame, values, rows)
      const found = spearman(take(frame.number('feature_distance'), first), mean)
      return found === null
        ? []
        : [{ setting: name, model: system, unit, n: found.n, correlation: found.estimate, p: found.p }]
    }),
  )
