import type { DuckDBConnection } from '@duckdb/node-api'

/** A DuckDB of its own, for one piece of work; the package is loaded on first use. */
export interface Duck {
  readonly connection: DuckDBConnection
  readonly api: typeof import('@duckdb/node-api')
  close(): void
}

/** Room for one row group of rows that hold long texts or proofs; narrow rows take a fraction of it. */
const MEGABYTES = 768

/**
 * Opens an in-memory DuckDB with bounded memory; what does not fit goes to `spill` (a folder it makes itself and removes
 * when closed). Files are read once, so that none of them is kept in memory.
 */
export async function openDuck(spill: string, megabytes = MEGABYTES): Promise<Duck> {
  const api = await import('@duckdb/node-api')
  const instance = await api.DuckDBInstance.create(':memory:', {
    memory_limit: `${megabytes}MB`,
    threads: '1',
    enable_external_file_cache: 'false',
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
