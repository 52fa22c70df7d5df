import sentences from './data/flavour.json' with { type: 'json' }

/**
 * More than eighty ways to state each of four relations between {a} and {b}. Only that of parents has a direction: {a} is
 * a parent of {b}.
 */
export const flavour: { readonly [relation in 'friend' | 'class' | 'parent' | 'enemies']: readonly string[] } =
  sentences
