import type { Analysis, Estimate, Frame } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredShare,
  clustering,
  correctness,
  rowsWhere,
  scores,
  take,
} from '../../libraries/statistics/index.ts'
import { blocks, byModel, count, estimate, share, text } from './columns.ts'

/** Accuracy on sets of twins: items of one draw and equal signature, one for each answer. */
export const twinSets: Analysis = {
  id: 'core/twin-sets',
  title: 'Accuracy on whole sets of twins',
  notes: [
    'Twins are items of one draw that differ in what decides the answer and in nothing that can be counted; a set has one for each answer. It is right where all of its items are.',
    'Chance is that of drawing one of the set’s answers for each of its m items: 1 / m of the items, m to the power -m of the sets. Who gives one answer to all items of a set has 1 / m of the items and no set.',
    'Both accuracies are over the same sets, those of which every item was asked and read or counted as wrong. Left out: sets of which an item failed, is a hole, or was not asked.',
    'Intervals treat sets of one group as one cluster, and items of one set.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'draw', 'sample', 'state', 'value'],
  run(frame) {
    const { blocks: parts, columns } = blocks(frame)
    const right = correctness(scores(frame))
    const found = parts.flatMap((part) => {
      const size = setSize(frame, part.rows)
      return size < 2 ? [] : [{ part, size }]
    })
    if (found.length === 0) return { tables: [] }
    const rows = found.flatMap(({ part, size }) =>
      byModel(frame, [part]).flatMap(({ key, rows: mine }) => {
        const panel = found.length > 1 ? { panel: Object.values(part.key).join(', ') } : {}
        return measured(frame, right, mine, size).map((row) => ({ ...key, ...panel, ...row }))
      }),
    )
    const id = 'core/twin-sets'
    const table = {
      id,
      title: 'Accuracy on single items and on whole sets of twins',
      columns: [
        ...columns,
        text('model', 'Model'),
        text('of', 'Of'),
        count('size', 'Items a set'),
        count('sets', 'Sets'),
        count('left', 'Left out'),
        estimate('accuracy', 'Accuracy'),
        share('chance', 'Chance'),
      ],
      rows,
    }
    const figure = {
      id,
      title: 'Accuracy on single items and on whole sets of twins',
      table: id,
      x: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
      y: { key: 'model', label: 'Model', scale: 'category' },
      ...(found.length > 1 ? { facet: 'panel' } : {}),
      marks: [
        { kind: 'interval', series: 'of' },
        { kind: 'point', series: 'of' },
      ],
    } as const
    return { tables: [table], figures: [figure] }
  },
}

/** Items of the largest set, whoever was asked them: 1 where there are no twins. */
function setSize(frame: Frame, rows: Int32Array): number {
  const [draws, items] = [frame.category('draw').codes, frame.category('item').codes]
  // A row without a draw was not made here, and has no twin.
  const drawn = rowsWhere(rows, (row) => (draws[row] as number) >= 0)
  const first = clustering(take(items, drawn)).firsts.map((at) => draws[drawn[at] as number] as number)
  return clustering(first).sizes.reduce((most, size) => Math.max(most, size), 0)
}

interface Measured {
  readonly of: 'items' | 'whole sets'
  readonly size: number
  readonly sets: number
  readonly left: number
  readonly accuracy: Estimate | null
  readonly chance: number
}

/** A model's two rows. Samples of a set are sets of their own, in the cluster of the set. */
function measured(frame: Frame, right: Float64Array, rows: Int32Array, size: number): readonly Measured[] {
  const [draws, samples] = [frame.category('draw').codes, frame.number('sample')]
  const sets = [...Map.groupBy(rows, (row) => `${draws[row]} ${samples[row]}`).values()]
  const whole = sets.filter((set) => set.filter((row) => !Number.isNaN(right[row])).length === size)
  const first = Int32Array.from(whole, (set) => set[0] as number)
  const codes = clusterCodes(frame, firstOfDraw(draws, first))
  const all = whole.map((set) => (set.every((row) => right[row] === 1) ? 1 : 0))
  const single = whole.flatMap((set) => [...take(right, Int32Array.from(set))])
  const singleCodes = whole.flatMap((set, i) => set.map(() => codes[i] as number))
  const common = { size, sets: whole.length, left: sets.length - whole.length }
  return [
    { of: 'items', ...common, accuracy: clusteredShare(single, singleCodes), chance: 1 / size },
    { of: 'whole sets', ...common, accuracy: clusteredShare(all, codes), chance: size ** -size },
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
