import type { Analysis } from '../../../core/analysis.ts'
import { bySystem, rowsWhere, spearman, take } from '../../../libraries/statistics/index.ts'
import { blocksBeside, named } from './blocks.ts'
import {
  accuracyBy,
  chanceColumn,
  contextMeans,
  estimate,
  level,
  number,
  paper,
  rowsWith,
  scoresOf,
  text,
  whoIn,
} from './cells.ts'

/** The symbolic distance effect: accuracy by distance, and which way it goes. People get better with distance (Moyer and Bayer 1976). */
export const distanceEffect = (task: string): Analysis => ({
  id: `recoglab/distance-${task}`,
  title: 'Accuracy against symbolic distance',
  source: { paper, item: 'section 4.1' },
  notes: [
    'Rank correlation of being right with distance: above zero, larger distances are easier, as for people; below, harder.',
    'A context counts once, with its mean over samples (and over both ways of asking), so that correlation, interval and p are of independent values. Larger networks have larger distances, so each size is a setting of its own.',
  ],
  needs: ['task', 'item', 'model', 'config', 'state', 'value', 'feature_distance'],
  run(frame) {
    const { settings, columns, facet } = named(blocksBeside(frame, [], rowsWith(frame, 'feature_distance')))
    const rows = settings.flatMap(({ setting, rows: mine }) =>
      accuracyBy(frame, ['feature_distance'], mine).map(({ model, key, accuracy, chance }) => ({
        setting,
        model,
        distance: level(key['feature_distance'] ?? null),
        accuracy,
        chance,
      })),
    )
    if (rows.length === 0) return { tables: [] }
    const value = scoresOf(frame)
    const id = `recoglab/distance-${task}`
    return {
      tables: [
        {
          id,
          title: 'Accuracy by distance',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('distance', 'Symbolic distance'),
            estimate('accuracy', 'Accuracy'),
            ...chanceColumn(rows),
          ],
          rows,
        },
        {
          id: `${id}-direction`,
          title: 'Rank correlation of being right with distance',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('n', 'Contexts'),
            estimate('correlation', 'Correlation', 'correlation'),
            number('p', 'p'),
          ],
          rows: settings.flatMap(({ setting, rows: mine }) =>
            bySystem(whoIn(frame), mine).flatMap(({ contestant, rows: own }) => {
              const { first, mean } = contextMeans(
                frame,
                value,
                rowsWhere(own, (row) => !Number.isNaN(value[row])),
              )
              const found = spearman(take(frame.number('feature_distance'), first), mean)
              return found === null
                ? []
                : [{ setting, model: contestant, n: found.n, correlation: found.estimate, p: found.p }]
            }),
          ),
        },
      ],
      figures: [
        {
          id,
          title: 'Accuracy by symbolic distance',
          table: id,
          x: { key: 'distance', label: 'Symbolic distance' },
          y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
          ...facet,
          marks: [
            { kind: 'interval', series: 'model' },
            { kind: 'line', series: 'model' },
          ],
        },
      ],
    }
  },
})
