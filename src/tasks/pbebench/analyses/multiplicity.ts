import type { Analysis, Frame } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { median } from '../../../libraries/statistics/index.ts'
import { countReplacements, countShort, countSpare } from '../multiplicity.ts'
import { COUNTED_UP_TO, countOrders } from '../reorder/orders.ts'
import type { Examples } from '../types.ts'
import { mean, number, share } from './common.ts'

/** Items whose short cascades are counted, and what one may cost: left sides x right sides, about 1.5 us each. */
const SEARCHED = 32
const DEAREST = 600_000

interface Planted {
  readonly question: Examples
  readonly rules: readonly Rule[]
}

/** How many cascades answer an item of `induce`: what can be counted exactly of it. */
export const solutions: Analysis = {
  id: 'pbebench/solutions',
  title: 'How many cascades work',
  notes: [
    'Orders: of the planted rules, all orders that give the outputs, up to 12 rules. Spare: a planted rule can be left out. Both over all items.',
    `Searched: of at most ${SEARCHED} items, evenly spread, with few enough rules to try, every cascade of one and of two rules of the item's letters within the limits, and every other rule in the place of each planted one; each rule must change a word when it runs. Exact counts of texts: rules that differ in a letter no word ever keeps count apart.`,
    'Longer cascades that share no rule with the planted one are not counted: where the planted one has three rules or more, the counts are a lower bound.',
  ],
  needs: ['given', 'answer', 'feature_length'],
  run(frame) {
    const all = plantedOf(frame)
    const searchable = all.filter(({ question }) => costOf(question) <= DEAREST)
    const every = Math.max(1, Math.ceil(searchable.length / SEARCHED))
    const searched = new Set(searchable.filter((_, i) => i % every === 0))
    const lengths = [...new Set(all.map(({ rules }) => rules.length))].sort((a, b) => a - b)
    const rows = lengths.map((length) => {
      const here = all.filter(({ rules }) => rules.length === length)
      const orders = here.map(ordersOf).filter((count) => count !== null)
      const found = here.filter((item) => searched.has(item)).map(search)
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
        only: mean(found.map(({ one, two, replacements }) => (one + two - planted(length) + replacements > 0 ? 0 : 1))),
      }
    })
    return {
      tables: [
        {
          id: 'pbebench/solutions',
          title: 'Cascades that work',
          columns: [
            number('length', 'Planted rules', 'rules'),
            number('items', 'Items'),
            number('counted', 'Orders counted', 'items'),
            number('orders', 'Orders that work, median'),
            share('oneOrder', 'Only the planted order'),
            share('spare', 'A rule to spare'),
            number('searched', 'Searched', 'items'),
            number('oneRule', 'Cascades of one rule, median'),
            number('twoRules', 'Cascades of two rules, median'),
            number('replaced', 'One rule replaced, median'),
            share('only', 'No other found'),
          ],
          rows,
        },
      ],
    }
  },
}

/** How many orders answer an item of `reorder`. */
export const orders: Analysis = {
  id: 'pbebench/orders',
  title: 'How many orders work',
  notes: [
    'All orders of up to 12 rules, exactly; equal rules count as different. Outputs: how many different ones the orders give. Chance is what an answer scores that ignores the outputs: 1 / outputs on the mean; where the target is planted, the mean share of orders that work.',
  ],
  needs: ['feature_length', 'feature_classes', 'feature_validOrders', 'feature_unique', 'feature_chance'],
  run(frame) {
    const [length, classes, valid, unique, chance] = ['length', 'classes', 'validOrders', 'unique', 'chance'].map(
      (name) => frame.number(`feature_${name}`),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
    const rows = [...new Set(length)]
      .sort((a, b) => a - b)
      .map((at) => {
        const here = [...length.keys()].filter((row) => length[row] === at)
        const counted = here.map((row) => valid[row] as number).filter((count) => !Number.isNaN(count))
        return {
          length: at,
          items: here.length,
          counted: counted.length,
          outputs: median(here.map((row) => classes[row] as number).filter((count) => !Number.isNaN(count))),
          orders: median(counted),
          unique: mean(here.map((row) => unique[row] as number)),
          chance: mean(here.map((row) => chance[row] as number)),
        }
      })
    return {
      tables: [
        {
          id: 'pbebench/orders',
          title: 'Orders that work',
          columns: [
            number('length', 'Rules', 'rules'),
            number('items', 'Items'),
            number('counted', 'Counted', 'items'),
            number('outputs', 'Outputs, median'),
            number('orders', 'Orders that work, median'),
            share('unique', 'Only one'),
            share('chance', 'Chance'),
          ],
          rows,
        },
      ],
    }
  },
}

function plantedOf(frame: Frame): readonly Planted[] {
  const [given, answer] = [frame.category('given'), frame.category('answer')]
  return Array.from({ length: frame.length }, (_, row) => ({
    question: JSON.parse(given.levels[given.codes[row] as number] as string) as Examples,
    rules: JSON.parse(answer.levels[answer.codes[row] as number] as string) as readonly Rule[],
  }))
}

/** Distinct left sides, at most, times right sides. */
function costOf({ inputs, limits: { letters, side } }: Examples): number {
  let rights = 0
  for (let n = 0; n <= side; n++) rights += letters.length ** n
  return inputs.join('').length * side * rights
}

const ordersOf = ({ question: { inputs, outputs }, rules }: Planted): number | null =>
  rules.length > COUNTED_UP_TO ? null : countOrders(inputs, outputs, rules)

/** The planted cascade is one of the short ones itself. */
const planted = (length: number): number => (length <= 2 ? 1 : 0)

function search({ question, rules }: Planted) {
  const replacements = rules.reduce((sum, _, place) => sum + countReplacements(question, rules, place), 0)
  return { ...countShort(question), replacements }
}
