import type { TokenUsage } from './model.ts'
import { written } from './written.ts'

/** The most tokens a call can take and bring, in tokens. */
export interface Bounds {
  readonly input: number
  /** null: nothing limits it. */
  readonly output: number | null
}

/** More than any model reads or writes in one call: a count beyond it is no count. */
const BEYOND_ANY_CONTEXT = 100_000_000

/** What a server may have read or written against what it was asked: no context is longer, and no answer. */
const MAX_CONTEXT = 10_000_000
const MAX_ANSWER = 1_000_000

/** Counts that can be true, and in words those that cannot. */
export interface CheckedUsage {
  readonly usage: TokenUsage
  readonly refused: readonly string[]
  /**
   * The most that the call took by what the server says, in tokens, where that is above the bounds and yet a model can do
   * it: a server may not keep to `maxTokens`, or put a prompt of its own before ours. Null: nothing is said above them.
   */
  readonly above: { readonly inputTokens: number; readonly outputTokens: number } | null
}

/**
 * Sorts what a provider says a call used: counts that are no whole numbers, negative, or more than the call can have
 * taken are left out and told. Without bounds only what no call can take is refused.
 */
export function checkUsage(usage: TokenUsage, bounds: Bounds | null): CheckedUsage {
  const most: { readonly [name: string]: number | null | undefined } = {
    inputTokens: bounds?.input,
    cachedTokens: bounds?.input,
    outputTokens: bounds?.output,
    // Thoughts are a part of what was written: who counts them apart leaves it open what is billed.
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

/** A count that a model can have reached; null: it is none. */
const claimed = (count: number | undefined, longest: number): number | null =>
  count !== undefined && Number.isSafeInteger(count) && count >= 0 && count <= longest ? count : null

const COUNT = /^\s{0,4}\d{1,16}\s{0,4}$/u

/** Counts written as text ("12") become numbers, in every part of a body that is about usage; null where nothing changes. */
export function withPlainCounts(body: string): string | null {
  if (!/"usage/u.test(body)) return null
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  let changed = false
  const plain = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string' && COUNT.test(part)) {
      changed = true
      return Number(part)
    }
    if (typeof part !== 'object' || part === null || Array.isArray(part) || depth > 4) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, plain(inner, depth + 1)]))
  }
  const out = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key.startsWith('usage') ? plain(part, 0) : part]),
  )
  return changed ? written(out) : null
}
