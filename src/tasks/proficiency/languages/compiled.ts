import {
  accepts,
  conditionals,
  distanceToLanguage,
  EarleyReader,
  earleyAccepts,
  earleyConditionals,
  lengthDistribution,
  type Pcfg,
  PcfgError,
  type PrefixAutomaton,
  parsePcfg,
  prefixAutomaton,
} from '../../../formal/pcfg/index.ts'

/** A grammar with what is worked out from it once. */
export interface Language {
  readonly grammar: Pcfg
  /** P(length = n) */
  readonly lengths: readonly number[]
  accepts(tokens: readonly number[]): boolean
  /** P of each token and of the end (last) given those before it, up to the first impossible one (0). */
  conditionals(tokens: readonly number[]): readonly number[]
  /** Distance to the nearest string; null above `most`, `undefined` where the language has no automaton to search. */
  distance(tokens: readonly number[], most: number): number | null | undefined
  /** How many tokens can be read before no string of the language goes on so. */
  alive(tokens: readonly number[]): number
}

const kept = 64
const compiled = new Map<string, Language>()

/** The language of a grammar text; the last 64 are kept. */
export function languageOf(text: string): Language {
  let found = compiled.get(text)
  if (found === undefined) {
    found = compile(parsePcfg(text))
    const oldest = compiled.keys().next().value
    if (compiled.size === kept && oldest !== undefined) compiled.delete(oldest)
    compiled.set(text, found)
  }
  return found
}

/** By the prefix automaton where there is one (not for left recursion) and it stays small; by Earley's chart otherwise. */
function compile(grammar: Pcfg): Language {
  let automaton: PrefixAutomaton | null = orChart(
    () => prefixAutomaton(grammar),
    () => null,
  )
  const either = <T>(quick: (automaton: PrefixAutomaton) => T, chart: () => T): T => {
    const known = automaton
    if (known === null) return chart()
    return orChart(
      () => quick(known),
      () => {
        automaton = null
        return chart()
      },
    )
  }
  return {
    grammar,
    lengths: lengthDistribution(grammar).probability,
    accepts: (tokens) =>
      either(
        (a) => accepts(a, tokens),
        () => earleyAccepts(grammar, tokens),
      ),
    conditionals: (tokens) =>
      either<readonly number[]>(
        (a) => conditionals(a, tokens),
        () => earleyConditionals(grammar, tokens),
      ),
    distance: (tokens, most) =>
      either<number | null | undefined>(
        (a) => distanceToLanguage(a, tokens, most),
        () => undefined,
      ),
    alive: (tokens) => {
      const reader = new EarleyReader(grammar)
      for (const token of tokens) if (!reader.read(token)) break
      return reader.length
    },
  }
}

function orChart<T>(quick: () => T, chart: () => T): T {
  try {
    return quick()
  } catch (error) {
    if (error instanceof PcfgError && (error.fault === 'too-large' || error.fault === 'unsupported')) return chart()
    throw error
  }
}
