import { points, printable, type Table } from '../core/index.ts'
import type { Lab, RunEnd, RunResult } from '../lab/index.ts'
import type { Threshold } from '../libraries/statistics/index.ts'
import { plainTable, type Report, withShortNames } from '../report/index.ts'
import type { Progress } from '../runner/index.ts'
import type { OpenBatch } from '../store/index.ts'
import { fitTable } from './fit-table.ts'
import { onInterrupts } from './interrupt.ts'
import { liveBlock, modelLines, progressText } from './live.ts'
import { aligned, type Context, exits, plural, print, printError, printText } from './output.ts'

/** Runs calls with progress; the first Ctrl-C stops and saves, the second aborts calls in flight, the third ends the process. */
export async function execute<Result>(
  context: Context,
  work: (options: {
    readonly stop: AbortSignal
    readonly abort: AbortSignal
    readonly onPlan: (plan: { readonly items: number; readonly indices: number }) => void
    readonly onProgress: (progress: Progress) => void
  }) => Promise<Result>,
): Promise<Result> {
  const live = liveBlock(context)
  const stop = new AbortController()
  const abort = new AbortController()
  let inFlight = 0
  const removeSignalHandlers = onInterrupts([
    () => {
      live.say(
        `stopping; waiting for ${plural(inFlight, 'call')} in flight (Ctrl-C again drops them; resume repeats them)`,
      )
      stop.abort()
    },
    () => {
      live.say('dropping calls in flight (Ctrl-C again: stop at once; saved responses are kept)')
      abort.abort()
    },
  ])
  try {
    return await work({
      stop: stop.signal,
      abort: abort.signal,
      onPlan: ({ items, indices }) => live.show(`planning ${items} items of ${indices} indices`),
      onProgress: (progress) => {
        inFlight = progress.inFlight
        live.show(progressText(progress), (columns) => modelLines(progress.models, progress.limit, columns))
      },
    })
  } finally {
    live.end()
    removeSignalHandlers()
  }
}

const EXIT_OF: { readonly [end in RunEnd]?: number } = {
  interrupted: exits.interrupted,
  'cost-limit': exits.costLimit,
  'models-stopped': exits.failed,
  failed: exits.failed,
}

export function setExitCode(context: Context, { status }: Pick<RunResult, 'status'>): void {
  const code = EXIT_OF[status]
  if (code !== undefined) context.process.exitCode = code
}

/** The accuracy table at the end of a run. A table that cannot be made is no failure of the run. */
export async function printSummary(
  context: Context,
  lab: Lab,
  { run, counts, warnings }: Pick<RunResult, 'run' | 'counts' | 'warnings'>,
): Promise<void> {
  if (counts.done + counts.errors === 0) return print(context, 'no responses yet')
  // Every run has a usage table, also one without a parsed response.
  const request = {
    analyses: ['core/accuracy', 'core/measures', 'core/usage', 'core/paired', 'core/across-tasks'],
    formats: [],
  }
  const made = await lab.report(run, request).catch((error: unknown) => ({
    why: error instanceof Error ? error.message : String(error),
  }))
  if ('why' in made) {
    const { why } = made
    if (!warnings.some((warning) => warning.includes(why))) printError(context, `no accuracy table: ${why}`)
    return
  }
  const [first] = withShortNames(made.report.analyses)
  const [table] = first?.tables ?? []
  if (table !== undefined && first?.id !== 'core/usage') printTable(context, table)
  printVerdict(context, made.report)
}

/** Which model is better at what, where two or more were compared. */
export function printVerdict(context: Context, { verdict }: Report): void {
  if (verdict?.pair == null) return
  const { pair, title, detail, better, worse, unclear } = verdict
  printText(context, title, ...(detail === '' ? [] : [detail]), '')
  // Of one condition the sentence says it all.
  if (better.length + worse.length + unclear.length < 2) return
  const sides = [
    [`${pair.a} better`, better],
    [`${pair.b} better`, worse],
    ['No clear difference', unclear],
  ] as const
  const shown = sides.map(([side, lines]) => ({ side, lines: lines.slice(0, MAX_LINES) }))
  const rows = aligned(
    shown.flatMap(({ lines }) =>
      lines.map(({ condition, difference: { value, low, high }, settle }) => {
        return [`  ${condition}`, points(value), `${points(low)} to ${points(high)}`, settle]
      }),
    ),
    [1, 2],
  )
  printText(context, `${pair.a} − ${pair.b} in points, 95 % CI, and what would settle it`)
  for (const { side, lines } of shown) if (lines.length > 0) print(context, side, ...rows.splice(0, lines.length))
  print(context, '')
}

/** Most conditions of a side of the verdict; all are in the report. */
const MAX_LINES = 10

/** A table as wide as the terminal; hidden columns are named. */
export function printTable(context: Context, table: Table): void {
  const { above, text, hidden } = fitTable(table, plainTable, context.process.stdout.columns)
  const note = hidden.length === 0 ? [] : [`hidden columns (narrow terminal): ${hidden.join(', ')}`]
  print(context, ...(above === '' ? [] : [above, '']), text.trimEnd())
  printText(context, ...note, '')
}

/**
 * The next commands for a run: report, and resume while calls are pending.
 *
 * @param flags - of its report.
 */
