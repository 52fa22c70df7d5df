import { type Analysis, type Frame, type Json, tableOf } from '../../../core/index.ts'
import { type Rule, runCascade } from '../../../libraries/rewriting/index.ts'
import { median } from '../../../libraries/statistics/index.ts'
import { countReplacements, countShort, countSpare } from '../multiplicity.ts'
import { fitRulesOnly, orderByRules } from '../reorder/baselines-rules-only.ts'
import { ordersTo, outcomes } from '../reorder/orders.ts'
import { inOrder, type OrderAnswer, type Scrambled } from '../reorder/types.ts'
import type { Examples } from '../types.ts'
import { at, distinct, mean, number, share, text } from './common.ts'

/** Questions and answers of some items. */
function problemsIn<Given, Answer>(frame: Frame): readonly { readonly given: Given; readonly answer: Answer }[] {
  const parsed = (name: string) => {
    const { codes, levels } = frame.category(name)
    return (row: number): unknown => JSON.parse(levels[codes[row] as number] as string) as Json
  }
  const [given, answer] = [parsed('given'), parsed('answer')]
  return Array.from({ length: frame.length }, (_, row) => ({
    given: given(row) as Given,
    answer: answer(row) as Answer,
  }))
}

/** Most items whose short cascades are counted, and the highest cost of one: left sides x right sides, about 1.5 us each. */
const MAX_SEARCHED = 32
const MAX_COST = 600_000

/** How many cascades solve an item of `induce`, as far as it can be counted exactly. */
export const solutions: Analysis = {
  id: 'pbebench/solutions',
  title: 'How many cascades work',
  notes: [
    'Orders: orders of the planted rules that give the outputs, up to 12 rules. Spare: some planted rule can be omitted. Over all items.',
    `Searched: up to ${MAX_SEARCHED} items; all cascades of one and two rules, and every replacement of one planted rule. Each rule must change a word.`,
    'Rules that differ in a letter no word keeps count apart. From three planted rules on the counts are a lower bound.',
  ],
  needs: ['given', 'answer', 'feature_length'],
  run(frame) {
    const all = problemsIn<Examples, readonly Rule[]>(frame)
    const searchable = all.filter(({ given }) => costOf(given) <= MAX_COST)
    const every = Math.max(1, Math.ceil(searchable.length / MAX_SEARCHED))
    const searched = new Set(searchable.filter((_, i) => i % every === 0))
    const byLength = [...Map.groupBy(all, ({ answer }) => answer.length)].sort(([a], [b]) => a - b)
    const rows = byLength.map(([length, here]) => ({
      key: {},
      length,
      here,
      orders: here.flatMap(({ given, answer }) => ordersTo(given.outputs, outcomes(given.inputs, answer)) ?? []),
      found: here
        .filter((item) => searched.has(item))
        .map(({ given, answer }) => ({
          ...countShort(given),
          replaced: answer.reduce((sum, _, place) => sum + countReplacements(given, answer, place), 0),
          // The planted cascade is itself one of the short ones.
          planted: length <= 2 ? 1 : 0,
        })),
    }))
    const shareOf = (flags: readonly boolean[]) => mean(flags.map(Number))
    const counts = tableOf('pbebench/solutions', 'Cascades that work', [], rows, [
      [number('length', 'Planted rules', 'rules'), ({ length }) => length],
      [number('items', 'Items'), ({ here }) => here.length],
      [number('counted', 'Orders counted', 'items'), ({ orders }) => orders.length],
      [number('orders', 'Orders that work, median'), ({ orders }) => median(orders)],
      [share('oneOrder', 'Only the planted order'), ({ orders }) => shareOf(orders.map((count) => count === 1))],
      [
        share('spare', 'A spare rule'),
        ({ here }) => shareOf(here.map(({ given, answer }) => countSpare(given, answer) > 0)),
      ],
      [number('searched', 'Searched', 'items'), ({ found }) => found.length],
      [number('oneRule', 'Cascades of one rule, median'), ({ found }) => median(found.map(({ one }) => one))],
      [number('twoRules', 'Cascades of two rules, median'), ({ found }) => median(found.map(({ two }) => two))],
      [number('replaced', 'One rule replaced, median'), ({ found }) => median(found.map(({ replaced }) => replaced))],
      [
        share('only', 'No other found'),
        ({ found }) => shareOf(found.map(({ one, two, planted, replaced }) => one + two - planted + replaced <= 0)),
      ],
    ])
    return { tables: [counts] }
  },
}

/** An upper bound of the distinct left sides, times right sides. */
function costOf({ inputs, limits: { letters, side } }: Examples): number {
  let rights = 0
  for (let n = 0; n <= side; n++) rights += letters.length ** n
  return inputs.join('').length * side * rights
}

