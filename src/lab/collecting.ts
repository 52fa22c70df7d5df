import process from 'node:process'
import { setInterval } from 'node:timers'
import { runInNewContext } from 'node:vm'

/** What is collected, and how the bytes that are held are known. */
interface Garbage {
  /** null: it is left to V8. */
  readonly collect: (() => void) | null
  readonly held: () => number
}

/** That of this process: V8's own collector is there where somebody asked for a small heap (`keepHeapSmall`). */
const ofProcess = (): Garbage => ({
  collect: runInNewContext('globalThis.gc ?? null') as (() => void) | null,
  held: () => process.memoryUsage.rss(),
})

/** Bytes that may come to be held before garbage is collected. */
const MAX = 12 * 2 ** 20

/**
 * Waits for work that is handed many pieces of memory outside the heap, such as chunks of a database: V8 sees a few bytes of each,
 * and would let all of them gather.
 */
export async function collecting<T>(work: Promise<T>, { collect, held }: Garbage = ofProcess()): Promise<T> {
  if (collect === null) return work
  let kept = held()
  const look = setInterval(() => {
    if (held() - kept < MAX) return
    collect()
    kept = held()
  }, 5)
  try {
    return await work
  } finally {
    clearInterval(look)
  }
}
