import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'

/** Relations of two people: twenty words with gender, of which wife and husband are never an answer. */
export const kins = [
  'parent',
  'child',
  'sibling',
  'spouse',
  'grandparent',
  'grandchild',
  'uncle',
  'nephew',
  'parentInLaw',
  'childInLaw',
] as const
export type Kin = (typeof kins)[number]
export type Gender = 'f' | 'm'

/** The relation in the other direction. */
export const inverse: { readonly [kin in Kin]: Kin } = {
  parent: 'child',
  child: 'parent',
  sibling: 'sibling',
  spouse: 'spouse',
  grandparent: 'grandchild',
  grandchild: 'grandparent',
  uncle: 'nephew',
  nephew: 'uncle',
  parentInLaw: 'childInLaw',
  childInLaw: 'parentInLaw',
}

/** Generations between the first and the second person. */
export const rise: { readonly [kin in Kin]: number } = {
  parent: 1,
  child: -1,
  sibling: 0,
  spouse: 0,
  grandparent: 2,
  grandchild: -2,
  uncle: 1,
  nephew: -1,
  parentInLaw: 1,
  childInLaw: -1,
}

const words: { readonly [kin in Kin]: readonly [f: string, m: string] } = {
  parent: ['mother', 'father'],
  child: ['daughter', 'son'],
  sibling: ['sister', 'brother'],
  spouse: ['wife', 'husband'],
  grandparent: ['grandmother', 'grandfather'],
  grandchild: ['granddaughter', 'grandson'],
  uncle: ['aunt', 'uncle'],
  nephew: ['niece', 'nephew'],
  parentInLaw: ['mother-in-law', 'father-in-law'],
  childInLaw: ['daughter-in-law', 'son-in-law'],
}

export const wordOf = (kin: Kin, gender: Gender): string => words[kin][gender === 'f' ? 0 : 1]

const byWord = new Map(
  kins.flatMap((kin) =>
    (['f', 'm'] as const).map((gender): [string, { readonly kin: Kin; readonly gender: Gender }] => [
      wordOf(kin, gender),
      { kin, gender },
    ]),
  ),
)

/** Kin and gender of a word; undefined where it is none of the twenty. */
export const kinOf = (word: string) => byWord.get(word)

/** The eighteen answers, in alphabetical order. */
export const relations: readonly string[] = [...byWord.keys()]
  .filter((word) => word !== 'wife' && word !== 'husband')
  .sort()

/** `who` is the `word` of `of`; people by number. */
export type Fact = readonly [who: number, word: string, of: number]

/** Families of a generated story, and answers that they leave open. */
export const FAMILIES = 3

/** A generated question. */
export type Facts = {
  readonly kind: 'facts'
  /** In alphabetical order, so the order carries no information. */
  readonly people: readonly string[]
  /** Family by family, along the chains. */
  readonly facts: readonly Fact[]
  /** How is the first one related to the second? */
  readonly asked: readonly [who: number, of: number]
  /** What the sentences about the two leave open, in alphabetical order. */
  readonly options: readonly string[]
}

/** A published question: its text, and the chain in its file (not in the prompt). */
export type Story = {
  readonly kind: 'story'
  readonly story: string
  readonly asked: readonly [who: string, of: string]
  /** The words from the first person to the second; null: missing in the file. */
  readonly chain: readonly string[] | null
}

export type Given = Facts | Story

export type Shared = {
  readonly order: 'random' | 'along'
  /** Words that seed the shuffles and sentences, so that a prompt is a function of the question. */
  readonly view: readonly number[]
}

export interface Question {
  readonly shared: Shared
  readonly given: Given
}

/** One of {@link relations}; the literal text under the published parser. */
export type Answer = string

/** Families of a story: where there is one, every relation is open. */
export const familiesOf = ({ options }: Facts): number => (options.length === FAMILIES ? FAMILIES : 1)

export const choices = ({ given }: Question): readonly string[] => (given.kind === 'facts' ? given.options : relations)

/** The names of a story as 32 hex digits: the key of the split partition. */
export const partitionKey = (names: readonly string[]): string =>
  sha256Hex(canonicalJson([...names].sort())).slice(0, 32)
