import { type Pcfg, printPcfg, tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import { chaoShenEntropy, sampleCoverage } from '../../../libraries/statistics/index.ts'
import { type Language, languageOf } from '../languages/compiled.ts'

/** The divergence of a writer's distribution over strings from the language's, estimated from a sample. */
interface StringDivergence {
  /** Mean -ln P(s) of the written strings, nats: unbiased. */
  readonly cross: number
  /** Sample coverage of the writer's distribution (Good). */
  readonly seen: number
  /** KL(writer || language) in nats: `cross` less the writer's entropy (Chao and Shen); null where coverage is too low. */
  readonly kl: number | null
}

/** Lowest coverage at which the writer's entropy is estimated. */
const MIN_COVERAGE = 0.5

/**
 * All strings outside the language are one outcome of probability `impossible`, so that the divergence is finite.
 * `written`: strings as lists of tokens, at least one.
 */
export function stringDivergence(
  grammar: Pcfg,
  written: readonly (readonly string[])[],
  impossible: number,
): StringDivergence {
  const language = languageOf(printPcfg(grammar))
  const counts = new Map<string, number>()
  for (const tokens of written) {
    const text = tokens.join(' ')
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  let [total, outside] = [0, 0]
  const outcomes: number[] = []
  for (const [text, count] of counts) {
    const nats = surprisal(language, text)
    if (nats === null) outside += count
    else outcomes.push(count)
    total += count * (nats === null ? -Math.log(impossible) : nats - Math.log(1 - impossible))
  }
  if (outside > 0) outcomes.push(outside)
  const cross = total / written.length
  const seen = sampleCoverage(outcomes)
  return { cross, seen, kl: seen < MIN_COVERAGE ? null : cross - chaoShenEntropy(outcomes) }
}

/** -ln P(s) in nats, or null outside the language. */
function surprisal(language: Language, text: string): number | null {
  const tokens = tokensOf(language.grammar, text)
  if (tokens === null || tokens.length === 0) return null
  const steps = language.conditionals(tokens)
  if (steps.length <= tokens.length || steps.at(-1) === 0) return null
  return steps.reduce((sum, p) => sum - Math.log(p), 0)
}
