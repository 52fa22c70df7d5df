import {
  ArgumentScannerError,
  buildApplication,
  buildRouteMap,
  formatMessageForArgumentScannerError,
  text_en,
} from '@stricli/core'
import { isUsageError } from '../core/errors.ts'
import { printable } from '../core/text.ts'
import { version } from '../lab/package.ts'
import { asFlags } from './as-flags.ts'
import { commands } from './commands/index.ts'
import type { Context } from './context.ts'
import { exits } from './exits.ts'

const root = buildRouteMap<string, Context>({
  routes: commands,
  docs: {
    brief: 'Procedural reasoning benchmarks for language models: generated, proved, run, scored, analysed',
    fullDescription: [
      'Generates reasoning benchmarks procedurally, proves every answer, runs them against any model, scores and',
      'analyses the responses.',
      '',
      'Begin with: touchstone list',
      '            touchstone show TASK --preset PRESET --index 0',
    ].join('\n'),
  },
})

/** Errors of the person at the keyboard are told without a stack; ours keep it, for the report they deserve. */
const told = (error: unknown): string => {
  if (!(error instanceof Error)) return printable(String(error))
  const known = isUsageError(error) || ('kind' in error && error.kind === 'store') || error.name === 'AbortError'
  return printable(
    known ? `touchstone: ${asFlags(error.message)}` : `touchstone: unexpected error\n${error.stack ?? error.message}`,
  )
}

/** What cannot be read of a command line; of a value, by the flag as it is typed. */
const unread = (error: unknown): string =>
  printable(
    error instanceof ArgumentScannerError
      ? formatMessageForArgumentScannerError(error, {
          ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, exception }) =>
            `touchstone: --${name}: ${exception instanceof Error ? exception.message : String(exception)}`,
        })
      : text_en.exceptionWhileParsingArguments(error, false),
  )

export const app = buildApplication<Context>(root, {
  name: 'touchstone',
  versionInfo: { currentVersion: version },
  scanner: { caseStyle: 'allow-kebab-for-camel' },
  documentation: { caseStyle: 'convert-camel-to-kebab' },
  determineExitCode: (error) => (isUsageError(error) ? exits.usage : exits.failed),
  localization: {
    text: {
      ...text_en,
      noCommandRegisteredForInput: (args) => printable(text_en.noCommandRegisteredForInput(args)),
      exceptionWhileParsingArguments: unread,
      exceptionWhileLoadingCommandFunction: told,
      exceptionWhileLoadingCommandContext: told,
      exceptionWhileRunningCommand: told,
      commandErrorResult: (error) => told(error),
    },
  },
})
