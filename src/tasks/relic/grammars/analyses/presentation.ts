import { type Analysis, column, figure, marksBy, table } from '../../../../core/index.ts'
import { clusteredMeanEstimate, holm, mcnemarOf } from '../../../../libraries/statistics/index.ts'
import { arm, armsOf, NEEDS } from './asked.ts'

const { text, number, estimate } = column

/** The same items with other names, orders and notations. */
export const presentation: Analysis = {
  id: 'relic/presentation',
  title: 'The same items presented differently',
  question: 'comparison',
  notes: [
    'Difference in accuracy to the first style on the items that both show, its interval over grammars. McNemar: exact, over items; Holm: over all contrasts of the table.',
  ],
  needs: [...NEEDS, 'style'],
  run(frame) {
    const { codes, levels } = frame.category('style')
    const contrasts = armsOf(frame).flatMap(({ asked, ...key }) => {
      const [base, ...others] = levels.map(
        (_, code) => new Map(asked.filter(({ row }) => codes[row] === code).map((one) => [one.item, one])),
      )
      return others.flatMap((other, k) => {
        const pairs = [...other.values()].flatMap((one) => {
          const first = base!.get(one.item)
          return first === undefined ? [] : [{ one, first }]
        })
        const difference = clusteredMeanEstimate(
          pairs.map(({ one, first }) => one.right - first.right),
          Int32Array.from(pairs, ({ one }) => one.group),
        )
        const { onlyA, onlyB, exact } = mcnemarOf(
          pairs.map(({ one }) => one.right),
          pairs.map(({ first }) => first.right),
        )
        const style = levels[k + 1] as string
        return pairs.length === 0
          ? []
          : [{ ...key, style, base: levels[0] as string, n: pairs.length, difference, onlyA, onlyB, exact }]
      })
    })
    const adjusted = holm(contrasts.map(({ exact }) => exact))
    const found = table(
      'relic/presentation',
      'Styles on the same items',
      [
        ...arm,
        text('style', 'Style'),
        text('base', 'Compared with'),
        number('n', 'Items'),
        estimate('difference', 'Difference'),
        number('onlyA', 'Only this style right'),
        number('onlyB', 'Only the other right'),
        number('exact', 'p (McNemar)'),
        number('holm', 'p (Holm)'),
      ],
      contrasts.map((one, k) => ({ ...one, holm: adjusted[k] as number })),
    )
    return {
      tables: [found],
      figures: [
        figure(found, {
          x: { key: 'style', scale: 'category' },
          y: 'difference',
          facet: 'task',
          marks: marksBy('model', 'interval', 'point'),
        }),
      ],
    }
  },
}
