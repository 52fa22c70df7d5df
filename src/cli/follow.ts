import { setTimeout as sleep } from 'node:timers/promises'

/** How long copies rest before they are brought up to date once more, in ms; at least ten times as long as that took. */
const REST_MS = 10_000

/**
 * Brings copies of what workers are at up to date again and again, until `signal` says so. What goes wrong is told once and
 * tried again: the store may be away for a while.
 */
export async function follow(
  paths: readonly string[],
  bring: (path: string) => Promise<unknown>,
  tell: (trouble: string) => void,
  signal: AbortSignal,
  restMs = REST_MS,
): Promise<void> {
  let trouble: string | null = null
  for (let rest = restMs; paths.length > 0; ) {
    await sleep(rest, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const from = performance.now()
    try {
      for (const path of paths) await bring(path)
      trouble = null
    } catch (error) {
      const now = error instanceof Error ? error.message : String(error)
      if (now !== trouble) tell(now)
      trouble = now
    }
    rest = Math.max(restMs, 10 * (performance.now() - from))
  }
}
