import { Worker } from 'node:worker_threads'
import type { Run } from '../runner/index.ts'
import { framesOf, loadFrames, type RunColumns, type RunFrames } from '../store/index.ts'
import { entry } from './workers.ts'

/** What the thread that reads rows tells. */
export type RowsMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'columns'; readonly columns: RunColumns }

/** Responses from which on a thread reads rows: fewer rows are there before it has started. */
const MANY = 20_000

/** The rows of a run, read by a worker thread where they are many, so that others are answered meanwhile. */
export async function framesByThread(run: Run, onProgress: (done: number, of: number) => void): Promise<RunFrames> {
  if (!run.ledger.hasResponses(MANY)) return loadFrames(run, { onProgress })
  const worker = new Worker(new URL(entry('rows-worker')), { workerData: run.ledger.path })
  return new Promise((resolve, reject) => {
    worker.on('message', (message: RowsMessage) => {
      if (message.kind === 'columns') resolve(framesOf(message.columns))
      else onProgress(message.done, message.of)
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the thread that reads rows has ended without them')))
  })
}

/** The memory of columns, which one thread hands over to another. */
export function buffersOf({ columns }: RunColumns): ArrayBuffer[] {
  const buffers = [...columns.values()].map((column) =>
    column.kind === 'text' ? column.codes.buffer : column.numbers.held.buffer,
  )
  return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer)
}