export function nextLine({ run, status, counts }: Pick<RunResult, 'run' | 'status' | 'counts'>, flags = ''): string {
  const open = counts.pending + counts.inFlight + counts.batched
  const continues = open > 0 && status !== 'stopped-early'
  const hasResults = counts.done + counts.errors > 0 || !continues
  const more = status === 'cost-limit' ? ' --max-usd MORE' : ''
  const steps = [
    ...(hasResults ? [`touchstone report ${run}${flags}`] : []),
    ...(continues ? [`touchstone resume ${run}${more}`] : []),
  ]
  return `next: ${steps.join(', ')}`
}

/** Characters of an error message that are shown. */
const MAX_MESSAGE = 300

/** The result of a stopping rule in one line. */
function sequentialLine({ rule, alpha, interim, verdict }: NonNullable<RunResult['until']>): string {
  const last = interim.at(-1)
  const after = `after ${plural(last?.groups ?? 0, 'group')}, ${interim.length} interim ${interim.length === 1 ? 'analysis' : 'analyses'}`
  const seen =
    last?.kind === 'better'
      ? `difference ${last.difference?.toFixed(3) ?? 'none'}, e = ${Math.max(last.eGreater, last.eLess).toPrecision(3)}, threshold ${2 / alpha}`
      : (last?.models ?? [])
          .map(
            ({ model, accuracy, low, high }) =>
              `${model} ${accuracy.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`,
          )
          .join(', ')
  const numbers = `${after} (${seen}, alpha ${alpha})`
  return verdict === null ? `not decided: ${rule}, ${numbers}` : `stopped early: ${verdict}, ${numbers}`
}

/** The thresholds of the models of an adaptive run. */
function adaptiveLines({ parameter, until, models }: NonNullable<RunResult['adapt']>): readonly string[] {
  const at = until?.includes('x75') === true ? '75 %' : '50 %'
  const rows = models.map(({ model, steps, end }) => {
    const last = steps.findLast(({ estimate }) => estimate !== null)?.estimate
    return [
      `  ${model}`,
      `${at} solved at ${parameter} ${thresholdText(last?.threshold ?? null)}`,
      plural(last?.answers ?? 0, 'response'),
      end?.replaceAll('-', ' ') ?? 'not finished',
    ]
  })
  return aligned(rows, [])
}

function thresholdText(threshold: Threshold | null): string {
  if (threshold === null) return 'unknown'
  if (threshold.kind === 'outside') return threshold.solved === 'more' ? 'above all values' : 'below all values'
  const { value, low, high, open } = threshold
  const border = { neither: '', low: ', open below', high: ', open above', both: ', open on both sides' }[open]
  return `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}${border}]`
}

/** Open batches as rows of two columns. */
export const batchRows = (batches: readonly OpenBatch[]): readonly (readonly [string, string])[] =>
  batches.map(({ model, lines, providerId, intended }) => [
    '  batch',
    `${model}: ${lines} calls since ${new Date(intended).toISOString()}, ${providerId ?? 'not confirmed by the provider yet'}`,
  ])

/** Stopped models, why, and what to do before `then` helps. */
export const stoppedLines = (stopped: RunResult['stoppedModels'], then: string): readonly string[] =>
  Object.entries(stopped).flatMap(([model, { kind, message, advice }]) => [
    `  ${model} stopped (${kind}): ${printable(message.replaceAll(/\s+/gu, ' ').slice(0, MAX_MESSAGE))}`,
    `  ${advice}; then: ${then}`,
  ])

/** Counts of calls, as rows of two columns. */
export const countRows = (counts: RunResult['counts']): readonly (readonly [string, string])[] =>
  Object.entries(counts).map(([state, count]) => [`  ${state === 'inFlight' ? 'in flight' : state}`, String(count)])

export function printOutcome(context: Context, result: RunResult): void {
  const { counts, run: dir } = result
  for (const [model, settings] of Object.entries(result.ignoredSettings))
    printError(context, `${model} ignores ${settings.join(', ')}`)
  for (const warning of result.warnings) printError(context, warning)
  print(context, `${dir}: ${result.status}`, ...aligned(countRows(counts), [1]))
  if (result.costUsd > 0) print(context, `  cost $${result.costUsd.toFixed(4)}`)
  for (const { code, calls, message } of result.errors)
    print(context, `  ${code} (${plural(calls, 'call')}): ${message.replaceAll(/\s+/gu, ' ').slice(0, MAX_MESSAGE)}`)
  if (counts.errors > 0) print(context, `  to repeat them: touchstone resume ${dir} --retry-errors [--error-code CODE]`)
  for (const line of stoppedLines(result.stoppedModels, `touchstone resume ${dir}`)) print(context, line)
  if (result.until !== undefined) print(context, `  ${sequentialLine(result.until)}`)
  if (result.adapt !== undefined) print(context, ...adaptiveLines(result.adapt))
  if (result.status === 'batches-pending')
    print(context, `  providers are processing batches; collect them: touchstone resume ${dir}`)
  if (result.status === 'cost-limit')
    print(context, `  the next call could exceed the cost limit: touchstone resume ${dir} --max-usd MORE`)
}
