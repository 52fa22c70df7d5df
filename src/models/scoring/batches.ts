import type { PromptToken } from './align.ts'
import { afterAnswers, ScoringError } from './error.ts'

/** Scores some prompts in one request, in order. */
export type ScorePrompts = (
  prompts: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly (readonly PromptToken[])[]>

/** Scores one prompt. */
export type ScorePrompt = (prompt: string, signal?: AbortSignal) => Promise<readonly PromptToken[]>

export interface BatchOptions {
  /** Most prompts in a request. */
  readonly size: number
  /** Most requests in flight. */
  readonly width: number
}

/** How long a request waits for more prompts, in milliseconds: callers that were answered together ask again together. */
const patience = 5

interface Waiting {
  readonly prompt: string
  readonly signal: AbortSignal | undefined
  /** Never settles twice: what comes after an abort is ignored. */
  resolve(tokens: readonly PromptToken[]): void
  reject(error: unknown): void
}

/**
 * Gathers prompts that are asked for at about the same time into requests of several. A request that fails for a
 * reason that another try would not mend is sent again in halves, so that only the guilty prompt fails, or none where the
 * answer to all was too large.
 * It is given up when all who wait for it have gone.
 */
export function batched(score: ScorePrompts, { size, width }: BatchOptions): ScorePrompt {
  const queue: Waiting[] = []
  let running = 0
  let timer: NodeJS.Timeout | null = null

  function pump(): void {
    while (running < width && queue.length >= size) start()
    if (queue.length === 0 || running >= width || timer !== null) return
    timer = setTimeout(() => {
      timer = null
      if (running < width && queue.length > 0) start()
    }, patience)
  }

  function start(): void {
    running++
    void send(queue.splice(0, size)).finally(() => {
      running--
      pump()
    })
  }

  async function send(asked: readonly Waiting[], answered = false): Promise<void> {
    const batch = asked.filter(({ signal }) => signal?.aborted !== true)
    if (batch.length === 0) return
    try {
      const lists = await score(
        batch.map(({ prompt }) => prompt),
        allGone(batch),
      )
      for (const [i, { resolve }] of batch.entries()) resolve(lists[i] as readonly PromptToken[])
    } catch (error) {
      const again = batch.length > 1 && error instanceof ScoringError && !error.retryable
      const half = Math.ceil(batch.length / 2)
      if (again) for (const part of [batch.slice(0, half), batch.slice(half)]) await send(part, true)
      else for (const { reject } of batch) reject(answered ? afterAnswers(error) : error)
    }
  }

  return (prompt, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      queue.push({ prompt, signal, resolve, reject })
      pump()
    })
}

/** Aborts when every caller has; never where one of them cannot. */
function allGone(batch: readonly Waiting[]): AbortSignal | undefined {
  const signals = batch.flatMap(({ signal }) => (signal === undefined ? [] : [signal]))
  if (signals.length < batch.length) return undefined
  const gone = new AbortController()
  for (const signal of signals)
    signal.addEventListener('abort', () => signals.every(({ aborted }) => aborted) && gone.abort(signal.reason), {
      once: true,
    })
  return gone.signal
}
