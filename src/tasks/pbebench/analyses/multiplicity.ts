import { type Analysis, type Frame, table } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { median } from '../../../libraries/statistics/index.ts'
import { countReplacements, countShort, countSpare } from '../multiplicity.ts'
import { ordersTo, outcomes } from '../reorder/orders.ts'
import type { Examples } from '../types.ts'
import { at, distinct, mean, number, share } from './common.ts'

/** Most items whose short cascades are counted, and the highest cost of one: left sides x right sides, about 1.5 us each. */
const MAX_SEARCHED = 32
const MAX_COST = 600_000

interface Planted {
  readonly question: Examples
  readonly rules: readonly Rule[]
}

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
    const all = plantedIn(frame)
    const searchable = all.filter(({ question }) => costOf(question) <= MAX_COST)
    const every = Math.max(1, Math.ceil(searchable.length / MAX_SEARCHED))
    const searched = new Set(searchable.filter((_, i) => i % every === 0))
    const byLength = [...Map.groupBy(all, ({ rules }) => rules.length)].sort(([a], [b]) => a - b)
    const rows = byLength.map(([length, here]) => {
      const orders = here.flatMap(
        ({ question, rules }) => ordersTo(question.outputs, outcomes(question.inputs, rules)) ?? [],
      )
      const found = here.filter((item) => searched.has(item)).map(search)
      // The planted cascade is itself one of the short ones.
      const planted = length <= 2 ? 1 : 0
      return {
        length,
        items: here.length,
        counted: orders.length,
        orders: median(orders),
        oneOrder: mean(orders.map((count) => (count === 1 ? 1 : 0))),
        spare: mean(here.map(({ question, rules }) => (countSpare(question, rules) > 0 ? 1 : 0))),
        searched: found.length,
        oneRule: median(found.map(({ one }) => one)),
        twoRules: median(found.map(({ two }) => two)),
        replaced: median(found.map(({ replacements }) => replacements)),
        only: mean(found.map(({ one, two, replacements }) => (one + two - planted + replacements > 0 ? 0 : 1))),
      }
    })
    const counts = table(
      'pbebench/solutions',
      'Cascades that work',
      [
        number('length', 'Planted rules', 'rules'),
        number('items', 'Items'),
        number('counted', 'Orders counted', 'items'),
        number('orders', 'Orders that work, median'),
        share('oneOrder', 'Only the planted order'),
        share('spare', 'A spare rule'),
        number('searched', 'Searched', 'items'),
        number('oneRule', 'Cascades of one rule, median'),
        number('twoRules', 'Cascades of two rules, median'),
        number('replaced', 'One rule replaced, median'),
        share('only', 'No other found'),
      ],
      rows,
    )
    return { tables: [counts] }
  },
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
    const [length, classes, valid, unique, chance] = ['length', 'classes', 'validOrders', 'unique', 'chance'].map(
      (name) => frame.number(`feature_${name}`),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
    const known = (values: Float64Array, rows: readonly number[]) => at(values, rows).filter((x) => !Number.isNaN(x))
    const rows = distinct(length, length.keys()).map((rules) => {
      const here = [...length.keys()].filter((row) => length[row] === rules)
      return {
        length: rules,
        items: here.length,
        counted: known(valid, here).length,
        outputs: median(known(classes, here)),
        orders: median(known(valid, here)),
        unique: mean(at(unique, here)),
        chance: mean(at(chance, here)),
      }
    })
    const counts = table(
      'pbebench/orders',
      'Orders that work',
      [
        number('length', 'Rules', 'rules'),
        number('items', 'Items'),
        number('counted', 'Counted', 'items'),
        number('outputs', 'Outputs, median'),
        number('orders', 'Orders that work, median'),
        share('unique', 'Only one'),
        share('chance', 'Chance'),
      ],
      rows,
    )
    return { tables: [counts] }
  },
}

function plantedIn(frame: Frame): readonly Planted[] {
  const [given, answer] = [frame.category('given'), frame.category('answer')]
  return Array.from({ length: frame.length }, (_, row) => ({
    question: JSON.parse(given.levels[given.codes[row] as number] as string) as Examples,
    rules: JSON.parse(answer.levels[answer.codes[row] as number] as string) as readonly Rule[],
  }))
}

/** An upper bound of the distinct left sides, times right sides. */
function costOf({ inputs, limits: { letters, side } }: Examples): number {
  let rights = 0
  for (let n = 0; n <= side; n++) rights += letters.length ** n
  return inputs.join('').length * side * rights
}

function search({ question, rules }: Planted) {
  const replacements = rules.reduce((sum, _, place) => sum + countReplacements(question, rules, place), 0)
  return { ...countShort(question), replacements }
}
