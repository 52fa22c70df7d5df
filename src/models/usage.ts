import type { TokenUsage } from './model.ts'

/** Maximum number of tokens of one call. */
export interface Bounds {
  readonly input: number
  /** null: unlimited. */
  readonly output: number | null
}

/** More tokens than any model reads or writes in one call. */
const BEYOND_ANY_CONTEXT = 100_000_000

/** The longest context and the longest response of any model, whatever a server was asked for, in tokens. */
const MAX_CONTEXT = 10_000_000
const MAX_ANSWER = 1_000_000

/** Reported counts, checked. */
export interface CheckedUsage {
  readonly usage: TokenUsage
  readonly refused: readonly string[]
  /**
   * Reported tokens of a call that exceeded its bounds but are possible: a server may ignore `maxTokens`, or add a prompt before ours.
   * null: none exceed them.
   */
  readonly above: { readonly inputTokens: number; readonly outputTokens: number } | null
}

/**
 * Checks the usage that a provider reports: counts that are negative, fractional or above the bounds of the call are refused. Without
 * bounds only counts that no call can have are.
 */
export function checkUsage(usage: TokenUsage, bounds: Bounds | null): CheckedUsage {
  const most: { readonly [name: string]: number | null | undefined } = {
    inputTokens: bounds?.input,
    cachedTokens: bounds?.input,
    outputTokens: bounds?.output,
    // Reasoning is part of the output. A server that counts it separately leaves open what it bills.
    reasoningTokens: Math.min(Math.max(0, usage.outputTokens ?? Infinity), bounds?.output ?? Infinity),
  }
  const kept: { [name: string]: number } = {}
  const refused: string[] = []
  for (const [name, count] of Object.entries(usage) as [string, number | undefined][]) {
    if (count === undefined) continue
    const limit =
      name === 'steps' ? Number.MAX_SAFE_INTEGER : Math.min(most[name] ?? BEYOND_ANY_CONTEXT, BEYOND_ANY_CONTEXT)
    if (Number.isSafeInteger(count) && count >= 0 && count <= limit) kept[name] = count
    else refused.push(`${name} ${count}, where a whole number from 0 to ${limit} can be`)
  }
  return { usage: kept, refused, above: aboveOf(usage, bounds) }
}

function aboveOf(usage: TokenUsage, bounds: Bounds | null): CheckedUsage['above'] {
  if (bounds === null) return null
  const input = claimed(usage.inputTokens, MAX_CONTEXT)
  const output = claimed(usage.outputTokens, MAX_ANSWER)
  const over = (count: number | null, bound: number | null): boolean =>
    count !== null && bound !== null && count > bound
  if (!over(input, bounds.input) && !over(output, bounds.output)) return null
  return { inputTokens: input ?? bounds.input, outputTokens: output ?? bounds.output ?? 0 }
}

/** A count that is possible for some model; else null. */
const claimed = (count: number | undefined, longest: number): number | null =>
  count !== undefined && Number.isSafeInteger(count) && count >= 0 && count <= longest ? count : null
