import postgres from 'postgres'
import { UsageError } from '../../core/index.ts'
import { reachOnce } from './reach.ts'

/** Connections to a schema of a database. @throws UsageError for an address that cannot be read, without its password */
export function connect(url: string, schema: string): postgres.Sql {
  if (!/^postgres(?:ql)?:\/\//u.test(url))
    throw new UsageError('a store is written postgres://user:password@host/database')
  try {
    return postgres(url, {
      max: 4,
      // How long to wait for a server that is away says `reach`; the client would wait up to 20 s more before each try.
      backoff: () => 0.2,
      connection: { application_name: 'touchstone', search_path: schema },
      types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
      onnotice: () => undefined,
    })
  } catch (error) {
    // Its message may hold the password.
    if (error instanceof TypeError || error instanceof URIError)
      throw new UsageError(
        'the address of the store cannot be read: postgres://user:password@host:port/database, where % # / ? @ of a password are written %25 %23 %2F %3F %40',
      )
    throw error
  }
}

/**
 * Do connections keep the schema that they begin with? A pooler may give each statement to another one, or leave out what it does
 * not know: a run would be written among the tables of others, and found by nobody.
 *
 * @throws UsageError where they do not; StoreError where the database cannot be reached
 */
export async function requireOwnConnections(sql: postgres.Sql, schema: string): Promise<void> {
  const [row] = await reachOnce(sql`SHOW search_path`).catch((error: unknown) => {
    throw /startup parameter/u.test((error as Error).message) ? pooled() : error
  })
  if (row?.['search_path'] !== schema) throw pooled()
}

const pooled = (): UsageError =>
  new UsageError(
    'the address of the store leads to a pooler of connections, which does not keep what one of them begins with (search_path): give the address of the database itself',
  )
