/**
 * An error made by the person at the keyboard (a wrong config, a missing file, a bad flag), told in their words:
 * what was expected, what came, what to do. `kind` instead of `instanceof`, so that it survives two copies of the package.
 */
export class UsageError extends Error {
  readonly kind = 'usage'
  override readonly name = 'UsageError'
}

export const isUsageError = (error: unknown): error is UsageError =>
  error instanceof Error && 'kind' in error && error.kind === 'usage'

/** The candidate closest to `word` by edit distance, if one is close enough to be a likely slip. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate, least)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** `nearest` as the end of a sentence: ` (did you mean "x"?)` or nothing. */
export function hint(word: string, candidates: readonly string[]): string {
  const best = nearest(word, candidates)
  return best === undefined ? '' : ` (did you mean "${best}"?)`
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same))
    }
    row = next
  }
  return row[b.length] as number
}