/** How many orders solve an item of `reorder`. */
export const orders: Analysis = {
  id: 'pbebench/orders',
  title: 'How many orders work',
  notes: [
    'All orders of up to 12 rules, exactly; equal rules count as different. Outputs: distinct outputs that the orders give.',
    'Chance: score of an answer that ignores the outputs: mean of 1 / outputs, for planted targets the mean share of orders that work.',
  ],
  needs: ['feature_length', 'feature_classes', 'feature_validOrders', 'feature_unique', 'feature_chance'],
  run(frame) {
    const length = frame.number('feature_length')
    const rows = distinct(length, length.keys()).map((rules) => {
      const here = [...length.keys()].filter((row) => length[row] === rules)
      return { key: {}, rules, here, of: (name: string) => at(frame.number(`feature_${name}`), here) }
    })
    const known = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value))
    const counts = tableOf('pbebench/orders', 'Orders that work', [], rows, [
      [number('length', 'Rules', 'rules'), ({ rules }) => rules],
      [number('items', 'Items'), ({ here }) => here.length],
      [number('counted', 'Counted', 'items'), ({ of }) => known(of('validOrders')).length],
      [number('outputs', 'Outputs, median'), ({ of }) => median(known(of('classes')))],
      [number('orders', 'Orders that work, median'), ({ of }) => median(known(of('validOrders')))],
      [share('unique', 'Only one'), ({ of }) => mean(of('unique'))],
      [share('chance', 'Chance'), ({ of }) => mean(of('chance'))],
    ])
    return { tables: [counts] }
  },
}

/** Most items for the learner; more would only take time. */
const MAX_ITEMS = 10_000
/** Fewest items of a row. */
const MIN_ITEMS = 20

interface Ordered {
  readonly given: Scrambled
  readonly order: readonly number[]
  readonly unique: boolean
  readonly chance: number
}

/** A learner that sees the rules only: fitted on one half of the items, tested on the other, both ways. */
export const rulesOnly: Analysis = {
  id: 'pbebench/rules-only',
  title: 'What the rules alone predict',
  notes: [
    'Logistic model of which of two rules runs first, from spelling, relations and shown order. Fitted on half of the items, tested on the others, both ways.',
    `"One order": among items with one valid order. At most ${MAX_ITEMS} items. Gain of an item: score − chance.`,
  ],
  needs: ['given', 'answer', 'feature_unique', 'feature_chance'],
  run(frame) {
    const [unique, chance] = [frame.number('feature_unique'), frame.number('feature_chance')]
    const items = problemsIn<Scrambled, OrderAnswer>(frame)
      .slice(0, MAX_ITEMS)
      .map(({ given, answer: { order } }, row) => ({
        given,
        order,
        unique: unique[row] === 1,
        chance: chance[row] as number,
      }))
      .filter((item) => !Number.isNaN(item.chance))
    const sets = [
      { name: 'all', list: items },
      { name: 'one order', list: items.filter((item) => item.unique) },
    ]
    const rows = sets.flatMap(({ name, list }) =>
      list.length < MIN_ITEMS ? [] : [{ key: {}, name, list, ...crossFit(list) }],
    )
    const learner = tableOf('pbebench/rules-only', 'A learner that sees the rules only', [], rows, [
      [text('items', 'Items'), ({ name }) => name],
      [number('count', 'Number', 'items'), ({ list }) => list.length],
      [share('accuracy', 'Accuracy'), ({ scores }) => mean(scores)],
      [share('chance', 'Chance'), ({ list }) => mean(list.map((item) => item.chance))],
      [share('gain', 'Gain'), ({ gain }) => gain],
      [share('standardError', 'Standard error of the gain'), ({ standardError }) => standardError],
    ])
    return { tables: [learner] }
  },
}

function crossFit(items: readonly Ordered[]) {
  const solved = items.map(({ given: { rules }, order }) => ({ rules, order }))
  const fits = [0, 1].map((half) => fitRulesOnly(solved.filter((_, i) => i % 2 !== half)))
  const scores = items.map(({ given }, i) => {
    const order = orderByRules(given.rules, fits[i % 2] ?? [])
    const words = runCascade(given.inputs, inOrder(given.rules, order))
    return words.every((word, k) => word === given.outputs[k]) ? 1 : 0
  })
  const gains = items.map(({ chance }, i) => (scores[i] as number) - chance)
  const gain = mean(gains) as number
  const spread = gains.reduce((sum, one) => sum + (one - gain) ** 2, 0)
  return { scores, gain, standardError: Math.sqrt(spread / Math.max(1, items.length - 1) / items.length) }
}
