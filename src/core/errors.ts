import { editDistance } from './edit-distance.ts'

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
    if (Math.abs(word.length - candidate.length) >= least) continue
    const distance = editDistance(word, candidate)
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
