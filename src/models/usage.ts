import type { TokenUsage } from './model.ts'

/** The most tokens a call can take and bring, in tokens. */
export interface Bounds {
  readonly input: number
  /** null: nothing limits it. */
  readonly output: number | null
}

/** More than any model reads or writes in one call: a count beyond it is no count. */
const BEYOND_ANY_CONTEXT = 100_000_000

/** Counts that can be true, and in words those that cannot. */
export interface CheckedUsage {
  readonly usage: TokenUsage
  readonly refused: readonly string[]
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
    reasoningTokens: bounds?.output,
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
  return { usage: kept, refused }
}

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
  return changed ? JSON.stringify(out) : null
}
