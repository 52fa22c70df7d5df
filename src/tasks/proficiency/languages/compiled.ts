import { LruCache, type Stream } from '../../../core/index.ts'
import {
  accepts,
  aliveTokens,
  chartedConditionals,
  conditionals,
  crossedConditionals,
  derives,
  distanceToLanguage,
  lengthDistribution,
  MAX_STATES,
  type Pcfg,
  PcfgError,
  PrefixAutomaton,
  pairDistance,
  pairRules,
  parsePcfg,
  sampleDerivation,
  textOf,
  tokensOf,
  yieldOf,
} from '../../../libraries/grammars/pcfg/index.ts'

/** A grammar with what is worked out from it once. */
export interface Language {
  readonly grammar: Pcfg
  /** P(a string has n tokens) */
  lengthProbability(n: number): number
  accepts(tokens: readonly number[]): boolean
  /** P of each token and of the end (last) given those before it, up to the first impossible one (0). */
  conditionals(tokens: readonly number[]): readonly number[]
  /** Distance to the nearest string; null above `most`, `undefined` where the string has no automaton to search. */
  distance(tokens: readonly number[], most: number): number | null | undefined
  /** Tokens of the longest prefix that begins some string of the language. */
  alive(tokens: readonly number[]): number
}

export const sampleTokens = ({ grammar }: Pick<Language, 'grammar'>, stream: Stream): readonly number[] =>
  yieldOf(grammar, sampleDerivation(grammar, stream)) as readonly number[]

/** One string of the language, tokens joined by spaces. */
export const sampleText = (language: Pick<Language, 'grammar'>, stream: Stream): string =>
  textOf(language.grammar, sampleTokens(language, stream))

/** P of each token of a text and of the end; null: it is no string of the language. */
export function stepsOf(language: Language, text: string): readonly number[] | null {
  const tokens = tokensOf(language.grammar, text)
  if (tokens === null || tokens.length === 0) return null
  const steps = language.conditionals(tokens)
  return steps.length === tokens.length + 1 && (steps.at(-1) as number) > 0 ? steps : null
}

/** -ln P of a text with its end; null: it is no string of the language. */
export const natsOf = (language: Language, text: string): number | null =>
  stepsOf(language, text)?.reduce((sum, p) => sum - Math.log(p), 0) ?? null

const compiled = new LruCache<Language, string>(64)

/** The language of a grammar text; the last 64 are kept. */
export const languageOf = (text: string): Language => compiled.get(text, () => compileLanguage(parsePcfg(text)))

/**
 * By the prefix automaton where one exists (not for left recursion) below `limit` states, else by Earley's chart.
 * Cross-serial grammars have their own sums, and distances to a language of pairs need no automaton.
 */
export function compileLanguage(grammar: Pcfg, limit = MAX_STATES): Language {
  const lengthProbability = lengthProbabilities(grammar)
  if (grammar.reading === 'crossed') return { grammar, lengthProbability, ...crossed(grammar) }
  let automaton = orElse(
    () => new PrefixAutomaton(grammar, limit),
    () => null,
  )
  /** A full automaton restarts: results must not depend on earlier strings. */
  function walk<T>(over: (automaton: PrefixAutomaton) => T, otherwise: () => T): T {
    const known = automaton
    if (known === null) return otherwise()
    return orElse(
      () => over(known),
      () => {
        automaton = new PrefixAutomaton(grammar, limit)
        const fresh = automaton
        return orElse(() => over(fresh), otherwise)
      },
    )
  }
  /** Chart and automaton agree, so the first string too large for an automaton decides for all. */
  let charted = false
  const read = <T>(over: (automaton: PrefixAutomaton) => T, chart: () => T): T =>
    charted
      ? chart()
      : walk(over, () => {
          charted = true
          return chart()
        })
  return {
    grammar,
    lengthProbability,
    accepts: (tokens) =>
      read(
        (a) => accepts(a, tokens),
        () => derives(grammar, tokens),
      ),
    conditionals: (tokens) =>
      read<readonly number[]>(
        (a) => conditionals(a, tokens),
        () => chartedConditionals(grammar, tokens),
      ),
    distance: (tokens, most) => {
      if (pairRules(grammar) !== null) return pairDistance(grammar, tokens, most)
      return walk<number | null | undefined>(
        (a) => distanceToLanguage(a, tokens, most),
        () => undefined,
      )
    },
    alive: (tokens) => aliveTokens(grammar, tokens),
  }
}

function crossed(grammar: Pcfg): Pick<Language, 'accepts' | 'conditionals' | 'distance' | 'alive'> {
  return {
    accepts: (tokens) => {
      const steps = crossedConditionals(grammar, tokens)
      return steps.length === tokens.length + 1 && (steps.at(-1) as number) > 0
    },
    conditionals: (tokens) => crossedConditionals(grammar, tokens),
    distance: (tokens, most) => pairDistance(grammar, tokens, most),
    alive: (tokens) => crossedConditionals(grammar, tokens).findIndex((p, i) => p === 0 || i === tokens.length),
  }
}

/** P(length = n) by n, from a table that is at least doubled where it ends too early. */
function lengthProbabilities(grammar: Pcfg): (n: number) => number {
  let most = 32
  let table: readonly number[] | null = null
  return (n) => {
    if (table === null || n > most) {
      if (n > most) most = Math.max(n, 2 * most)
      table = lengthDistribution(grammar, most).probability
    }
    return table[n] ?? 0
  }
}

function orElse<T, U>(quick: () => T, otherwise: () => U): T | U {
  try {
    return quick()
  } catch (error) {
    if (error instanceof PcfgError && (error.fault === 'too-large' || error.fault === 'unsupported')) return otherwise()
    throw error
  }
}
