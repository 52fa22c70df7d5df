import type { Context } from './context.ts'
import { exits } from './exits.ts'

/**
 * Each Ctrl-C or SIGTERM takes the next of these steps; one more than there are steps ends the process at once, whatever
 * it waits for.
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
  process.on('SIGINT', next)
  process.on('SIGTERM', next)
  return () => {
    process.off('SIGINT', next)
    process.off('SIGTERM', next)
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
