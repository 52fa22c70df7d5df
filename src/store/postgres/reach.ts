import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../core/index.ts'
import { isStoreError, StoreError } from '../errors.ts'

/** Between two tries, in ms: doubling from the first to the last; some forty seconds in all, less than a lease. */
const FIRST_MS = 100
const LAST_MS = 5000
const TRIES = 14

/** Codes of the client, the system and the server that say: this time it could not be, and nothing is wrong with it. */
const PASSING = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  '40001',
  '40P01',
  '53300',
  '57P01',
  '57P02',
  '57P03',
])

/** The tables of a run go with it. */
const UNDEFINED_TABLE = '42P01'

const isPassing = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && (PASSING.has(code) || code.startsWith('08'))
}

/** It stayed away through all tries: what else is to be written at the end of the work is tried once, until something succeeds. */
let away = false

/**
 * Does what can be done twice to the same effect, again and again while the database cannot be reached.
 *
 * @param work - is told how often it was tried before.
 * @throws StoreError where the database stays away, or says no.
 */
export async function reach<T>(work: (before: number) => PromiseLike<T>): Promise<T> {
  for (let tried = 0; ; tried++)
    try {
      const done = await work(tried)
      away = false
      return done
    } catch (error) {
      const passing = isPassing(error)
      if (tried === TRIES) away ||= passing
      if (away || tried === TRIES || !passing) throw told(error)
      await sleep(Math.min(LAST_MS, FIRST_MS * 2 ** tried))
    }
}

/** Does what must not be done twice. @throws StoreError */
export async function reachOnce<T>(work: PromiseLike<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw told(error)
  }
}

function told(error: unknown): unknown {
  if (error instanceof UsageError || (error instanceof Error && isStoreError(error))) return error
  const { message, code } = error as Error & { readonly code?: unknown }
  if (code === UNDEFINED_TABLE)
    return new StoreError(
      'io',
      'the run is in the PostgreSQL store no more: it was brought back (touchstone cluster pull)',
      {
        cause: error,
      },
    )
  const next = isPassing(error)
    ? ': see that its server runs and that its address is right, then run the same command again (runs that it holds stay there)'
    : ''
  return new StoreError('io', `the PostgreSQL store: ${message || 'it cannot be reached'}${next}`, { cause: error })
}
