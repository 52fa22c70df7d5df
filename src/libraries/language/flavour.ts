import sentences from './data/flavour.json' with { type: 'json' }
import implied from './data/implied-flavour.json' with { type: 'json' }

/**
 * More than eighty ways to state each of four relations between {a} and {b}. Only that of parents has a direction: {a} is
 * a parent of {b}.
 */
export const flavour: { readonly [relation in 'friend' | 'class' | 'parent' | 'enemies']: readonly string[] } =
  sentences

/** Ways to let a relation be seen that do not say it. A parent is {a} here, too. */
export const impliedFlavour: { readonly [relation in 'friend' | 'parent' | 'sibling' | 'enemies']: readonly string[] } =
  implied
