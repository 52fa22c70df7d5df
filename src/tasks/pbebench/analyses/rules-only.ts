import { type Analysis, type Frame, table } from '../../../core/index.ts'
import { runCascade } from '../../../libraries/rewriting/index.ts'
import { fitRulesOnly, orderByRules, type SolvedExample } from '../reorder/baselines-rules-only.ts'
import { inOrder, type OrderAnswer, type Scrambled } from '../reorder/types.ts'
import { mean, number, share, text } from './common.ts'

/** Most items for the learner; more would only take time. */
const MAX_ITEMS = 10_000
/** Fewest items of a row. */
const MIN_ITEMS = 20

interface Item {
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
    const items = itemsIn(frame)
    const sets = [
      ['all', items],
      ['one order', items.filter(({ unique }) => unique)],
    ] as const
    const learner = table(
      'pbebench/rules-only',
      'A learner that sees the rules only',
      [
        text('items', 'Items'),
        number('count', 'Number', 'items'),
        share('accuracy', 'Accuracy'),
        share('chance', 'Chance'),
        share('gain', 'Gain'),
        share('standardError', 'Standard error of the gain'),
      ],
      sets.flatMap(([name, list]) => (list.length < MIN_ITEMS ? [] : [{ items: name, ...crossFit(list) }])),
    )
    return { tables: [learner] }
  },
}

function crossFit(items: readonly Item[]) {
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

function itemsIn(frame: Frame): readonly Item[] {
  const [given, answer] = [frame.category('given'), frame.category('answer')]
  const [unique, chance] = [frame.number('feature_unique'), frame.number('feature_chance')]
  return Array.from({ length: Math.min(frame.length, MAX_ITEMS) }, (_, row) => ({
    given: JSON.parse(given.levels[given.codes[row] as number] as string) as Scrambled,
    order: (JSON.parse(answer.levels[answer.codes[row] as number] as string) as OrderAnswer).order,
    unique: unique[row] === 1,
    chance: chance[row] as number,
  })).filter((item) => !Number.isNaN(item.chance))
}
