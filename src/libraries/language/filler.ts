import { memoize } from '../../core/memo.ts'
import filler from './data/filler.json' with { type: 'json' }
import sentences from './data/flavour.json' with { type: 'json' }
import implied from './data/implied-flavour.json' with { type: 'json' }

export type EntityKind = 'person' | 'thing' | 'kind'

const composed = memoize(([first = [], second = [], third = []]: readonly (readonly string[])[]) =>
  first.flatMap((a) => second.flatMap((b) => third.map((c) => `${a} ${b} ${c}.`))),
)

/**
 * Irrelevant sentences: first those written one by one, then thousands composed of three parts, enough for 32,000 tokens
 * without a repetition. Prose says nothing about any entity, others are remarks about {a}. A thing is a whole noun phrase
 * ("the apple", "W9vKD") and never begins a sentence, so that none needs an article or a capital letter; a kind is plural.
 */
export const fillerOf = (kind: 'prose' | EntityKind): readonly (readonly string[])[] => [
  filler[kind],
  composed(filler.parts[kind]),
]

/**
 * More than eighty ways to state each of four relations between {a} and {b}. Only that of parents has a direction: {a} is
 * a parent of {b}.
 */
export const flavour: { readonly [relation in 'friend' | 'class' | 'parent' | 'enemies']: readonly string[] } =
  sentences

/** Sentences that imply a relation without naming it. A parent is {a}, here too. */
export const impliedFlavour: { readonly [relation in 'friend' | 'parent' | 'sibling' | 'enemies']: readonly string[] } =
  implied
