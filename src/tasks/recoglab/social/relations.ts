import { flavour, impliedFlavour } from '../../../libraries/language/filler.ts'

interface Relation {
  /** {a} to {b} where it has a direction. */
  readonly plain: string
  /** Ends "... only if they are stated above to ..." in the explanation. */
  readonly pair: string
  /** Sentences from which the relation can be seen, and sentences that say it in many words. */
  readonly flavoured?: readonly string[]
  readonly stating?: readonly string[]
  /** "from {one-way}": how it reads where messages follow the direction. Default: it has none. */
  readonly oneWay?: string
}

/** Every relation, with its plain sentence, its flavoured ones if any, and how messages travel along it. */
const table = {
  friend: {
    plain: '{a} and {b} are friends.',
    pair: 'be friends',
    flavoured: impliedFlavour.friend,
    stating: flavour.friend,
  },
  class: { plain: '{a} and {b} are in the same class.', pair: 'share a class', stating: flavour.class },
  parent: {
    plain: '{a} is a parent of {b}.',
    pair: 'be parent and child',
    flavoured: impliedFlavour.parent,
    stating: flavour.parent,
    oneWay: 'a parent to a child',
  },
  child: { plain: '{a} is a child of {b}.', pair: 'be parent and child', oneWay: 'a child to a parent' },
  teacher: { plain: '{a} is a teacher of {b}.', pair: 'be teacher and student', oneWay: 'a teacher to a student' },
  student: { plain: '{a} is a student of {b}.', pair: 'be teacher and student', oneWay: 'a student to a teacher' },
  enemies: {
    plain: '{a} and {b} are enemies.',
    pair: 'be enemies',
    flavoured: impliedFlavour.enemies,
    stating: flavour.enemies,
  },
  relative: { plain: '{a} and {b} are relatives.', pair: 'be relatives' },
  knows: { plain: '{a} and {b} know each other.', pair: 'know each other' },
  team: { plain: '{a} and {b} play on the same team.', pair: 'play on the same team' },
  sibling: { plain: '{a} and {b} are siblings.', pair: 'be siblings', flavoured: impliedFlavour.sibling },
  spouse: { plain: '{a} and {b} were once married.', pair: 'have been married' },
} as const satisfies { readonly [name: string]: Relation }
export type RelationName = keyof typeof table
export const relations: { readonly [name in RelationName]: Relation } = table

export const isDirected = (name: RelationName): boolean => relations[name].oneWay !== undefined

/** The sentence patterns of a wording; one where the relation has none. */
export function patternsOf(
  name: RelationName,
  wording: 'plain' | 'flavoured' | 'flavoured-stating',
): readonly string[] {
  const { plain, flavoured, stating } = relations[name]
  return (wording === 'plain' ? undefined : wording === 'flavoured' ? flavoured : stating) ?? [plain]
}

/** How messages travel, to go with the statements. `implied`: they show the relation and do not say it. */
export function explanation(name: RelationName, oneWay: boolean, implied: boolean): string {
  const relation = relations[name]
  if (oneWay)
    return `A message can be handed over directly only from ${relation.oneWay}, as ${implied ? 'seen' : 'stated'} above, and never the other way.`
  return implied
    ? `A message can be handed over directly between two people only if the sentences above show them to ${relation.pair}.`
    : `A message can be handed over directly between two people only if they are stated above to ${relation.pair}.`
}
