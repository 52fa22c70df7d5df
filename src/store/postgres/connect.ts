import postgres from 'postgres'
import { UsageError } from '../../core/index.ts'

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
