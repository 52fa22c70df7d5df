import { editDistance } from './edit-distance.ts'

/**
 * A mistake of the user (wrong config, missing file, bad flag). The message says what was expected, what was given and what to do.
 * Tested by `kind`, not `instanceof`, so that two copies of the package understand each other.
 *
 * @example
 * import { UsageError } from '@touchstone-eval/touchstone/task'
 *
 * throw new UsageError('expected 2 to 9 names, got 12: remove some')
 */
export class UsageError extends Error {
  readonly kind = 'usage'
  override readonly name = 'UsageError'
}

/**
 * True for an error that the user can correct; its message says how.
 *
 * @example
 * import { isUsageError, openLab } from '@touchstone-eval/touchstone'
 *
 * const lab = await openLab()
 * try {
 *   lab.task('family/tusk')
 * } catch (error) {
 *   if (!isUsageError(error)) throw error
 *   console.log(error.message) // and which task may have been meant
 * }
 */
export const isUsageError = (error: unknown): error is UsageError =>
  error instanceof Error && 'kind' in error && error.kind === 'usage'

/** The candidate closest to `word` by edit distance, if it is close enough to be a typo. */
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

/**
 * `nearest` as the end of a sentence: ` (did you mean "x"?)` or nothing.
 *
 * @example
 * import { hint } from '@touchstone-eval/touchstone/task'
 *
 * console.log(`no "lenght"${hint('lenght', ['length', 'depth'])}`) // no "lenght" (did you mean "length"?)
 */
export function hint(word: string, candidates: readonly string[]): string {
  const best = nearest(word, candidates)
  return best === undefined ? '' : ` (did you mean "${best}"?)`
}
