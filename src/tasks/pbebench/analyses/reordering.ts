import type { Analysis } from '../../../core/index.ts'
import { scores } from '../../../libraries/statistics/index.ts'
import { factorial } from '../reorder/orders.ts'
import { partsOf } from './arms.ts'
import { byItem, estimate, mean, number, numbers, overItems, PAPER, passed, share, text } from './common.ts'

/** Accuracy, on all items and on those with one valid order: Table 1; by length, because two rules have one answer. */
export const accuracy: Analysis = {
  id: 'pbebench/table1',
  title: 'Reordering accuracy',
  source: { paper: PAPER, item: 'Table 1' },
  notes: [
    'UAcc is over items with exactly one valid order. In the published set an order is never shown that works, so with two rules the answer is always [1, 0] and a constant answer scores 75 % UAcc: rows without such items are given beside.',
    'Chance is what an answer scores that ignores the outputs: 1 / (number of distinct outputs that the rules can give), whatever it makes of the rules, the inputs and the order shown. Of planted targets it is the mean share of orders that work, which the rules alone can beat (baseline rules-only).',
    'Only the first sample counts, as published.',
  ],
  needs: ['value', 'feature_length', 'feature_unique'],
  run(frame) {
    const value = scores(frame)
    const [length, unique] = [frame.number('feature_length'), frame.number('feature_unique')]
    const first = (rows: Int32Array) =>
      byItem(frame, rows)
        .map((list) => list[0] as number)
        .filter((row) => !Number.isNaN(value[row] as number))
    const chance = numbers(frame, 'feature_chance')
    const chanceOf = (rows: readonly number[]) => mean(rows.map((row) => chance[row] as number))
    const over = (rows: readonly number[]) => overItems(rows.map((row) => passed(value[row] as number)))
    const { arms, columns } = partsOf(frame)
    const summary = arms.map(({ key, rows }) => {
      const all = first(rows)
      const longer = all.filter((row) => (length[row] as number) > 2)
      const one = (list: readonly number[]) => list.filter((row) => unique[row] === 1)
      return {
        ...key,
        items: all.length,
        accuracy: over(all),
        chance: chanceOf(all),
        uniqueAccuracy: over(one(all)),
        uniqueChance: chanceOf(one(all)),
        accuracyLonger: over(longer),
        uniqueAccuracyLonger: over(one(longer)),
      }
    })
    const lengths = arms.flatMap(({ key, rows }) => {
      const all = first(rows)
      return [...new Set(all.map((row) => length[row] as number))]
        .sort((a, b) => a - b)
        .map((at) => {
          const here = all.filter((row) => length[row] === at)
          return { ...key, length: at, items: here.length, accuracy: over(here), chance: chanceOf(here) }
        })
    })
    return {
      tables: [
        {
          id: 'pbebench/table1',
          title: 'Accuracy by execution',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('items', 'Items'),
            estimate('accuracy', 'Acc'),
            share('chance', 'Chance'),
            estimate('uniqueAccuracy', 'UAcc'),
            share('uniqueChance', 'Chance, one valid order'),
            estimate('accuracyLonger', 'Acc, 3 rules and more'),
            estimate('uniqueAccuracyLonger', 'UAcc, 3 rules and more'),
          ],
          rows: summary,
        },
        {
          id: 'pbebench/table1-by-length',
          title: 'Accuracy by number of rules',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('length', 'Rules'),
            number('items', 'Items'),
            estimate('accuracy', 'Acc'),
            share('chance', 'Chance'),
          ],
          rows: lengths,
        },
      ],
    }
  },
}

const PARTS = [
  ['constraints', 'States relations or precedences'],
  ['enumeration', 'Tries three orders or more'],
  ['neither', 'Neither'],
  ['counterNamed', 'Names counter-relations'],
  ['ordersShare', 'Share of all orders tried'],
] as const

/** How responses go about it, read without a judge (F.9). */
export const strategies: Analysis = {
  id: 'pbebench/reordering-strategies',
  title: 'How responses find an order',
  source: { paper: PAPER, item: 'F.9' },
  notes: [
    'A statement "rule i feeds (bleeds) rule j" is checked against the released and the exact test; a precedence "i before j" against the order that the response ends with.',
  ],
  needs: ['value', 'feature_length', 'part_responseLength'],
  run(frame) {
    const value = scores(frame)
    const length = frame.number('feature_length')
    const part = (name: string) => numbers(frame, `part_${name}`)
    const parts = Object.fromEntries(
      [
        ...PARTS.map(([name]) => name),
        'relationsSaid',
        'relationsTruePaper',
        'relationsTrueExact',
        'precedencesSaid',
        'precedencesKept',
        'responseLength',
      ].map((name) => [name, part(name)] as const),
    )
    const { arms, columns, facet } = partsOf(frame)
    const rows = arms.flatMap(({ key, rows: list }) =>
      [...new Set([...list].map((row) => length[row] as number))]
        .sort((a, b) => a - b)
        .map((at) => {
          const here = [...list].filter((row) => length[row] === at && !Number.isNaN(value[row] as number))
          const of = (name: string) => here.map((row) => parts[name]?.[row] as number)
          const sum = (name: string) => of(name).reduce((total, x) => total + (Number.isNaN(x) ? 0 : x), 0)
          const ratio = (top: string, bottom: string) => (sum(bottom) === 0 ? null : sum(top) / sum(bottom))
          return {
            ...key,
            rules: at,
            orders: factorial(at),
            responses: here.length,
            accuracy: mean(here.map((row) => passed(value[row] as number))),
            ...Object.fromEntries(PARTS.map(([name]) => [name, mean(of(name))])),
            truePaper: ratio('relationsTruePaper', 'relationsSaid'),
            trueExact: ratio('relationsTrueExact', 'relationsSaid'),
            kept: ratio('precedencesKept', 'precedencesSaid'),
            characters: mean(of('responseLength')),
          }
        }),
    )
    return {
      tables: [
        {
          id: 'pbebench/reordering-strategies',
          title: 'How responses find an order',
          columns: [
            ...columns,
            text('model', 'Model'),
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
        },
      ],
      figures: [
        {
          id: 'pbebench/reordering-strategies',
          title: 'Accuracy against the number of possible orders',
          table: 'pbebench/reordering-strategies',
          ...facet,
          x: { key: 'orders', label: 'Possible orders', scale: 'log' },
          y: { key: 'accuracy', label: 'Accuracy' },
          marks: [{ kind: 'line', x: 'orders', y: 'accuracy', series: 'model' }],
        },
      ],
    }
  },
}
