import {
  between,
  type EmptyDraw,
  float,
  LruCache,
  memoize,
  type RandomStreams,
  type Stream,
} from '../../../../core/index.ts'
import {
  type LearnedSampler,
  type MatchedPairSampler,
  matchedPairSampler,
} from '../../../../libraries/grammars/negatives/matched-pairs.ts'
import type { Recognizer } from '../../../../libraries/grammars/recognise/recognizer.ts'
import { positiveRoster } from '../../../../libraries/grammars/sample/distinct-sequence.ts'
import { insideWeight, powerOfTwo } from '../../../../libraries/grammars/sample/inside.ts'
import type { Language } from '../../../../libraries/grammars/sample/language.ts'
import { attainableLengths, derivesLength } from '../../../../libraries/grammars/sample/lengths.ts'
import { stringWeight } from '../../../../libraries/grammars/sample/string-weight.ts'
import { canBePaired, isCrossed } from '../../grammars/crossed.ts'
import { bandsOf } from '../../grammars/dial.ts'
import type { Shared } from '../../grammars/grammar.ts'
import { languageOf, recognizerOf } from '../../grammars/languages.ts'
import { workOf } from '../../grammars/strings.ts'
import { localOf } from '../anonymized.ts'
import type { Config } from '../config.ts'
import { renamingKey } from '../grammars/canonical.ts'
import { kindsOf, membersOf, negativesOf, sequencesByKind, streamOf, trigramModel } from './negatives.ts'
import { pairsApart, pairsTogether, similarPairs } from './pairs.ts'
import { upToRenaming } from './renaming.ts'

/** A string, how it was made (null: an unpaired positive), and the n of equal n-gram counts with its pair. */
export interface Entry {
  readonly tokens: Int32Array
  readonly kind: string | null
  readonly order: number | null
}

/** The strings of one grammar and length, positives and negatives each without repeats up to renaming. */
export type LengthStrings = (label: boolean, o: number) => Entry | EmptyDraw

/** A positive and a negative that are used alike. */
export interface StringPair {
  readonly positive: Entry
  readonly negative: Entry
}

interface GrammarTools {
  readonly language: Language
  /** Computed on first use: rejected grammars need none. */
  readonly rosters: () => ReturnType<typeof sequencesByKind>
  readonly twins: LearnedSampler | null
  readonly byLength: Map<number, LengthStrings>
}

/** What all lengths of one grammar use; cached as long as the group's shared JSON lives. */
const toolsBySetting = memoize((_shared: Shared) => new Map<string, GrammarTools>())

function toolsOf(config: Config, shared: Shared): GrammarTools {
  const all = toolsBySetting(shared)
  const { minLength, maxLength, maxEdits, hardGrade, negatives, twins, twinOrders, lengths } = config
  const key = JSON.stringify([minLength, maxLength, maxEdits, hardGrade, negatives, twins, twinOrders, lengths])
  let tools = all.get(key)
  if (tools === undefined) {
    // Deletions start from sources that are longer than what they make.
    const own = languageOf(shared, maxLength + maxEdits)
    const recognizer = recognizerOf(shared)
    let rosters: ReturnType<typeof sequencesByKind> | undefined
    tools = {
      language: own,
      rosters: () => (rosters ??= sequencesByKind(config, own, recognizer)),
      twins:
        twins === 'none'
          ? null
          : learnPairs(
              config,
              own,
              recognizer,
              isCrossed(shared) ? (tokens) => canBePaired(shared, tokens) : undefined,
            ),
      byLength: new Map(),
    }
    all.set(key, tools)
  }
  return tools
}

/** Draws matched pairs of the grammar; null: no pairs required. */
export const pairSampler = (config: Config, shared: Shared): LearnedSampler | null => toolsOf(config, shared).twins

/** The strings of one length, or of one band of work. */
export type StringKind = { readonly length: number } | { readonly band: number }

