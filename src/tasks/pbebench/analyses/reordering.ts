import { type Analysis, figure, table } from '../../../core/index.ts'
import { factorial } from '../reorder/orders.ts'
import {
  at,
  byItem,
  conditionsOf,
  distinct,
  estimate,
  mean,
  model,
  number,
  numbers,
  overItems,
  PAPER,
  passes,
  scoredRows,
  share,
  total,
} from './common.ts'

/** Accuracy, on all items and on those with one valid order: Table 1; by length, because two rules have one answer. */
export const accuracy: Analysis = {
  id: 'pbebench/table1',
  title: 'Reordering accuracy',
  source: { paper: PAPER, item: 'Table 1' },
  notes: [
    'UAcc: items with one valid order. Published items never show a valid order, so with two rules a constant answer has 75 % UAcc; see 3 rules and more.',
    'Chance: an answer that ignores the outputs: 1 / distinct outputs; for planted targets the share of orders that work (baseline rules-only beats it).',
    'Only the first sample counts, as published.',
  ],
  needs: ['value', 'feature_length', 'feature_unique'],
  run(frame) {
    const pass = passes(frame)
    const [length, unique] = [frame.number('feature_length'), frame.number('feature_unique')]
    const chance = numbers(frame, 'feature_chance')
    const first = (rows: Int32Array) =>
      byItem(frame, rows)
        .map((list) => list[0] as number)
        .filter((row) => !Number.isNaN(pass[row] as number))
    const accuracyOf = (rows: readonly number[]) => overItems(at(pass, rows))
    const chanceOf = (rows: readonly number[]) => mean(at(chance, rows))
    const withOneOrder = (rows: readonly number[]) => rows.filter((row) => unique[row] === 1)
    const { systems, columns } = conditionsOf(frame)
    const overall = table(
      'pbebench/table1',
      'Accuracy by execution',
      [
        ...columns,
        model,
        number('items', 'Items'),
        estimate('accuracy', 'Acc'),
        share('chance', 'Chance'),
        estimate('uniqueAccuracy', 'UAcc'),
        share('uniqueChance', 'Chance, one valid order'),
        estimate('accuracyLonger', 'Acc, 3 rules and more'),
        estimate('uniqueAccuracyLonger', 'UAcc, 3 rules and more'),
      ],
      systems.map(({ key, rows }) => {
        const all = first(rows)
        const longer = all.filter((row) => (length[row] as number) > 2)
        return {
          ...key,
          items: all.length,
          accuracy: accuracyOf(all),
          chance: chanceOf(all),
          uniqueAccuracy: accuracyOf(withOneOrder(all)),
          uniqueChance: chanceOf(withOneOrder(all)),
          accuracyLonger: accuracyOf(longer),
          uniqueAccuracyLonger: accuracyOf(withOneOrder(longer)),
        }
      }),
    )
    const byLength = table(
      'pbebench/table1-by-length',
      'Accuracy by number of rules',
      [
        ...columns,
        model,
        number('length', 'Rules'),
        number('items', 'Items'),
        estimate('accuracy', 'Acc'),
        share('chance', 'Chance'),
      ],
      systems.flatMap(({ key, rows }) => {
        const all = first(rows)
        return distinct(length, all).map((rules) => {
          const here = all.filter((row) => length[row] === rules)
          return { ...key, length: rules, items: here.length, accuracy: accuracyOf(here), chance: chanceOf(here) }
        })
      }),
    )
    return { tables: [overall, byLength] }
  },
}

const PARTS = [
  ['constraints', 'States relations or precedences'],
  ['enumeration', 'Tries three orders or more'],
  ['neither', 'Neither'],
  ['counterNamed', 'Names counter-relations'],
  ['ordersShare', 'Share of all orders tried'],
] as const

/** How responses find an order, without a judge (F.9). */
export const strategies: Analysis = {
  id: 'pbebench/reordering-strategies',
  title: 'How responses find an order',
  source: { paper: PAPER, item: 'F.9' },
  notes: [
    '"Rule i feeds (bleeds) rule j" is checked against the released and the exact test, "i before j" against the final order of the response.',
  ],
  needs: ['value', 'feature_length', 'part_responseLength'],
  run(frame) {
    const pass = passes(frame)
    const length = frame.number('feature_length')
    const { systems, columns, panel } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) =>
      distinct(length, own).map((rules) => {
        const here = scoredRows(frame, own).filter((row) => length[row] === rules)
        const part = (name: string) => at(numbers(frame, `part_${name}`), here)
        const ratio = (top: string, bottom: string) =>
          total(part(bottom)) === 0 ? null : total(part(top)) / total(part(bottom))
        return {
          ...key,
          rules,
          orders: factorial(rules),
          responses: here.length,
          accuracy: mean(at(pass, here)),
          ...Object.fromEntries(PARTS.map(([name]) => [name, mean(part(name))])),
          truePaper: ratio('relationsTruePaper', 'relationsSaid'),
          trueExact: ratio('relationsTrueExact', 'relationsSaid'),
          kept: ratio('precedencesKept', 'precedencesSaid'),
          characters: mean(part('responseLength')),
        }
      }),
    )
    const made = table(
      'pbebench/reordering-strategies',
      'How responses find an order',
      [
        ...columns,
        model,
        number('rules', 'Rules'),
        number('orders', 'Possible orders'),
        number('responses', 'Responses'),
        share('accuracy', 'Accuracy'),
        ...PARTS.map(([name, label]) => share(name, label)),
        share('truePaper', 'Statements true (released test)'),
        share('trueExact', 'Statements true (exact)'),
        share('kept', 'Precedences that the answer keeps'),
        number('characters', 'Response length', 'characters'),
      ],
      rows,
    )
    const curve = figure(made, {
      title: 'Accuracy against the number of possible orders',
      x: { key: 'orders', scale: 'log' },
      y: 'accuracy',
      facet: panel,
      marks: [{ kind: 'line', series: 'model' }],
    })
    return { tables: [made], figures: [curve] }
  },
}
