import { ExitCode } from '@stricli/core'

/** Exit codes (DESIGN 11). */
export const exits = { done: 0, failed: 1, usage: 2, budget: 3, interrupted: 130 } as const

const UNKNOWN: readonly number[] = [ExitCode.UnknownCommand, ExitCode.InvalidArgument]
const BROKEN: readonly number[] = [ExitCode.CommandLoadError, ExitCode.ContextLoadError, ExitCode.InternalError]

/** One of our codes, given what a command or Stricli left behind. */
export function exitCodeOf(left: NodeJS.Process['exitCode']): number {
  const code = Number(left ?? exits.done)
  if (UNKNOWN.includes(code)) return exits.usage
  return code < 0 || code > 130 || BROKEN.includes(code) ? exits.failed : code
}
