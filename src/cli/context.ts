import type { CommandContext } from '@stricli/core'

/** What a command knows of its process. */
export interface Context extends CommandContext {
  readonly process: NodeJS.Process
}