/** The strings of a kind, with their own streams; both labels of an answer block see the same ones. */
export function stringsOf(config: Config, shared: Shared, kind: StringKind, streams: RandomStreams): LengthStrings {
  const tools = toolsOf(config, shared)
  const name = 'band' in kind ? -1 - kind.band : kind.length
  let strings = tools.byLength.get(name)
  if (strings === undefined) {
    strings =
      'band' in kind
        ? stringsOfBand(config, shared, tools, kind.band, streams)
        : makeStrings(config, shared, tools, kind.length, streams)
    tools.byLength.set(name, strings)
  }
  return strings
}

/** Pairs drawn for one of which both strings lie in a band of work. */
const TRIES = 30

function stringsOfBand(config: Config, shared: Shared, tools: GrammarTools, band: number, streams: RandomStreams) {
  const { form, workBands } = config.dial!
  const [low, high] = bandsOf({ workBands })[band] as readonly [number, number]
  const isInBand = (tokens: Int32Array): boolean => {
    const work = workOf(shared, tokens, form)
    return work >= low && work < high
  }
  const draw: MatchedPairSampler = (stream) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const pair = tools.twins!.draw(stream, between(stream, config.minLength, config.maxLength))
      if (pair !== null && isInBand(pair.member) && isInBand(pair.twin)) return pair
    }
    return null
  }
  const stream = streams.stream('twins')
  return pairsTogether({ draw, length: config.minLength, language: tools.language, stream, keyOf: renamingKey(shared) })
}

const rarelyReleased = (most: number, length: number): EmptyDraw => ({
  kind: 'unreachable',
  proved: false,
  reason: `drawn without regard to length, as released, no more than ${most} strings of length ${length} would come`,
})

function makeStrings(
  config: Config,
  shared: Shared,
  tools: GrammarTools,
  length: number,
  streams: RandomStreams,
): LengthStrings {
  const keyOf = renamingKey(shared)
  const single = (): LengthStrings => {
    const asReleased = config.lengths === 'released' ? amongDistinct(tools.language, length) : undefined
    const positives = upToRenaming(
      positiveRoster(tools.language, length, streams.stream('positives'), asReleased),
      keyOf,
    )
    const negatives = negativesOf(kindsOf(config), tools.rosters(), length, streams, keyOf)
    const most = config.lengths === 'released' ? expectedInRelease(tools.language, length) : Number.POSITIVE_INFINITY
    return (label, o) => {
      if (!label) {
        const negative = negatives(o)
        return 'reason' in negative ? negative : { ...negative, order: null }
      }
      if (o >= most && derivesLength(tools.language.lengths, 0, length)) return rarelyReleased(most, length)
      const listed = positives.at(o)
      if (listed.kind === 'entry') return { tokens: listed.entry, kind: null, order: null }
      const { count, proved } = listed
      const reason = `${proved ? 'the language has' : 'drawing found no more than'} ${count} strings of length ${length}, up to renaming`
      return { kind: 'unreachable', proved, reason }
    }
  }
  if (tools.twins === null) return single()
  const { draw } = tools.twins
  const twins = { draw, length, language: tools.language, stream: streams.stream('twins'), keyOf }
  if (config.twins === 'together') return pairsTogether(twins)
  return pairsApart(twins, (taken) =>
    similarPairs(single(), trigramModel(tools.language), localOf(shared), taken, keyOf),
  )
}

/**
 * Minimum share of members with a matched pair that is kept, below which the language is nearly strictly local. Short
 * strings seldom have one: where no string has more tokens than `ROOM`, the share is proportionally less.
 */
const MIN_SHARE = 0.12
const ROOM = 24

/** Pairs to learn from: more where strings of a pair can be compared. */
const LESSONS = { none: 0, apart: 1200, together: 4000 } as const

/**
 * Members counted beside those of the grammar's model. What few members show as never seen is partly rare and partly
 * impossible, and a reader of other members can tell the two apart.
 */
