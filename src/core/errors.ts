import { editDistance } from './edit-distance.ts'

/**
 * An error made by the person at the keyboard (a wrong config, a missing file, a bad flag), told in their words:
 * what was expected, what came, what to do. `kind` instead of `instanceof`, so that it survives two copies of the package.
 *
 * @example
 * import { UsageError } from '@touchstone-eval/touchstone/task'
 *
 * throw new UsageError('expected 2 to 9 names, got 12: leave some out')
 */
export class UsageError extends Error {
  readonly kind = 'usage'
  override readonly name = 'UsageError'
}

/**
 * Was it the person who asked that made the mistake? Its message says what to ask instead.
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
