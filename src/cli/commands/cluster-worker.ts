import type { Worked } from '../../lab/index.ts'
import type { clusterWorkerFlags, FlagsOf } from '../command-flags.ts'
import { labOfTasks } from '../lab.ts'
import { type Context, exits, print, printError, printJson } from '../output.ts'
import { execute, setExitCode, stoppedLines } from '../run-output.ts'
import { printRuns } from './cluster-status.ts'

export default async function clusterWorker(
  context: Context,
  { json, plugins, ...options }: FlagsOf<typeof clusterWorkerFlags>,
): Promise<void> {
  const lab = await labOfTasks({ plugins })
  const worked = await execute(context, ({ stop, abort, onProgress }) =>
    lab.runWorker({
      ...options,
      stop,
      abort,
      onProgress,
      onRun: (name, asks) =>
        printError(context, `working on ${name}`, ...asks.map((ask) => `  it asks this machine to ${ask}`)),
    }),
  )
  if (worked.skipped.length > 0) context.process.exitCode = exits.usage
  for (const { run, message } of worked.skipped) printError(context, `skipped ${run}: ${message}`)
  for (const result of worked.runs) setExitCode(context, result)
  if (json) return printJson(context, worked)
  printRuns(context, worked)
  for (const line of worked.runs.flatMap(whyPending)) print(context, line)
}

/** Why a worker ended although calls are pending. */
function whyPending({ status, counts, stoppedModels, warnings }: Worked['runs'][number]): readonly string[] {
  if (counts.pending + counts.inFlight + counts.batched === 0) return warnings
  const cost =
    '  the next call could exceed the cost limit: touchstone cluster pull RUN, then touchstone resume RUN --max-usd MORE'
  const batches = '  providers are processing batches; collect them: touchstone cluster worker'
  return [
    ...warnings,
    ...stoppedLines(stoppedModels, 'touchstone cluster worker'),
    ...(status === 'cost-limit' ? [cost] : []),
    ...(status === 'batches-pending' ? [batches] : []),
  ]
}
