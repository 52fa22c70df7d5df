import type { z } from 'zod'
import { StoreError } from './errors.ts'

/**
 * What this program wrote down as JSON, in a ledger or a store, read again.
 *
 * @param what - what it says, for the message: `what the ledger says of ...`
 * @throws StoreError for what somebody else wrote.
 */
export function written<T>(schema: z.ZodType<T>, text: string, what: string): T {
  const value = jsonOf(text)
  // As it was written: no order of keys is changed.
  if (schema.safeParse(value).success) return value as T
  throw new StoreError('damaged', `${what} is not what this program writes: ${text.slice(0, 100)}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
