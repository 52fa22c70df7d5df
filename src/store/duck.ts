import { dirname, resolve } from 'node:path'
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { StoreError } from './errors.ts'

/** A DuckDB of its own, for one piece of work; the package is loaded on first use. */
export interface Duck {
  readonly connection: DuckDBConnection
  readonly api: typeof import('@duckdb/node-api')
  /** The bytes of a column without missing values, as the database holds them: to take them one by one costs ten times as much. */
  bytesOf(chunk: DuckDBDataChunk, column: number, each: number): Uint8Array
  close(): void
}

/** @throws StoreError where its native part cannot be loaded: npm leaves it out where it is told to omit optional packages. */
async function loadDuck() {
  try {
    const [api, { default: bindings }] = await Promise.all([
      import('@duckdb/node-api'),
      import('@duckdb/node-bindings'),
    ])
    return { api, bindings }
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
    throw new StoreError(
      'not-installed',
      `DuckDB, which reads and writes Parquet and answers questions about rows, cannot be loaded on ${process.platform}-${process.arch}: install this package with its optional dependencies (${why})`,
      { cause: error },
    )
  }
}

/** Before anything is made that it will have to fill. @throws StoreError where its native part cannot be loaded */
export async function requireDuck(): Promise<void> {
  await loadDuck()
}

/** Room for one row group of rows that hold long texts or proofs; narrow rows take a fraction of it. */
const MEGABYTES = 768

/** What a DuckDB may touch on disk: one file to read, or the folder of one to write. */
export type Reach = { readonly reads: string } | { readonly writesBeside: string }

/** What is freed goes back to the system soon: 80 MB less at the same speed where many parts are written. */
const SOON_FREED = {
  allocator_flush_threshold: '1MB',
  allocator_bulk_deallocation_flush_threshold: '1MB',
}

/**
 * Opens an in-memory DuckDB with bounded memory; what does not fit goes to `spill` (a folder it makes itself and removes
 * when closed). Files are read once, so that none of them is kept in memory. It reaches nothing but what `reach` says: no
 * other file, no network, no extension; and its configuration is locked.
 */
export async function openDuck(spill: string, reach: Reach, megabytes = MEGABYTES): Promise<Duck> {
  const { api, bindings } = await loadDuck()
  const instance = await api.DuckDBInstance.create(':memory:', {
    memory_limit: `${megabytes}MB`,
    threads: '1',
    enable_external_file_cache: 'false',
    temp_directory: spill,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    ...('writesBeside' in reach ? SOON_FREED : {}),
  })
  const connection = await instance.connect()
  const allowed =
    'reads' in reach
      ? `allowed_paths = [${[resolve(reach.reads), glob(reach.reads)].map(literal).join(', ')}]`
      : `allowed_directories = [${literal(dirname(resolve(reach.writesBeside)))}]`
  for (const setting of [allowed, 'enable_external_access = false', 'lock_configuration = true'])
    await connection.run(`SET ${setting}`)
  return {
    connection,
    api,
    bytesOf: ({ chunk, rowCount }, column, each) =>
      bindings.vector_get_data(bindings.data_chunk_get_vector(chunk, column), rowCount * each),
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/**
 * Gives what C keeps of memory that was let go of, such as columns that are not used any more, back to the system: a database asks
 * that of it when it is closed. Without a database nothing is given back.
 */
export async function trimMemory(): Promise<void> {
  const duck = await loadDuck().catch(() => null)
  if (duck === null) return
  const instance = await duck.api.DuckDBInstance.create(':memory:', { threads: '1' })
  instance.closeSync()
}

/** A text as a SQL string literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The rows of exactly this Parquet file as a SQL source: its name is no pattern, and no address of a network. */
export const parquetSource = (...paths: readonly string[]): string =>
  `read_parquet([${paths.map(pathLiteral).join(', ')}])`

/** The path of a file as a SQL literal, where a pattern is read: what is special there stands for itself. */
export const pathLiteral = (path: string): string => literal(glob(path))

const glob = (path: string): string => resolve(path).replaceAll(/[*?[]/gu, (character) => `[${character}]`)

/** A name as a SQL identifier. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