const MEMBERS = { none: 0, apart: 0, together: 6000 } as const

/**
 * Learns which pairs of a grammar to take, from members and a stream that only the grammar determines. Both strings of a pair are
 * `allowed`.
 */
function learnPairs(
  config: Pick<Config, 'minLength' | 'maxLength' | 'twins' | 'twinOrders'>,
  language: Language,
  recognizer: Recognizer,
  allowed: (tokens: Int32Array) => boolean = () => true,
): LearnedSampler {
  const lengths = attainableLengths(language.lengths).filter((n) => n >= config.minLength && n <= config.maxLength)
  const stream = streamOf(language, 'reader')
  const more = (): Int32Array[] =>
    Array.from({ length: MEMBERS[config.twins] }, (_, i) =>
      language.sampler.sample(stream, lengths[i % lengths.length] as number),
    )
  const sample = { lengths, members: () => [...membersOf(language), ...more()], lessons: streamOf(language, 'twins') }
  return matchedPairSampler(
    {
      terminals: language.grammar.terminals.length,
      sample(stream, length) {
        const tokens = language.sampler.sample(stream, length)
        return allowed(tokens) ? tokens : null
      },
      accepts: (tokens) => !allowed(tokens) || recognizer.accepts(tokens),
    },
    {
      ...config.twinOrders,
      share: MIN_SHARE * Math.min(1, config.maxLength / ROOM),
      lessons: LESSONS[config.twins],
      counted: COUNTED,
    },
    sample,
  )
}

/** What can differ between strings of a pair, whose counts of pairs of neighbours are equal. */
const COUNTED = { orders: [3, 5], apart: [2, 3, 4, 4, 6, 6, 6], periods: [] } as const

/** Number of derivations drawn per released grammar, over all lengths (10 strings x 50 lengths x 10 x 100). */
const DRAWS = 500_000

/**
 * Positives of a length expected in the release: draws times the probability of the length. Most draws are short, so
 * long lengths have few: 994 of 1,980 at length 50.
 */
function expectedInRelease({ inside }: Language, length: number): number {
  const exponent = inside.scale * length
  return exponent < -1022 ? 0 : Math.floor(DRAWS * insideWeight(inside, length) * powerOfTwo(Math.min(1023, exponent)))
}

/** From this number of expected draws of a string on it matters how often it was drawn. */
const RARE = 0.01
/** Strings that are drawn to see whether any is frequent. */
const LOOKED_AT = 12

/**
 * The release takes its strings evenly from the distinct ones among its draws. With p the probability of a string and N the draws of
 * its length, it is among them with probability 1 - (1 - p)^N: so is a draw from p that is taken with probability (1 - (1 - p)^N) / (N p).
 * undefined: hardly any string comes twice.
 */
function amongDistinct(language: Language, length: number) {
  const { inside, sampler, grammar, lengths } = language
  const draws = expectedInRelease(language, length)
  if (draws < 2 || !derivesLength(lengths, 0, length)) return undefined
  const weight = stringWeight(grammar, inside)
  const all = insideWeight(inside, length) * powerOfTwo(inside.scale * length)
  const known = new LruCache<number, string>(5000)
  const shareOf = (tokens: Int32Array): number =>
    known.get(tokens.join(' '), () => {
      const p = weight(tokens) / all
      return draws * p < RARE ? 1 : (1 - power(1 - p, draws)) / (draws * p)
    })
  const looks = streamOf(language, `release ${length}`)
  const isPlain = Array.from({ length: LOOKED_AT }, () => shareOf(sampler.sample(looks, length))).every((x) => x === 1)
  return isPlain ? undefined : (tokens: Int32Array, stream: Stream) => float(stream) < shareOf(tokens)
}

/** By multiplication alone, so that it has the same bits everywhere. */
function power(base: number, exponent: number): number {
  let [result, square] = [1, base]
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square
    square *= square
  }
  return result
}
