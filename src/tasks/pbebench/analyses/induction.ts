import { type Analysis, type Frame, table } from '../../../core/index.ts'
import { clusteredMeanEstimate } from '../../../libraries/statistics/index.ts'
import { byItem, conditionsOf, estimate, mean, model, number, numbers, overItems } from './common.ts'

/** Do rules hold beyond the words that they were made for? */
export const induction: Analysis = {
  id: 'pbebench/induction',
  title: 'Words shown and held-out words',
  notes: [
    'Shown: share right of the words shown that change. Held out: the same of words that are not shown. Near misses: held-out words that the rules must leave alone.',
    'Gap: shown − held out, item by item. Rules that hold have none; rules that patch single words, or that the examples do not determine, have a large one.',
    'Over parsed responses with held-out words; every sample counts; CIs are over items.',
  ],
  needs: ['item', 'model', 'part_gap'],
  run(frame) {
    const { systems, columns } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      const [extensional, intensional, specificity, gap] = ['extensional', 'intensional', 'specificity', 'gap'].map(
        (part) => itemMeans(frame, own, part),
      ) as [number[], number[], number[], number[]]
      return gap.length === 0
        ? []
        : [
            {
              ...key,
              items: gap.length,
              extensional: overItems(extensional),
              intensional: overItems(intensional),
              gap: clusteredMeanEstimate(gap, [...gap.keys()]) ?? (gap[0] as number),
              specificity: overItems(specificity),
            },
          ]
    })
    const found = table(
      'pbebench/induction',
      'Words shown and held-out words',
      [
        ...columns,
        model,
        number('items', 'Items'),
        estimate('extensional', 'Shown'),
        estimate('intensional', 'Held out'),
        estimate('gap', 'Gap'),
        estimate('specificity', 'Near misses'),
      ],
      rows,
    )
    return { tables: [found] }
  },
}

/** The mean of a subscore over the samples of each item that has it. */
const itemMeans = (frame: Frame, rows: Int32Array, part: string): number[] => {
  const values = numbers(frame, `part_${part}`)
  return byItem(frame, rows).flatMap((list) => mean(list.map((row) => values[row] as number)) ?? [])
}
