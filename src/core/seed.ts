import { UsageError } from './errors.ts'

const maxBytes = 1024

/**
 * A seed is text (docs/concepts.md#streams-and-seeds): a safe integer becomes its decimal text, so `--seed 42` and `seed: 42` are one seed;
 * a string is used as it is. Nothing is trimmed or normalised; what would have to be is an error.
 *
 * @throws UsageError
 */
export function seedText(seed: unknown): string {
  if (typeof seed === 'bigint') return String(seed)
  if (typeof seed === 'number') {
    if (!Number.isSafeInteger(seed)) throw new UsageError(`a numeric seed must be an integer below 2^53, got ${seed}`)
    return String(seed === 0 ? 0 : seed)
  }
  if (typeof seed !== 'string') throw new UsageError(`a seed is text or an integer, got ${typeof seed}`)
  if (seed === '') throw new UsageError('a seed must not be empty')
  if (!seed.isWellFormed()) throw new UsageError('a seed must be well-formed text, got a lone surrogate')
  if (seed.normalize('NFC') !== seed)
    throw new UsageError(`the seed ${JSON.stringify(seed)} is not in Unicode NFC form; write it precomposed`)
  if (new TextEncoder().encode(seed).length > maxBytes) throw new UsageError(`a seed is at most ${maxBytes} bytes long`)
  return seed
}

const namePattern = /^[a-z0-9][a-z0-9./-]{0,63}$/

/** Names of tasks, splits and stream labels. */
export function checkName(kind: string, name: string): string {
  if (!namePattern.test(name))
    throw new UsageError(
      `a ${kind} is 1 to 64 of a-z 0-9 . / - and begins with a letter or digit, got ${JSON.stringify(name)}`,
    )
  return name
}
