import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDuck, parquetSource } from './duck.ts'
import { explain } from './errors.ts'

/**
 * The rows of a Parquet file as JSON lines, streaming, so that an importer reads a release however it is packed.
 *
 * @throws StoreError where the file is damaged
 */
export async function* parquetLines(path: string): AsyncGenerator<string> {
  const spill = await mkdtemp(join(tmpdir(), 'touchstone-parquet-'))
  try {
    const duck = await openDuck(spill, { reads: path })
    try {
      const rows = await duck.connection.stream(
        `SELECT CAST(to_json(rows) AS VARCHAR) FROM ${parquetSource(path)} AS rows`,
      )
      for await (const batch of rows.yieldRows()) for (const [line] of batch) yield `${String(line)}\n`
    } finally {
      duck.close()
    }
  } catch (error) {
    throw explain(error, path)
  } finally {
    await rm(spill, { recursive: true, force: true })
  }
}
