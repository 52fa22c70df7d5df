import { type Analysis, type Frame, figure, marksBy, table } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredShare,
  clustering,
  correctness,
  rowsWhere,
  scores,
  take,
} from '../../libraries/statistics/index.ts'
import { conditionsOf, count, estimate, model, share, text } from './conditions.ts'

/** Accuracy on contrast sets (`twins`): items of one draw with equal signature, one per answer. */
export const contrastSets: Analysis = {
  id: 'core/contrast-sets',
  title: 'Accuracy on contrast sets',
  question: 'accuracy',
  notes: [
    'Minimal pairs (twins) differ in the target and in nothing countable. A set is correct if all its items are. Chance: 1/m per item, m^-m per set.',
    'Sets with an API error, an empty index or a missing call are omitted. CIs are clustered by group.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'draw', 'sample', 'status', 'score'],
  run(frame) {
    const { conditions, columns } = conditionsOf(frame)
    const correct = correctness(scores(frame))
    const found = conditions
      .map((condition) => ({ ...condition, size: setSize(frame, condition.rows) }))
      .filter(({ size }) => size > 1)
    const rows = found.flatMap(({ name, systems, size }) =>
      systems.flatMap(({ key, rows: own }) =>
        setsOf(frame, correct, own, size).map((row) => ({
          ...key,
          ...(found.length > 1 ? { panel: name } : {}),
          ...row,
        })),
      ),
    )
    const made = table(
      'core/contrast-sets',
      'Accuracy on items and on whole contrast sets',
      [
        ...columns,
        model,
        text('of', 'Of'),
        count('size', 'Items per set'),
        count('sets', 'Sets'),
        count('omitted', 'Omitted'),
        estimate('accuracy', 'Accuracy'),
        share('chance', 'Chance'),
      ],
      rows,
    )
    const plot = figure(made, {
      x: 'accuracy',
      y: { key: 'model', scale: 'category' },
      facet: found.length > 1 ? 'panel' : undefined,
      marks: marksBy('of', 'interval', 'point'),
    })
    return { tables: [made], figures: [plot] }
  },
}

/** Items of the largest set, whichever model answered them; 1 where there are no contrast sets. */
function setSize(frame: Frame, rows: Int32Array): number {
  const [draws, items] = [frame.category('draw').codes, frame.category('item').codes]
  // A row without a draw was imported, and belongs to no set.
  const drawn = rowsWhere(rows, (row) => (draws[row] as number) >= 0)
  const first = clustering(take(items, drawn)).firsts.map((at) => draws[drawn[at] as number] as number)
  return clustering(first).sizes.reduce((most, size) => Math.max(most, size), 0)
}

/** A row of the items and one of the sets. Samples of a set are sets themselves, in the cluster of the set. */
function setsOf(frame: Frame, correct: Float64Array, rows: Int32Array, size: number) {
  const [draws, samples] = [frame.category('draw').codes, frame.number('sample')]
  const sets = [...Map.groupBy(rows, (row) => `${draws[row]} ${samples[row]}`).values()]
  const complete = sets.filter((set) => set.filter((row) => !Number.isNaN(correct[row])).length === size)
  const first = Int32Array.from(complete, (set) => set[0] as number)
  const whole = complete.map((set) => (set.every((row) => correct[row] === 1) ? 1 : 0))
  const clusters = clusterCodes(frame, firstOfDraw(draws, first), whole)
  const single = complete.flatMap((set) => [...take(correct, Int32Array.from(set))])
  const singleClusters = complete.flatMap((set, i) => set.map(() => clusters[i] as number))
  const common = { size, sets: complete.length, omitted: sets.length - complete.length }
  return [
    { of: 'items', ...common, accuracy: clusteredShare(single, singleClusters), chance: 1 / size },
    { of: 'whole sets', ...common, accuracy: clusteredShare(whole, clusters), chance: size ** -size },
  ]
}

/** For each row the first one of its draw, so that samples of a set share a cluster. */
function firstOfDraw(draws: ArrayLike<number>, rows: Int32Array): Int32Array {
  const firsts = new Map<number, number>()
  return rows.map((row) => {
    const draw = draws[row] as number
    const first = firsts.get(draw) ?? row
    firsts.set(draw, first)
    return first
  })
}
