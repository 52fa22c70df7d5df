import type { Analysis, Frame, Table } from '../../../core/analysis.ts'
import { figure, marksBy, optional, tableOf } from '../../../core/tables.ts'
import {
  clusteredMeanEstimate,
  inOrder,
  partition,
  rowsWhere,
  scores,
  spearman,
  take,
} from '../../../libraries/statistics/index.ts'
import {
  accuracyTable,
  contextCodes,
  contextMeans,
  estimate,
  level,
  model,
  NEEDS,
  number,
  paper,
  rowsWith,
  setting,
  text,
} from './accuracy.ts'
import { blocksBeside, named, panels, systemsOf } from './settings.ts'

const DISTANCE = 'feature_distance'
const settingsOf = (frame: Frame) => named(blocksBeside(frame, [], rowsWith(frame, DISTANCE)))

/** The symbolic distance effect: people do better with distance (Moyer and Bayer 1976). */
export const distanceEffect = (task: string): Analysis => ({
  id: `recoglab/distance-${task}`,
  title: 'Accuracy against symbolic distance',
  source: { paper, item: 'section 4.1' },
  notes: [
    'Rank correlation of correctness with distance: above 0, larger distances are easier, as for people; below 0, harder.',
    'A context counts once, with its mean over samples and both ways of asking. Each network size is a setting.',
  ],
  needs: [...NEEDS, DISTANCE],
  run(frame) {
    const settings = settingsOf(frame)
    const distances = accuracyTable(
      frame,
      settings,
      [`recoglab/distance-${task}`, 'Accuracy by distance'],
      [[DISTANCE, number('distance', 'Symbolic distance')]],
    )
    const values = scores(frame)
    const systems = systemsOf(frame, settings).map(({ key, rows }) => ({
      key: { ...key, unit: null },
      values,
      rows: rowsWhere(rows, (row) => !Number.isNaN(values[row])),
    }))
    const curve = figure(distances, {
      title: 'Accuracy by symbolic distance',
      x: 'distance',
      y: 'accuracy',
      facet: panels(settings),
      marks: marksBy('model', 'interval', 'line'),
    })
    return { tables: [distances, directionTable(frame, distances.id, 'correctness', systems)], figures: [curve] }
  },
})

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
  needs: ['task', 'item', 'model', 'config', DISTANCE],
  run(frame) {
    const settings = settingsOf(frame)
    const clusters = contextCodes(frame)
    const systems = systemsOf(frame, settings).flatMap(({ key, rows }) => {
      const counted = countedIn(frame, rows)
      return counted === null ? [] : [{ key: { ...key, unit: counted.unit }, ...counted }]
    })
    const distances = tableOf(
      `recoglab/thinking-${task}`,
      'Thinking by distance',
      [setting, model, text('unit', 'Unit'), number('distance', 'Symbolic distance')],
      systems.flatMap(({ key, rows, values }) =>
        byDistance(frame, rows).map(({ distance, rows: here }) => ({ key: { ...key, distance }, here, values })),
      ),
      [
        [number('answers', 'Responses'), ({ here }) => here.length],
        [
          estimate('spent', 'Mean', 'count'),
          ({ here, values }) => clusteredMeanEstimate(take(values, here), take(clusters, here)),
        ],
      ],
    )
    const curve = figure(distances, {
      title: 'Thinking by symbolic distance',
      x: 'distance',
      y: { key: 'spent', label: 'Tokens or steps' },
      facet: panels(settings),
      marks: marksBy('model', 'interval', 'line'),
    })
    return { tables: [distances, directionTable(frame, distances.id, 'thinking', systems)], figures: [curve] }
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
  const parts = new Map(partition(frame, [DISTANCE], rows).map(({ key, rows: own }) => [key[DISTANCE] ?? null, own]))
  return inOrder(parts.keys()).map((name) => ({ distance: level(name), rows: parts.get(name) as Int32Array }))
}

interface Measured {
  readonly key: Table['rows'][number]
  /** What is correlated with distance, by row. */
  readonly values: Float64Array
  readonly rows: Int32Array
}

/** The rank correlation of some values with distance, over contexts. */
const directionTable = (frame: Frame, of: string, what: string, systems: readonly Measured[]): Table =>
  tableOf(
    `${of}-direction`,
    `Rank correlation of ${what} with distance`,
    [setting, model, optional(text('unit', 'Unit'))],
    systems.flatMap(({ key, values, rows }) => {
      const { first, mean } = contextMeans(frame, values, rows)
      const found = spearman(take(frame.number(DISTANCE), first), mean)
      return found === null ? [] : [{ key, found }]
    }),
    [
      [number('n', 'Contexts'), ({ found }) => found.n],
      [estimate('correlation', 'Correlation', 'correlation'), ({ found }) => found.estimate],
      [number('p', 'p'), ({ found }) => found.p],
    ],
  )
