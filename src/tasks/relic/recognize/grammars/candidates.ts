import {
  between,
  canonicalConfig,
  LruCache,
  pick,
  type RandomStreams,
  type Stream,
  streamFromKey,
  unhex,
} from '../../../../core/index.ts'
import { type Cnf, indexRules } from '../../../../libraries/grammars/grammar/cnf.ts'
import { drawParameter, rawGrammar } from '../../../../libraries/grammars/grammar/random-grammar.ts'
import { trim } from '../../../../libraries/grammars/grammar/trim.ts'
import { printRelicGrammar } from '../../../../libraries/grammars/notation/relic.ts'
import { compileRecognizer } from '../../../../libraries/grammars/recognise/recognizer.ts'
import { attainableLengths, lengthTable } from '../../../../libraries/grammars/sample/lengths.ts'
import type { Shared } from '../../grammars/grammar.ts'
import type { Config } from '../config.ts'
import { grammarKey } from './canonical.ts'

/** A candidate grammar that fits the config, with the 128-bit key it grows from. */
export interface Candidate {
  readonly key: string
  readonly grammar: Cnf
  /** Equal for grammars alike up to renaming. */
  readonly canonical: string
}

/** 32 hex digits from a stream. */
const drawKey = (stream: Stream): string =>
  Array.from({ length: 4 }, () => stream.u32().toString(16).padStart(8, '0')).join('')

/** The trimmed random grammar of a key, or null where its language is empty. */
export function grammarOf(config: Config, key: string): Cnf | null {
  const stream = streamFromKey(unhex(key))
  const size = {
    terminals: drawParameter(stream, config.terminals),
    nonterminals: drawParameter(stream, config.nonterminals),
    lexical: drawParameter(stream, config.lexical),
    binary: drawParameter(stream, config.binary),
  }
  return trim(rawGrammar(stream, size))
}

type Lengths = Pick<Config, 'minLength' | 'maxLength'>

/** Share of the config's lengths at which the grammar has at least one string. */
export const coverageOf = (grammar: Cnf, lengths: Lengths): number =>
  shareOf(reachedBy(grammar, lengths.maxLength), lengths)

const reachedBy = (grammar: Cnf, maxLength: number): readonly number[] =>
  attainableLengths(lengthTable(indexRules(grammar), maxLength))

const shareOf = (reached: readonly number[], { minLength, maxLength }: Lengths): number =>
  reached.filter((n) => n >= minLength).length / (maxLength - minLength + 1)

/**
 * Is the language trivial? As published: it holds all of 20 uniform random strings of random lengths. Everywhere: or all
 * of 12 at a quarter, at half or at the whole of the greatest length, where it would have no negatives to speak of.
 */
export function isTrivial(grammar: Cnf, config: Pick<Config, 'maxLength' | 'trivial'>, stream: Stream): boolean {
  const recognizer = compileRecognizer(grammar)
  const tokens = grammar.terminals.map((_, t) => t)
  const holdsAll = (count: number, lengthOf: () => number): boolean => {
    for (let i = 0; i < count; i++)
      if (!recognizer.accepts(Array.from({ length: lengthOf() }, () => pick(stream, tokens)))) return false
    return true
  }
  if (holdsAll(20, () => between(stream, 1, config.maxLength))) return true
  if (config.trivial === 'published') return false
  return [4, 2, 1].some((part) => holdsAll(12, () => Math.max(1, Math.floor(config.maxLength / part))))
}

/** Facts that decide whether a grammar is a candidate, computed on first use. */
interface GrammarProfile {
  readonly reached: readonly number[]
  canonical?: string
  trivial?: boolean
}

/**
 * Profiles of the latest grammars, null: empty language. Configs that differ elsewhere try the same grammars, and
 * sampling a grammar again is cheaper than profiling it.
 */
const looksOf = new LruCache<LruCache<GrammarProfile | null, string>, string>(4)

/** Those that all configs share which would see the same. */
function knownTo({ terminals, nonterminals, lexical, binary, maxLength, trivial }: Config) {
  const view = canonicalConfig({ terminals, nonterminals, lexical, binary, maxLength, trivial })
  return looksOf.get(view, () => new LruCache(32_768))
}

/** How many random grammars are tried for one that fits, before giving up. */
const tries = 20000

/** Grammars that fit the config and lie in the split's partition bucket, each from a key that the stream draws. */
export function* candidates(
  config: Config,
  stream: Stream,
  draws: Pick<RandomStreams, 'inSplit'>,
): Generator<Candidate> {
  const known = knownTo(config)
  for (let failed = 0; failed < tries; failed++) {
    const key = drawKey(stream)
    let grown: Cnf | null = null
    const grammar = (): Cnf => {
      grown ??= grammarOf(config, key) as Cnf
      return grown
    }
    const profile = known.get(key, () => {
      grown = grammarOf(config, key)
      return grown === null ? null : { reached: reachedBy(grown, config.maxLength) }
    })
    if (profile === null || shareOf(profile.reached, config) < config.coverage) continue
    profile.canonical ??= grammarKey(grammar())
    if (!draws.inSplit(profile.canonical)) continue
    profile.trivial ??= isTrivial(grammar(), config, streamFromKey(unhex(key)))
    if (profile.trivial) continue
    failed = 0
    yield { key, grammar: grammar(), canonical: profile.canonical }
  }
}

export const noCandidate =
  `none of ${tries} random grammars of these sizes has strings at enough lengths and lies in the split: ` +
  'take more binary and lexical rules, fewer nonterminals, or a lower coverage'

export const sharedOf = (grammar: Cnf): Shared => ({ grammar: printRelicGrammar(grammar) })
