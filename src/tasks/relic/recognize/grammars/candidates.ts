import { between, pick, type RandomStreams, type Stream, streamFromKey, unhex } from '../../../../core/index.ts'
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

/** Share of the config's lengths at which the grammar has at least one string. */
export function coverageOf(grammar: Cnf, { minLength, maxLength }: Pick<Config, 'minLength' | 'maxLength'>): number {
  const reached = attainableLengths(lengthTable(indexRules(grammar), maxLength))
  return reached.filter((n) => n >= minLength).length / (maxLength - minLength + 1)
}

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

/** How many random grammars are tried for one that fits, before giving up. */
const tries = 20000

/** Grammars that fit the config and lie in the split's partition bucket, each from a key that the stream draws. */
export function* candidates(
  config: Config,
  stream: Stream,
  draws: Pick<RandomStreams, 'inSplit'>,
): Generator<Candidate> {
  for (let failed = 0; failed < tries; failed++) {
    const key = drawKey(stream)
    const grammar = grammarOf(config, key)
    if (grammar === null || coverageOf(grammar, config) < config.coverage) continue
    const canonical = grammarKey(grammar)
    if (!draws.inSplit(canonical) || isTrivial(grammar, config, streamFromKey(unhex(key)))) continue
    failed = 0
    yield { key, grammar, canonical }
  }
}

export const noCandidate =
  `none of ${tries} random grammars of these sizes has strings at enough lengths and lies in the split: ` +
  'take more binary and lexical rules, fewer nonterminals, or a lower coverage'

export const sharedOf = (grammar: Cnf): Shared => ({ grammar: printRelicGrammar(grammar) })
