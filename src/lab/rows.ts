import { availableParallelism } from 'node:os'
import { type Run, refreshRunRows } from '../runner/index.ts'
import type { RowsPart } from '../store/index.ts'
import type { RowsJob } from './rows-worker.ts'
import { entry } from './workers.ts'

/** Threads that make rows: each takes some 150 MB and waits for no other, and more than these wait for the disk. */
const MAX = 4

/**
 * Brings rows.parquet up to date by worker threads, so that whoever waits for something else is answered meanwhile: as many as
 * the machine has cores. They start with the first part, so that rows that are up to date, or few, start none.
 *
 * @returns its path.
 */
export async function rowsByThreads(run: Run, onProgress: (done: number, of: number) => void): Promise<string> {
  const pool = lazily(async () => {
    const { Piscina } = await import('piscina')
    const maxThreads = Math.min(MAX, availableParallelism())
    return new Piscina<RowsJob, void>({ filename: entry('rows-worker'), minThreads: 1, maxThreads })
  })
  try {
    const make = async (part: RowsPart): Promise<void> => {
      await (await pool.get()).run({ ledger: run.ledger.path, part })
    }
    return await refreshRunRows(run, { make, onProgress })
  } finally {
    await pool.made()?.then((one) => one.destroy())
  }
}

function lazily<T>(make: () => Promise<T>) {
  let made: Promise<T> | null = null
  return {
    get: (): Promise<T> => {
      made ??= make()
      return made
    },
    made: (): Promise<T> | null => made,
  }
}
