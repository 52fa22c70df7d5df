import { type ChildProcess, fork } from 'node:child_process'
import { stat } from 'node:fs/promises'
import process from 'node:process'
import type { ColumnSpec, Row } from './columns.ts'
import { explain, explained, isStoreError, StoreError } from './errors.ts'
import type { ParquetHead, ParquetReply, ParquetRequest } from './parquet-child.ts'

/**
 * The rows of a Parquet file in their order, in batches. Integers beyond 2^53 are an error; columns of kind json come
 * back parsed where `columns` says they are json, as text otherwise.
 *
 * @param columns - which columns to read and how. Default: all, as stored.
 * @param onHead - is called with what the file has, before any row is read; what it throws ends the reading.
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
export async function* readParquet(
  path: string,
  columns?: readonly ColumnSpec[],
  onHead?: (head: ParquetHead) => void,
): AsyncGenerator<readonly Row[]> {
  const json = (columns ?? []).filter(({ type }) => type === 'json').map(({ name }) => name)
  const names = columns?.map(({ name }) => name)
  for await (const lines of linesOf({ path, columns: names, json, parsesJsonType: false }, onHead))
    yield JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`) as readonly Row[]
}

/**
 * The rows of a Parquet file as JSON lines, streaming, so that an importer reads a release however it is packed.
 *
 * @throws StoreError where the file is damaged
 */
export const parquetLines = (path: string): AsyncGenerator<string> =>
  linesOf({ path, columns: undefined, json: [], parsesJsonType: true })

async function* linesOf(request: ParquetRequest, onHead?: (head: ParquetHead) => void): AsyncGenerator<string> {
  const { path } = request
  const MiB = Math.ceil((await explained(path, () => stat(path))).size / 2 ** 20)
  const { time, heap } = LIMITS
  const most = Math.min(heap.least + heap.perMiB * MiB, heap.most)
  const child = fork(PROGRAM, {
    execArgv: [...process.execArgv.filter((flag) => flag.startsWith('--conditions=')), `--max-old-space-size=${most}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  try {
    for (;;) {
      const reply = await ask(child, request, time.least + time.perMiB * MiB)
      if (reply === null) return
      if (typeof reply === 'string') yield reply
      else if ('fault' in reply) throw Object.assign(new Error(reply.fault), { code: reply.code })
      else onHead?.(reply)
    }
  } catch (error) {
    throw explainDamage(error, path)
  } finally {
    child.kill('SIGKILL')
  }
}

/**
 * A separate process reads the file: a damaged one can claim any number of values, and the reader would allocate them until the
 * heap is full. Time limit per row group (ms) and heap limit (MB): a base, plus an amount for each MiB of the file.
 */
const LIMITS = { time: { least: 20_000, perMiB: 1000 }, heap: { least: 512, perMiB: 16, most: 4096 } }

const PROGRAM = new URL(`./parquet-child${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

function ask(child: ChildProcess, request: ParquetRequest, ms: number): Promise<ParquetReply> {
  return new Promise<ParquetReply>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(why))
    const timer = setTimeout(fail, ms, 'its rows take longer to read than those of a file of this size')
    child.removeAllListeners()
    child.once('message', (reply: ParquetReply) => {
      clearTimeout(timer)
      resolve(reply)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      fail(`its reader ended with ${signal ?? code}, as where rows take more memory than those of a file of this size`)
    })
    child.send(request)
  })
}

/** What the reader throws that is not about the disk is about the file. */
function explainDamage(error: unknown, path: string): unknown {
  const found = explain(error, path)
  if (isStoreError(found) || !(error instanceof Error)) return found
  return new StoreError('damaged', `${path}: is not a readable Parquet file (${error.message})`, { cause: error })
}
