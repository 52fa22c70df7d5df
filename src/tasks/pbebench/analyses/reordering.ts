import { type Analysis, type Cell, figure, tableOf } from '../../../core/index.ts'
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
  needs: ['score', 'feature_length', 'feature_unique'],
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
    const longer = (rows: readonly number[]) => rows.filter((row) => (length[row] as number) > 2)
    const { systems, columns } = conditionsOf(frame)
    const leading = [...columns, model]
    const sets = systems.map(({ key, rows }) => ({ key, all: first(rows) }))
    const overall = tableOf('pbebench/table1', 'Accuracy by execution', leading, sets, [
      [number('items', 'Items'), ({ all }) => all.length],
      [estimate('accuracy', 'Acc'), ({ all }) => accuracyOf(all)],
      [share('chance', 'Chance'), ({ all }) => chanceOf(all)],
      [estimate('uniqueAccuracy', 'UAcc'), ({ all }) => accuracyOf(withOneOrder(all))],
      [share('uniqueChance', 'Chance, one valid order'), ({ all }) => chanceOf(withOneOrder(all))],
      [estimate('accuracyLonger', 'Acc, 3 rules and more'), ({ all }) => accuracyOf(longer(all))],
      [estimate('uniqueAccuracyLonger', 'UAcc, 3 rules and more'), ({ all }) => accuracyOf(withOneOrder(longer(all)))],
    ])
    const split = sets.flatMap(({ key, all }) =>
      distinct(length, all).map((rules) => ({ key, rules, here: all.filter((row) => length[row] === rules) })),
    )
    const byLength = tableOf('pbebench/table1-by-length', 'Accuracy by number of rules', leading, split, [
      [number('length', 'Rules'), ({ rules }) => rules],
      [number('items', 'Items'), ({ here }) => here.length],
      [estimate('accuracy', 'Acc'), ({ here }) => accuracyOf(here)],
      [share('chance', 'Chance'), ({ here }) => chanceOf(here)],
    ])
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
  needs: ['score', 'feature_length', 'subscore_responseLength'],
  run(frame) {
    const pass = passes(frame)
    const length = frame.number('feature_length')
    const { systems, columns, panel } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) =>
      distinct(length, own).map((rules) => {
        const here = scoredRows(frame, own).filter((row) => length[row] === rules)
        return { key, rules, here, part: (name: string) => at(numbers(frame, `subscore_${name}`), here) }
      }),
    )
    type Here = (typeof rows)[number]
    const ratio =
      (top: string, bottom: string) =>
      ({ part }: Here) =>
        total(part(bottom)) === 0 ? null : total(part(top)) / total(part(bottom))
    const title = 'How responses find an order'
    const made = tableOf('pbebench/reordering-strategies', title, [...columns, model], rows, [
      [number('rules', 'Rules'), ({ rules }) => rules],
      [number('orders', 'Possible orders'), ({ rules }) => factorial(rules)],
      [number('responses', 'Responses'), ({ here }) => here.length],
      [share('accuracy', 'Accuracy'), ({ here }) => mean(at(pass, here))],
      ...PARTS.map(([name, label]): Cell<Here> => [share(name, label), ({ part }) => mean(part(name))]),
      [share('truePaper', 'Statements true (released test)'), ratio('relationsTruePaper', 'relationsSaid')],
      [share('trueExact', 'Statements true (exact)'), ratio('relationsTrueExact', 'relationsSaid')],
      [share('kept', 'Precedences that the answer keeps'), ratio('precedencesKept', 'precedencesSaid')],
      [number('characters', 'Response length', 'characters'), ({ part }) => mean(part('responseLength'))],
    ])
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
