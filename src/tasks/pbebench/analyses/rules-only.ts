import type { Analysis, Frame } from '../../../core/index.ts'
import { runCascade } from '../../../libraries/rewriting/index.ts'
import { fitRulesOnly, orderByRules, type SolvedExample } from '../reorder/baselines-rules-only.ts'
import { inOrder, type OrderAnswer, type Scrambled } from '../reorder/types.ts'
import { mean, number, share, text } from './common.ts'

/** Items that the learner is given; more would only take time. */
const MAX = 10_000

interface Item {
  readonly given: Scrambled
  readonly order: readonly number[]
  readonly unique: boolean
  readonly chance: number
}

/** What a learner makes of the rules alone: fitted on one half of the items, asked about the other, both ways. */
export const rulesOnly: Analysis = {
  id: 'pbebench/rules-only',
  title: 'What the rules alone tell',
  notes: [
    'A logistic model of which of two rules runs first, from their spelling, relations and the order shown; the words are unseen. Fitted on half of the items, asked about the others, and the other way round. "One order" is fitted and asked among items with one valid order only.',
    `Of at most ${MAX} items. Standard errors take chance as given: the gain of an item is its score minus its chance.`,
  ],
  needs: ['given', 'answer', 'feature_unique', 'feature_chance'],
  run(frame) {
    const items = itemsOf(frame)
    const rows = [
      ['all', items],
      ['one order', items.filter(({ unique }) => unique)],
    ] as const
    return {
      tables: [
        {
          id: 'pbebench/rules-only',
          title: 'A learner that sees the rules only',
          columns: [
            text('items', 'Items'),
            number('count', 'Number', 'items'),
            share('accuracy', 'Right'),
            share('chance', 'Chance'),
            share('gain', 'Gain'),
            share('standardError', 'Standard error of the gain'),
          ],
          rows: rows.filter(([, list]) => list.length >= 20).map(([name, list]) => ({ items: name, ...tried(list) })),
        },
      ],
    }
  },
}

function tried(items: readonly Item[]) {
  const solved = items.map(({ given: { rules }, order }): SolvedExample => ({ rules, order }))
  const fits = [0, 1].map((half) => fitRulesOnly(solved.filter((_, i) => i % 2 !== half)))
  const scores = items.map(({ given }, i) => {
    const order = orderByRules(given.rules, fits[i % 2] ?? [])
    const words = runCascade(given.inputs, inOrder(given.rules, order))
    return words.every((word, k) => word === given.outputs[k]) ? 1 : 0
  })
  const gains = items.map(({ chance }, i) => (scores[i] as number) - chance)
  const gain = mean(gains) as number
  const spread = gains.reduce((sum, one) => sum + (one - gain) ** 2, 0)
  return {
    count: items.length,
    accuracy: mean(scores),
    chance: mean(items.map(({ chance }) => chance)),
    gain,
    standardError: Math.sqrt(spread / Math.max(1, items.length - 1) / items.length),
  }
}

function itemsOf(frame: Frame): readonly Item[] {
  const [given, answer] = [frame.category('given'), frame.category('answer')]
  const [unique, chance] = [frame.number('feature_unique'), frame.number('feature_chance')]
  return Array.from({ length: Math.min(frame.length, MAX) }, (_, row) => ({
    given: JSON.parse(given.levels[given.codes[row] as number] as string) as Scrambled,
    order: (JSON.parse(answer.levels[answer.codes[row] as number] as string) as OrderAnswer).order,
    unique: unique[row] === 1,
    chance: chance[row] as number,
  })).filter((item) => !Number.isNaN(item.chance))
}
