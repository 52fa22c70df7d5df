import { type Work, work } from './work.ts'

/** A question with the number that its answer carries back. */
interface Letter {
  readonly id: number
  readonly asked: Work
}

/** Answers in a worker; in a page that was opened from a disk, where no worker can start, on the page itself. */
function answer({ id, asked }: Letter): unknown {
  try {
    return { id, ok: true, value: work(asked) }
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

if (typeof document === 'undefined') addEventListener('message', ({ data }) => postMessage(answer(data as Letter)))
else Object.assign(globalThis, { touchstoneAnswer: answer })
