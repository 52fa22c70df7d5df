import type { Analysis, Frame } from '../../../core/analysis.ts'
import { figure, marksBy, table } from '../../../core/tables.ts'
import {
  clusteredMeanEstimate,
  inOrder,
  partition,
  rowsWhere,
  systemsIn,
  take,
} from '../../../libraries/statistics/index.ts'
import { contextCodes, estimate, level, model, number, paper, rowsWith, setting, text } from './accuracy.ts'
import { directionTable } from './distance.ts'
import { blocksBeside, named, panels } from './settings.ts'

/** Units of thinking, best first: not every provider separates reasoning from the answer. */
const UNITS = [
  ['reasoning_tokens', 'reasoning tokens'],
  ['output_tokens', 'output tokens'],
  ['steps', 'steps of a baseline'],
] as const

/** Do models think longer where people answer faster? */
export const thinking = (task: string): Analysis => ({
  id: `recoglab/thinking-${task}`,
  title: 'Thinking against symbolic distance',
  source: { paper, item: 'section 4.1; the paper shows accuracy only' },
  notes: [
    'People are slower on near pairs (Moyer and Bayer 1976). Unit: reasoning tokens, else all output tokens, else steps of a baseline.',
    'Means over all responses, correct or not; CIs are clustered by context. Correlation over contexts: above 0, far pairs take more.',
  ],
  needs: ['task', 'item', 'model', 'config', 'feature_distance'],
  run(frame) {
    const settings = named(blocksBeside(frame, [], rowsWith(frame, 'feature_distance')))
    const clusters = contextCodes(frame)
    const systems = settings.flatMap(({ setting: name, rows }) =>
      systemsIn(frame, rows).flatMap((system) => {
        const counted = countedIn(frame, system.rows)
        return counted === null ? [] : [{ setting: name, model: system.model, ...counted }]
      }),
    )
    const distances = table(
      `recoglab/thinking-${task}`,
      'Thinking by distance',
      [
        setting,
        model,
        text('unit', 'Unit'),
        number('distance', 'Symbolic distance'),
        number('answers', 'Responses'),
        estimate('spent', 'Mean', 'count'),
      ],
      systems.flatMap(({ setting: name, model: system, unit, rows, values }) =>
        byDistance(frame, rows).map(({ distance, rows: here }) => ({
          setting: name,
          model: system,
          unit,
          distance,
          answers: here.length,
          spent: clusteredMeanEstimate(take(values, here), take(clusters, here)),
        })),
      ),
    )
    const title = 'Rank correlation of thinking with distance'
    const curve = figure(distances, {
      title: 'Thinking by symbolic distance',
      x: 'distance',
      y: { key: 'spent', label: 'Tokens or steps' },
      facet: panels(settings),
      marks: marksBy('model', 'interval', 'line'),
    })
    return { tables: [distances, directionTable(frame, `${distances.id}-direction`, title, systems)], figures: [curve] }
  },
})

/** The rows that have a count, in the first unit that one of them has; null where none has. */
function countedIn(frame: Frame, rows: Int32Array) {
  for (const [column, unit] of UNITS) {
    if (!frame.has(column)) continue
    const values = frame.number(column)
    const counted = rowsWhere(rows, (row) => (values[row] as number) > 0)
    if (counted.length > 0) return { unit, values, rows: counted }
  }
  return null
}

function byDistance(frame: Frame, rows: Int32Array) {
  const parts = new Map(
    partition(frame, ['feature_distance'], rows).map(({ key, rows: own }) => [key['feature_distance'] ?? null, own]),
  )
  return inOrder(parts.keys()).map((name) => ({ distance: level(name), rows: parts.get(name) as Int32Array }))
}
