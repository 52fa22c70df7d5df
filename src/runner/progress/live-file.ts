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
/** What the process that executes a run reports to observers. */
export type Live = Readonly<z.infer<typeof live>>

/** Between two writes, in ms. */
const EVERY_MS = 1000
/** Ms after which the process has ended or hangs. */
const STALE_MS = 15_000

/** Writes progress beside the ledger for observers; its errors do not affect the run. */
export class LiveFile {
  private readonly path: string
  private readonly redact: (text: string) => string
  private readonly isOurs: () => boolean
  private last = Number.NEGATIVE_INFINITY
  private writing: Promise<void> = Promise.resolve()
  private busy = false

  /** @param isOurs - does what is at the path still belong to this process? */
  constructor(path: string, redact: (text: string) => string, isOurs: () => boolean) {
    this.isOurs = isOurs
    this.path = path
    this.redact = redact
  }

  write({ usd, limit, rate, left, models }: Progress): void {
    if (this.busy || performance.now() - this.last < EVERY_MS || !this.isOurs()) return
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

  /** Nothing is written after this. */
  async remove(): Promise<void> {
    this.last = Number.POSITIVE_INFINITY
    await this.writing
    if (this.isOurs()) await rm(this.path, { force: true }).catch(() => undefined)
  }
}

/** What the process reports that executes a run now; null: there is none. */
export async function readLive(path: string): Promise<Live | null> {
  try {
    const found = live.parse(JSON.parse(await readFile(path, 'utf8')))
    return Date.now() - found.at > STALE_MS ? null : found
  } catch {
    return null
  }
}
