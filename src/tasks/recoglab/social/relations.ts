import { flavour, impliedFlavour } from '../../../libraries/language/filler.ts'

interface Relation {
  /** {a} to {b} where it has a direction. */
  readonly plain: string
  /** Sentences from which the relation can be seen, and sentences that say it in many words. */
  readonly flavoured: readonly string[] | null
  readonly stating: readonly string[] | null
  readonly directed: boolean
  /** Ends "... only if they are stated above to ..." in the explanation. */
  readonly pair: string
  /** "from {one-way}": how it reads where messages follow the direction. */
  readonly oneWay?: string
}

/** Every relation, with its plain sentence, its flavoured ones if any, and how messages travel along it. */
export const relations = {
  friend: {
    plain: '{a} and {b} are friends.',
    flavoured: impliedFlavour.friend,
    stating: flavour.friend,
    directed: false,
    pair: 'be friends',
  },
  class: {
    plain: '{a} and {b} are in the same class.',
    flavoured: null,
    stating: flavour.class,
    directed: false,
    pair: 'share a class',
  },
  parent: {
    plain: '{a} is a parent of {b}.',
    flavoured: impliedFlavour.parent,
    stating: flavour.parent,
    directed: true,
    pair: 'be parent and child',
    oneWay: 'a parent to a child',
  },
  child: {
    plain: '{a} is a child of {b}.',
    flavoured: null,
    stating: null,
    directed: true,
    pair: 'be parent and child',
    oneWay: 'a child to a parent',
  },
  teacher: {
    plain: '{a} is a teacher of {b}.',
    flavoured: null,
    stating: null,
    directed: true,
    pair: 'be teacher and student',
    oneWay: 'a teacher to a student',
  },
  student: {
    plain: '{a} is a student of {b}.',
    flavoured: null,
    stating: null,
    directed: true,
    pair: 'be teacher and student',
    oneWay: 'a student to a teacher',
  },
  enemies: {
    plain: '{a} and {b} are enemies.',
    flavoured: impliedFlavour.enemies,
    stating: flavour.enemies,
    directed: false,
    pair: 'be enemies',
  },
  relative: {
    plain: '{a} and {b} are relatives.',
    flavoured: null,
    stating: null,
    directed: false,
    pair: 'be relatives',
  },
  knows: {
    plain: '{a} and {b} know each other.',
    flavoured: null,
    stating: null,
    directed: false,
    pair: 'know each other',
  },
  team: {
    plain: '{a} and {b} play on the same team.',
    flavoured: null,
    stating: null,
    directed: false,
    pair: 'play on the same team',
  },
  sibling: {
    plain: '{a} and {b} are siblings.',
    flavoured: impliedFlavour.sibling,
    stating: null,
    directed: false,
    pair: 'be siblings',
  },
  spouse: {
    plain: '{a} and {b} were once married.',
    flavoured: null,
    stating: null,
    directed: false,
    pair: 'have been married',
  },
} as const satisfies { readonly [name: string]: Relation }
export type RelationName = keyof typeof relations

/** The sentence patterns of a wording; one where the relation has none. */
export function patternsOf(
  name: RelationName,
  wording: 'plain' | 'flavoured' | 'flavoured-stating',
): readonly string[] {
  const { plain, flavoured, stating }: Relation = relations[name]
  return (wording === 'plain' ? null : wording === 'flavoured' ? flavoured : stating) ?? [plain]
}

/** How messages travel, to go with the statements. `implied`: they show the relation and do not say it. */
export function explanation(name: RelationName, oneWay: boolean, implied: boolean): string {
  const relation: Relation = relations[name]
  if (oneWay)
    return `A message can be handed over directly only from ${relation.oneWay}, as ${implied ? 'seen' : 'stated'} above, and never the other way.`
  return implied
    ? `A message can be handed over directly between two people only if the sentences above show them to ${relation.pair}.`
    : `A message can be handed over directly between two people only if they are stated above to ${relation.pair}.`
}
