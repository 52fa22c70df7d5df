import type { Family } from './define.ts'
import { UsageError } from './errors.ts'

/**
 * Counts the tokens of a text as some model's tokenizer does. Plugins provide counters; a config names one by `counterId`, so its
 * name and version are part of the config hash and the manifest.
 */
export interface TokenCounter {
  /** Lower-case letters, digits, dots and dashes. */
  readonly name: string
  /** Raise it when counts change. Letters, digits, dots, dashes and underscores. */
  readonly version: string
  /** A non-negative integer. Pure: the same on every machine. */
  count(text: string): number
}

/** A counter's name in a config: `name@version`. */
export const counterId = ({ name, version }: TokenCounter): string => `${name}@${version}`

/**
 * The families with additional token counters.
 * @throws UsageError for an invalid name or two counters with the same name and version
 * @example
 * ```ts
 * import { withTokenCounters } from '@touchstone-eval/touchstone/task'
 * import { families } from '@touchstone-eval/touchstone/tasks'
 *
 * const bytes = { name: 'bytes', version: '1', count: (text: string) => new TextEncoder().encode(text).length }
 * const tasks = withTokenCounters(families, [bytes]).flatMap((family) => family.tasks)
 * for (const task of tasks) console.log(task.name)
 * ```
 */
export function withTokenCounters(families: readonly Family[], counters: readonly TokenCounter[]): readonly Family[] {
  if (counters.length === 0) return families
  const ids = counters.map(counterId)
  for (const [i, id] of ids.entries()) {
    if (!/^[a-z0-9][a-z0-9.-]{0,63}@[\w.-]{1,64}$/.test(id))
      throw new UsageError(
        `a token counter needs a name of lower-case letters, digits, dots and dashes and a version, got "${id}"`,
      )
    if (ids.indexOf(id) !== i) throw new UsageError(`two token counters are called ${id}; give one another name`)
  }
  const checked = counters.map(wholeNumbers)
  return families.map((family) => family.withTokenCounters?.(checked) ?? family)
}

/** The counter, which throws if a count is not a non-negative integer. */
const wholeNumbers = (counter: TokenCounter): TokenCounter => ({
  name: counter.name,
  version: counter.version,
  count(text) {
    const tokens: unknown = counter.count(text)
    if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) return tokens
    throw new UsageError(
      `the token counter ${counterId(counter)} gave ${String(tokens)} for ${text.length} characters; it must give a whole number from 0`,
    )
  },
})
