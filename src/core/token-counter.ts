import type { Family } from './define.ts'
import { UsageError } from './errors.ts'

/**
 * How many tokens a text has, as some model's tokenizer counts them. A plugin brings one; a config asks for it by
 * {@link counterId}, so that name and version are part of the config, its hash and the manifest.
 */
export interface TokenCounter {
  /** Lower-case letters, digits, dots and dashes. */
  readonly name: string
  /** Of the way of counting: whoever counts otherwise is another counter. Letters, digits, dots, dashes and low lines. */
  readonly version: string
  /** A whole number from 0. Pure: the same text has the same number on every machine. */
  count(text: string): number
}

/** What a config calls a counter: `name@version`. */
export const counterId = ({ name, version }: TokenCounter): string => `${name}@${version}`

/**
 * The families, their tasks able to count with these counters besides the built-in ones.
 * @throws UsageError for a name that cannot stand in a config, and for two counters of one name and version
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

/** The same counter, with an error for what is no count. */
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
