import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOfTasks } from '../lab.ts'
import { amount, countOf, MAX_CALLS } from '../numbers.ts'
import { note, print, printJson } from '../output.ts'
import { execute, exitAs, nextLine, printOutcome, printSummary } from '../runs.ts'
import { jsonFlag, lostFlag, pluginFlag, text } from '../words.ts'

interface ResumeFlags {
  readonly maxUsd?: number
  readonly concurrency?: number
  readonly poll?: number
  readonly wait: boolean
  readonly cache?: string
  readonly offline: boolean
  readonly lost?: readonly string[]
  readonly json: boolean
  readonly plugin?: readonly string[]
}
interface RestartFlags extends ResumeFlags {
  readonly restart: boolean
}
interface RetryFlags extends ResumeFlags {
  readonly code?: readonly string[]
}

const shared = {
  concurrency: {
    kind: 'parsed',
    parse: countOf(8, MAX_CALLS),
    optional: true,
    brief: 'Most calls at once to one provider',
  },
  maxUsd: {
    kind: 'parsed',
    parse: amount(5),
    optional: true,
    brief: 'Stop before the run has cost more than this in all, instead of its own limit',
  },
  poll: {
    kind: 'parsed',
    parse: amount(30),
    optional: true,
    brief: 'Seconds between two looks at a batch; left out: 30',
  },
  wait: { kind: 'boolean', default: true, brief: 'Wait for batches; --no-wait: only collect what is done' },
  cache: {
    kind: 'parsed',
    parse: text,
    optional: true,
    brief: 'Folder of answers that runs share: what was asked before is not asked again',
  },
  offline: {
    kind: 'boolean',
    default: false,
    brief: 'Ask no provider: replay what --cache holds, costs and times too',
  },
  lost: lostFlag,
  json: jsonFlag,
  plugin: pluginFlag,
} as const
const folder = { kind: 'tuple', parameters: [{ brief: 'The run folder', parse: text, placeholder: 'run' }] } as const

/** Goes on with a run; `retry` first puts its failed cells back: those of these codes, or all. */
async function goOn(
  context: Context,
  flags: ResumeFlags,
  dir: string,
  retry: 'all' | readonly string[] | null,
  restart = false,
): Promise<void> {
  const lab = await labOfTasks(flags)
  const result = await execute(context, (options) =>
    lab.resume(dir, {
      ...options,
      restart,
      wait: flags.wait,
      offline: flags.offline,
      ...(flags.cache === undefined ? {} : { cache: flags.cache }),
      ...(flags.poll === undefined ? {} : { poll: flags.poll }),
      ...(flags.lost === undefined ? {} : { lost: flags.lost }),
      ...(retry === null ? {} : { retry }),
      ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
      ...(flags.maxUsd === undefined ? {} : { usd: flags.maxUsd }),
    }),
  )
  if (result.retried !== undefined) note(context, retriedLine(result.retried))
  exitAs(context, result)
  if (flags.json) return printJson(context, result)
  printOutcome(context, result)
  await printSummary(context, lab, result)
  print(context, '', nextLine(result))
}

const retriedLine = (retried: number): string =>
  retried > 0 ? `asked ${retried} failed cells again` : 'no failed cell was asked again; there are none'

export const resume = buildCommand<RestartFlags, [string], Context>({
  docs: { brief: 'Go on with a run that was stopped or killed; nothing on disk is asked again' },
  parameters: {
    positional: folder,
    flags: {
      ...shared,
      restart: {
        kind: 'boolean',
        default: false,
        brief: 'Go on with the ledger that is there, or a new one, though the run had come further',
      },
    },
  },
  func(flags, dir) {
    return goOn(this, flags, dir, null, flags.restart)
  },
})

export const retryFailedCells = buildCommand<RetryFlags, [string], Context>({
  docs: { brief: 'Ask failed cells again' },
  parameters: {
    positional: folder,
    flags: {
      ...shared,
      code: {
        kind: 'parsed',
        parse: text,
        optional: true,
        variadic: true,
        brief: 'Only failures of this code; repeat for several',
      },
    },
  },
  func(flags, dir) {
    return goOn(this, flags, dir, flags.code ?? 'all')
  },
})
