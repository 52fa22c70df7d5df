import { readFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import { writeFileAtomic } from '../../store/index.ts'
import { modelProgress } from './model-progress.ts'
import type { Progress } from './progress.ts'

const live = z.object({
  schema: z.literal('touchstone/live/1'),
  /** Ms UTC. */
  at: z.number(),
  usd: z.number(),
  limit: z.number().nullable(),
  rate: z.number(),
  left: z.number().nullable(),
  models: z.array(modelProgress).readonly(),
})
/** What the process that works on a run says of it, for those who look on. */
export type Live = Readonly<z.infer<typeof live>>

/** Between two writes, in ms. */
const EVERY_MS = 1000
/** What is older, in ms, is of a process that has gone or hangs. */
const STALE_MS = 15_000

/** Writes progress beside the ledger for those who look on; trouble with it is none of the run's. */
export class LiveFile {
  private readonly path: string
  private readonly redact: (text: string) => string
  private last = Number.NEGATIVE_INFINITY
  private writing: Promise<void> = Promise.resolve()
  private busy = false

  constructor(path: string, redact: (text: string) => string) {
    this.path = path
    this.redact = redact
  }

  write({ usd, limit, rate, left, models }: Progress): void {
    if (this.busy || performance.now() - this.last < EVERY_MS) return
    this.last = performance.now()
    this.busy = true
    const text = JSON.stringify({
      schema: 'touchstone/live/1',
      at: Date.now(),
      usd,
      limit,
      rate,
      left,
      models,
    } satisfies Live)
    this.writing = writeFileAtomic(this.path, `${this.redact(text)}\n`)
      .catch(() => undefined)
      .then(() => {
        this.busy = false
      })
  }

  /** What a run still says after its end is not written any more. */
  async remove(): Promise<void> {
    this.last = Number.POSITIVE_INFINITY
    await this.writing
    await rm(this.path, { force: true }).catch(() => undefined)
  }
}

/** What a process says that works on a run now; null: none does, or it says nothing. */
export async function readLive(path: string): Promise<Live | null> {
  try {
    const found = live.parse(JSON.parse(await readFile(path, 'utf8')))
    return Date.now() - found.at > STALE_MS ? null : found
  } catch {
    return null
  }
}
