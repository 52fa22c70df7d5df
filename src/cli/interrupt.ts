import type { Context } from './context.ts'
import { exits } from './exits.ts'

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
    if (controller.signal.aborted) process.exit(exits.interrupted)
    context.process.stderr.write(`\n${onFirst}\n`)
    context.process.exitCode = exits.interrupted
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}
