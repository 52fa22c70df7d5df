import {
  type EmptyDraw,
  memoize,
  type RandomStreams,
  type Stream,
  sha256,
  streamFromKey,
  utf8,
} from '../../../../core/index.ts'
import type { EditKind } from '../../../../libraries/grammars/negatives/edit-negatives.ts'
import { legalStrings } from '../../../../libraries/grammars/negatives/legal-strings.ts'
import {
  bigramNegatives,
  editNegatives,
  type NegativeRosters,
  uniformNegatives,
} from '../../../../libraries/grammars/negatives/negatives.ts'
import { type NgramModel, ngramModel } from '../../../../libraries/grammars/negatives/ngram-model.ts'
import { strictlyLocalTest } from '../../../../libraries/grammars/negatives/strictly-local.ts'
import { printRelicGrammar } from '../../../../libraries/grammars/notation/relic.ts'
import type { Recognizer } from '../../../../libraries/grammars/recognise/recognizer.ts'
import type { Language } from '../../../../libraries/grammars/sample/language.ts'
import { attainableLengths } from '../../../../libraries/grammars/sample/lengths.ts'
import type { Config, NegativeKind } from '../config.ts'
import { upToRenaming } from './renaming.ts'

interface Negative {
  readonly tokens: Int32Array
  readonly kind: NegativeKind | 'legal'
}

/** The negatives of one length, none twice up to renaming: ordinal o takes the kinds in turn. */
type Negatives = (o: number) => Negative | EmptyDraw

/**
 * Maximum fruitless draws in a row, per string found plus 10. Where nearly every string is in the language most draws
 * fail, and each costs a parse or a pass over the chart.
 */
const PATIENCE = { bigram: 1, edit: 1, hard: 4, legal: 20 } as const

const everyEdit: readonly EditKind[] = ['substitute', 'insert', 'delete']

/** Sequences of the kinds that a config asks for (specs/relic 8.8: more than half of the published negatives fail a bigram test). */
export function sequencesByKind(
  config: Pick<Config, 'negatives' | 'maxEdits' | 'hardGrade' | 'twins'>,
  language: Language,
  recognizer: Recognizer,
): ReadonlyMap<Negative['kind'], NegativeRosters> {
  const { grammar } = language
  const accepts = (tokens: ArrayLike<number>): boolean => recognizer.accepts(tokens)
  const edited = (kinds: readonly EditKind[], grade: 1 | 2 | 3, patience: number): NegativeRosters => {
    const rules = { kinds, most: config.maxEdits, legality: strictlyLocalTest(grammar, grade) }
    return editNegatives(language, { ...rules, model: trigramModel(language) }, accepts, patience)
  }
  const make: { readonly [kind in Negative['kind']]: () => NegativeRosters } = {
    uniform: () => uniformNegatives(grammar.terminals.length, accepts),
    bigram: () =>
      bigramNegatives(
        legalStrings(strictlyLocalTest(grammar, 2), trigramModel(language).after),
        accepts,
        PATIENCE.bigram,
      ),
    edit: () => edited(everyEdit, 1, PATIENCE.edit),
    // Substitutions only, so that lengths match.
    hard: () => edited(['substitute'], config.hardGrade, PATIENCE.hard),
    legal: () => bigramNegatives(legalStrings(strictlyLocalTest(grammar, 2)), accepts, PATIENCE.legal),
  }
  return new Map(kindsOf(config).map((kind) => [kind, make[kind]()]))
}

/** Dense languages leave few strings out: there walks that are uniform over what is locally legal fill what is missing. */
export const kindsOf = (config: Pick<Config, 'negatives' | 'twins'>): readonly Negative['kind'][] =>
  config.twins === 'none' ? config.negatives : [...config.negatives, 'legal']

/** Strings from which a grammar's model is counted. */
const modelSample = 1500

/** A stream that the grammar alone decides. */
export const streamOf = (language: Language, purpose: string): Stream =>
  streamFromKey(sha256(utf8(`touchstone/${purpose}/1\n${printRelicGrammar(language.grammar)}`)))

/** Positives of all lengths alike, from a stream of the grammar's own. */
export const membersOf = memoize((language: Language): readonly Int32Array[] => {
  const { lengths, sampler } = language
  const stream = streamOf(language, 'local-model')
  const reached = attainableLengths(lengths)
  return Array.from({ length: modelSample }, (_, i) => sampler.sample(stream, reached[i % reached.length] as number))
})

/** Trigram statistics of a grammar's positives. */
export const trigramModel = memoize(
  (language: Language): NgramModel => ngramModel(membersOf(language), language.grammar.terminals.length),
)

/**
 * The negatives of one length, each kind from its own stream. Where a kind is exhausted, the next ones take its place,
 * and the kind is recorded. `keyOf` is equal for strings that differ only by renaming. The end is proved if it is
 * proved for every kind.
 */
export function negativesOf(
  kinds: readonly Negative['kind'][],
  rosters: ReadonlyMap<Negative['kind'], NegativeRosters>,
  length: number,
  streams: RandomStreams,
  keyOf: (tokens: Int32Array) => string,
): Negatives {
  const seen = new Set<string>()
  const sources = kinds.map((kind, i) => {
    const roster = (rosters.get(kind) as NegativeRosters)(length, streams.stream('negatives', i))
    return { kind, roster: upToRenaming(roster, keyOf, seen), taken: 0 }
  })
  const found: Negative[] = []

  function next(preferred: number): EmptyDraw | null {
    let proved = true
    for (let turn = 0; turn < sources.length; turn++) {
      const source = sources[(preferred + turn) % sources.length] as (typeof sources)[number]
      const listed = source.roster.at(source.taken)
      if (listed.kind === 'exhausted') {
        proved &&= listed.proved
        continue
      }
      source.taken++
      found.push({ tokens: listed.entry, kind: source.kind })
      return null
    }
    const all = kinds.join(' or ')
    const reason = proved
      ? `there are ${found.length} negatives of kind ${all} at length ${length}`
      : `drawing found no more than ${found.length} negatives of kind ${all} at length ${length}`
    return { kind: 'unreachable', proved, reason }
  }

  return (o) => {
    while (found.length <= o) {
      const end = next(found.length)
      if (end !== null) return end
    }
    return found[o] as Negative
  }
}
