import {
  bucketsOfSplit,
  enc,
  LruCache,
  partitionBucket,
  type Stream,
  sha256,
  streamFromKey,
} from '../../../core/index.ts'
import {
  derivationalEntropy,
  PcfgError,
  type PrefixAutomaton,
  plainlyUnambiguous,
  plainReading,
  prefixAutomaton,
  reverseSecondHalf,
  tokensOf,
  wholeLanguage,
} from '../../../libraries/grammars/pcfg/index.ts'
import { type Language, languageOf, sampleText } from '../languages/compiled.ts'
import { fenceDomain, stringKey } from '../languages/make.ts'

/** A string of the language with its share of it. */
export interface Atom {
  readonly text: string
  readonly mass: number
  /** -ln P of the string and its end, and of the string's tokens alone. */
  readonly nats: number
  readonly open: number
}

interface Population {
  readonly atoms: readonly Atom[]
  /** H(L) in nats: exact for finite languages and where a string plainly has one derivation, else the mean over the atoms. */
  readonly entropy: number
}

/** Languages up to this size are enumerated with exact probabilities; larger ones are sampled. */
const maxListed = 5000
const sampleSize = 4096
const populations = new LruCache<Population, string>(16)

/** The strings of a small language, else a fixed sample of independent strings. */
export const populationOf = (grammar: string): Population =>
  populations.get(grammar, () => {
    const language = languageOf(grammar)
    const whole = wholeOf(language)
    const atoms =
      whole !== null && whole.support <= maxListed
        ? listed(language)
        : sampled(language, streamFromKey(sha256(enc('touchstone/proficiency/population/1', grammar))))
    return {
      atoms,
      entropy: whole?.entropy ?? exactEntropy(language) ?? atoms.reduce((sum, { mass, nats }) => sum + mass * nats, 0),
    }
  })

function wholeOf({ grammar }: Language): { readonly support: bigint; readonly entropy: number } | null {
  try {
    const whole = wholeLanguage(grammar)
    return whole.kind === 'finite' ? whole : null
  } catch (error) {
    if (error instanceof PcfgError) return null
    throw error
  }
}

const exactEntropy = ({ grammar }: Language): number | null =>
  plainlyUnambiguous(grammar) ? derivationalEntropy(grammar) : null

/** -ln P of a string of the language, with and without its end. */
export function costOf(language: Language, text: string): { readonly nats: number; readonly open: number } {
  const steps = language.conditionals(tokensOf(language.grammar, text) as number[])
  const open = steps.slice(0, -1).reduce((sum, p) => sum - Math.log(p), 0)
  return { nats: open - Math.log(steps.at(-1) as number), open }
}

function sampled(language: Language, stream: Stream): Atom[] {
  return Array.from({ length: sampleSize }, () => {
    const text = sampleText(language, stream)
    return { text, mass: 1 / sampleSize, ...costOf(language, text) }
  })
}

function listed(language: Language): Atom[] {
  const { grammar } = language
  const automaton = prefixAutomaton(plainReading(grammar))
  return [...walk(automaton, 0, [])].map((read) => {
    const tokens = grammar.reading === 'crossed' ? reverseSecondHalf(read) : read
    const text = tokens.map((token) => language.grammar.terminals[token] as string).join(' ')
    const cost = costOf(language, text)
    return { text, mass: Math.exp(-cost.nats), ...cost }
  })
}

/** Every string of a finite language; `prefix` is never shared with what is given out. */
function* walk(automaton: PrefixAutomaton, at: number, prefix: readonly number[]): Generator<readonly number[]> {
  const { end, next } = automaton.state(at)
  if (end > 0) yield prefix
  for (const [token, { to }] of next) yield* walk(automaton, to, [...prefix, token])
}

const splits = ['train', 'validation', 'test', 'custom'] as const

/** The split whose region holds a string. */
export function fenceSide(text: string): string {
  const region = partitionBucket(fenceDomain, stringKey(text))
  return splits.find((split) => bucketsOfSplit(split).includes(region)) ?? 'custom'
}

/** May a string stand in a split? Every string where nothing is fenced (`all`). */
export const sideAdmits = (side: string, text: string): boolean =>
  side === 'all' || bucketsOfSplit(side).includes(partitionBucket(fenceDomain, stringKey(text)))
