import filler from './data/filler.json' with { type: 'json' }
import sentences from './data/flavour.json' with { type: 'json' }
import implied from './data/implied-flavour.json' with { type: 'json' }

export type EntityKind = 'person' | 'thing' | 'kind'

/** Prose without content about any entity. */
export const proseFiller: readonly string[] = filler.prose

/**
 * Irrelevant remarks about {a}. A thing is a whole noun phrase ("the apple", "W9vKD") and never
 * begins a sentence, so that none needs an article or a capital letter; a kind is plural.
 */
export const entityFiller: { readonly [kind in EntityKind]: readonly string[] } = filler

/**
 * More than eighty ways to state each of four relations between {a} and {b}. Only that of parents has a direction: {a} is
 * a parent of {b}.
 */
export const flavour: { readonly [relation in 'friend' | 'class' | 'parent' | 'enemies']: readonly string[] } =
  sentences

/** Sentences that imply a relation without naming it. A parent is {a}, here too. */
export const impliedFlavour: { readonly [relation in 'friend' | 'parent' | 'sibling' | 'enemies']: readonly string[] } =
  implied
