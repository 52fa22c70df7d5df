import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { UsageError } from '../../core/index.ts'
import { isStoreError, StoreError } from '../../store/errors.ts'

/** Ms between two tries, doubling from the first to the last; some forty seconds in all, less than a lease. */
const FIRST_MS = 100
const LAST_MS = 5000
const TRIES = 14

/** Transient error codes of the client, the system and the server. */
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

/** The run was pulled: its tables are gone. */
const UNDEFINED_TABLE = '42P01'

const isPassing = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && (PASSING.has(code) || code.startsWith('08'))
}

/** Before a database has answered, an address where nobody answers is taken for a mistake: it is not waited for. */
const UNANSWERED = new Set(['ECONNREFUSED', 'CONNECT_TIMEOUT', 'ETIMEDOUT'])
let answered = false

/** The database stayed away through all tries: further statements are tried once, until one succeeds. */
let away = false

/**
 * Does repeatable work, again and again while the database cannot be reached.
 *
 * @param work - gets the number of earlier tries.
 * @throws StoreError if the database stays away, or refuses
 */
export async function withRetry<T>(work: (before: number) => PromiseLike<T>): Promise<T> {
  for (let tried = 0; ; tried++)
    try {
      const done = await work(tried)
      away = false
      answered = true
      return done
    } catch (error) {
      const passing = isPassing(error) && (answered || !UNANSWERED.has(String((error as { code?: unknown }).code)))
      if (tried === TRIES) away ||= passing
      if (away || tried === TRIES || !passing) throw explainFailure(error)
      await sleep(Math.min(LAST_MS, FIRST_MS * 2 ** tried))
    }
}

/** Does work that must not be repeated. @throws StoreError */
export async function withoutRetry<T>(work: PromiseLike<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw explainFailure(error)
  }
}

function explainFailure(error: unknown): unknown {
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

let listening = false

/**
 * The client asks a new connection for its array types in a promise that nobody awaits: cut at that moment, it would end the
 * process. What waits for the connection gets the error too, and tries again.
 */
function surviveCutStarts(): void {
  if (listening) return
  listening = true
  process.on('unhandledRejection', (error) => {
    const { query } = (error ?? {}) as { readonly query?: unknown }
    if (isPassing(error) && typeof query === 'string' && query.includes('pg_catalog.pg_type')) return
    throw error
  })
}

/** Connections to a schema of a database. @throws UsageError for a malformed address, without its password */
export function connect(url: string, schema: string): postgres.Sql {
  if (!/^postgres(?:ql)?:\/\//u.test(url))
    throw new UsageError('expected a store as postgres://user:password@host/database')
  surviveCutStarts()
  try {
    return postgres(url, {
      max: 4,
      // `withRetry` waits for a server that is away; the client would wait up to 20 s more before each try.
      backoff: () => 0.2,
      connection: { application_name: 'touchstone', search_path: schema },
      types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
      onnotice: () => undefined,
    })
  } catch (error) {
    // Its message may hold the password.
    if (error instanceof TypeError || error instanceof URIError)
      throw new UsageError(
        'cannot parse the address of the store. Write postgres://user:password@host:port/database, with % # / ? @ in a password written as %25 %23 %2F %3F %40',
      )
    throw error
  }
}

/**
 * Do connections keep the schema that they begin with? A pooler may route each statement to another connection, or drop the
 * setting: then the run would be written among other tables.
 *
 * @throws UsageError if they do not; StoreError if the database cannot be reached
 */
export async function requireOwnConnections(sql: postgres.Sql, schema: string): Promise<void> {
  const [row] = await withRetry(() => sql`SHOW search_path`).catch((error: unknown) => {
    throw /startup parameter/u.test((error as Error).message) ? pooled() : error
  })
  if (row?.['search_path'] !== schema) throw pooled()
}

const pooled = (): UsageError =>
  new UsageError(
    'the address of the store belongs to a connection pooler, which does not keep the search_path of a connection. Give the address of the database itself',
  )
