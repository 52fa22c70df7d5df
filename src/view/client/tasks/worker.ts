import { type Work, work } from './work.ts'

/** A question with the number that its answer carries back. */
interface Letter {
  readonly id: number
  readonly asked: Work
}

/** Answers in a worker; in a page that was opened from a disk, where no worker can start, on the page itself. */
async function answer({ id, asked }: Letter): Promise<unknown> {
  try {
    return { id, ok: true, value: await work(asked) }
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

if (typeof document === 'undefined')
  addEventListener('message', ({ data }) => void answer(data as Letter).then((value) => postMessage(value)))
else Object.assign(globalThis, { touchstoneAnswer: answer })
