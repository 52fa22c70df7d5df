import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { type Context, exits } from './output.ts'

/** Stops the current work. */
let onStop: (() => void) | null = null
let crashed = false

/** True after an uncaught exception: the process has failed, whatever its exit code. */
export const hasCrashed = (): boolean => crashed

/** An uncaught exception stops the work like Ctrl-C, so that responses are saved; without work the process ends. */
export function onCrash(error: unknown): void {
  const first = !crashed
  crashed = true
  process.stderr.write(
    `touchstone: unexpected error\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  // A second exception while it stops: it would not end by itself.
  if (onStop === null || !first) process.exit(exits.failed)
  onStop()
}

/**
 * Each Ctrl-C or SIGTERM takes the next step; one more ends the process at once. A closed terminal (SIGHUP, sent more than
 * once) takes the first step only.
 *
 * @returns removes the handlers.
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
 * Runs work that stops at the first Ctrl-C or SIGTERM and saves its results; the second ends the process at once.
 * The exit code is then 130.
 */
export async function interruptible<T>(
  context: Context,
  work: (signal: AbortSignal) => Promise<T>,
  onFirst = 'stopping; results are saved (Ctrl-C again: stop at once)',
): Promise<T> {
  const controller = new AbortController()
  const stop = (): void => {
    context.process.stderr.write(`\n${onFirst}\n`)
    context.process.exitCode = exits.interrupted
    controller.abort()
  }
  const removeSignalHandlers = onInterrupts([stop])
  try {
    return await work(controller.signal)
  } finally {
    removeSignalHandlers()
  }
}

/** Collects garbage earlier than usual: a long run stays some 60 MB smaller for a few per cent more CPU. Call it before the rest is loaded. */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
}
