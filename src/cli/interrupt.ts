import process from 'node:process'
import type { Context } from './context.ts'
import { exits } from './exits.ts'

/** Steps of the work that is going on now, and what was thrown out of order. */
let onStop: (() => void) | null = null
let crashed = false

/** Was something thrown that nobody caught? Then the process has failed, whatever else it says. */
export const hasCrashed = (): boolean => crashed

/** An exception from anywhere stops the work as Ctrl-C does, so that what was answered is saved; without work it ends. */
export function onCrash(error: unknown): void {
  const first = !crashed
  crashed = true
  process.stderr.write(
    `touchstone: unexpected error\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  // Thrown again while it stops: it will not come to an end by itself.
  if (onStop === null || !first) process.exit(exits.failed)
  onStop()
}

/**
 * Each Ctrl-C or SIGTERM takes the next of these steps; one more than there are steps ends the process at once, whatever
 * it waits for. A terminal that goes away (SIGHUP, told more than once) takes the first step only.
 *
 * @returns what stops listening.
 */
export function onInterrupts(steps: readonly (() => void)[]): () => void {
  let taken = 0
  const next = (): void => {
    const step = steps[taken++]
    if (step === undefined) process.exit(exits.interrupted)
    step()
  }
  const first = (): void => {
    if (taken === 0) next()
  }
  const before = onStop
  onStop = first
  process.on('SIGINT', next)
  process.on('SIGTERM', next)
  process.on('SIGHUP', first)
  return () => {
    onStop = before
    process.off('SIGINT', next)
    process.off('SIGTERM', next)
    process.off('SIGHUP', first)
  }
}

/**
 * Runs work that stops at the first Ctrl-C or SIGTERM, saving what it has; the second ends the process at once.
 * After the first, the exit code is 130.
 */
export async function interruptible<T>(
  context: Context,
  work: (signal: AbortSignal) => Promise<T>,
  onFirst = 'stopping; what is done is saved (once more: at once)',
): Promise<T> {
  const controller = new AbortController()
  const stop = (): void => {
    context.process.stderr.write(`\n${onFirst}\n`)
    context.process.exitCode = exits.interrupted
    controller.abort()
  }
  const deafen = onInterrupts([stop])
  try {
    return await work(controller.signal)
  } finally {
    deafen()
  }
}
