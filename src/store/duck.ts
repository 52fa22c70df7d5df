import type { DuckDBConnection } from '@duckdb/node-api'

/** A DuckDB of its own, for one piece of work; the package is loaded on first use. */
export interface Duck {
  readonly connection: DuckDBConnection
  readonly api: typeof import('@duckdb/node-api')
  close(): void
}

/**
 * Opens an in-memory DuckDB with bounded memory; what does not fit goes to `spill` (a folder it makes itself and removes
 * when closed).
 */
export async function openDuck(spill: string, megabytes = 96): Promise<Duck> {
  const api = await import('@duckdb/node-api')
  const instance = await api.DuckDBInstance.create(':memory:', {
    memory_limit: `${megabytes}MB`,
    threads: '1',
    temp_directory: spill,
  })
  const connection = await instance.connect()
  return {
    connection,
    api,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** A text as a SQL string literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A name as a SQL identifier. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
