import { parentPort, workerData } from 'node:worker_threads'
import { Ledger, loadColumns, noRedaction } from '../store/index.ts'
import { buffersOf, type RowsMessage } from './rows.ts'

/** The entry of a worker thread: reads the rows of the ledger whose path is its `workerData`. */
await using ledger = new Ledger(String(workerData), {
  readOnly: true,
  redact: { known: noRedaction, shapes: noRedaction },
})
const tell = (message: RowsMessage, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)
const columns = await loadColumns(ledger, (done, of) => tell({ kind: 'progress', done, of }))
tell({ kind: 'columns', columns }, buffersOf(columns))
