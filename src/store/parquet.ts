import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { ColumnSpec, Row } from './columns.ts'
import { explain, explained, isStoreError, StoreError } from './errors.ts'
import type { ParquetHead, ParquetReply, ParquetRequest } from './parquet-worker.ts'

/**
 * The rows of a Parquet file in their order, in batches. Integers beyond 2^53 are an error; columns of kind json come
 * back parsed where `columns` says they are json, as text otherwise.
 *
 * @param columns - which columns to read and how. Default: all, as stored.
 *
 * @example
 * import { readParquet } from '@touchstone-eval/touchstone/node'
 *
 * export async function lengthOf(path: string): Promise<number> {
 *   let rows = 0
 *   for await (const batch of readParquet(path)) rows += batch.length
 *   return rows
 * }
 */
export async function* readParquet(path: string, columns?: readonly ColumnSpec[]): AsyncGenerator<readonly Row[]> {
  const json = (columns ?? []).filter(({ type }) => type === 'json').map(({ name }) => name)
  const names = columns?.map(({ name }) => name)
  for await (const lines of linesOf({ path, columns: names, json, parsesJsonType: false }))
    yield lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
}

/**
 * The rows of a Parquet file as JSON lines, streaming, so that an importer reads a release however it is packed.
 *
 * @throws StoreError where the file is damaged
 */
export const parquetLines = (path: string): AsyncGenerator<string> =>
  linesOf({ path, columns: undefined, json: [], parsesJsonType: true })

/** What a Parquet file has; a column of a type that is none of ours counts as JSON. */
export async function parquetHead(path: string): Promise<ParquetHead> {
  const replies = read({ path, columns: [], json: [], parsesJsonType: false })
  const { value } = await replies.next()
  await replies.return(undefined)
  return value as ParquetHead
}

async function* linesOf(request: ParquetRequest): AsyncGenerator<string> {
  for await (const reply of read(request)) if (typeof reply === 'string') yield reply
}

/**
 * Time (ms) for the rows of a group and heap (MB) of the thread that reads them: for a file of any size, and more for
 * each MiB. Damaged bytes can state any number of values, which the reader would try to make.
 */
const LIMITS = { time: { least: 20_000, perMiB: 1000 }, heap: { least: 1024, perMiB: 16, most: 4096 } }

const THREAD = new URL(`./parquet-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

async function* read(request: ParquetRequest): AsyncGenerator<Exclude<ParquetReply, null>> {
  const { path } = request
  const MiB = Math.ceil((await explained(path, () => stat(path))).size / 2 ** 20)
  const { time, heap } = LIMITS
  const worker = new Worker(THREAD, {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: Math.min(heap.least + heap.perMiB * MiB, heap.most) },
  })
  try {
    for (;;) {
      worker.postMessage('next')
      const [reply] = (await once(worker, 'message', {
        signal: AbortSignal.timeout(time.least + time.perMiB * MiB),
      })) as [ParquetReply]
      if (reply === null) return
      if (typeof reply === 'object' && 'fault' in reply)
        throw Object.assign(new Error(reply.fault), { code: reply.code })
      yield reply
    }
  } catch (error) {
    throw explainDamage(error, path)
  } finally {
    await worker.terminate()
  }
}

/** What the reader throws that is not about the disk is about the file. */
function explainDamage(error: unknown, path: string): unknown {
  const found = explain(error, path)
  if (isStoreError(found) || !(error instanceof Error)) return found
  const { code } = error as NodeJS.ErrnoException
  const why =
    error.name === 'AbortError'
      ? 'its rows take longer to read than those of a file of this size'
      : code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? 'its rows take more memory than those of a file of this size'
        : error.message
  return new StoreError('damaged', `${path}: is not a readable Parquet file (${why})`, { cause: error })
}
