import { readFile } from 'node:fs/promises'
import { printable, type Table, UsageError } from '../core/index.ts'
import type { Lab, RunResult } from '../lab/index.ts'
import type { Threshold } from '../libraries/statistics/index.ts'
import type { PriceTable } from '../models/index.ts'
import type { Experiment, Progress, StoppedModels } from '../runner/index.ts'
import type { OpenBatch } from '../store/index.ts'
import type { Context } from './context.ts'
import { exits } from './exits.ts'
import { fitted } from './fitted.ts'
import { keepOwnHeapSmall } from './heap.ts'
import { onInterrupts } from './interrupt.ts'
import { liveBlock, modelLines, progressText } from './live.ts'
import { aligned, note, print } from './output.ts'

/** The experiment of a YAML file. */
export async function experimentFile(path: string): Promise<Experiment> {
  const { readExperiment } = await import('../runner/index.ts')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`the experiment file ${path} cannot be read`)
  })
  return readExperiment(text, path)
}

/** The prices of a file. */
export async function pricesFile(path: string): Promise<PriceTable> {
  const { parsePrices } = await import('../models/index.ts')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`the price file ${path} cannot be read`)
  })
  return parsePrices(text, path)
}

/** Runs cells with progress; the first Ctrl-C stops and saves, the second aborts calls under way, the third ends the process. */
export async function execute<Result>(
  context: Context,
  work: (options: {
    readonly stop: AbortSignal
    readonly abort: AbortSignal
    readonly onPlan: (plan: { readonly items: number; readonly indices: number }) => void
    readonly onProgress: (progress: Progress) => void
  }) => Promise<Result>,
): Promise<Result> {
  keepOwnHeapSmall(context)
  const live = liveBlock(context)
  const stop = new AbortController()
  const abort = new AbortController()
  const deafen = onInterrupts([
    () => {
      live.say('stopping: calls under way are awaited and saved (once more: they are dropped and asked again later)')
      stop.abort()
    },
    () => {
      live.say('dropping calls under way (once more: at once, what is on disk is kept)')
      abort.abort()
    },
  ])
  try {
    const result = await work({
      stop: stop.signal,
      abort: abort.signal,
      onPlan: ({ items, indices }) => live.show(`planning ${items} items of ${indices} indices`),
      onProgress: (progress) =>
        live.show(progressText(progress), (columns) => modelLines(progress.models, progress.limit, columns)),
    })
    live.end()
    return result
  } finally {
    live.end()
    deafen()
  }
}

/** The exit code says how a run ended. */
export function exitAs(context: Context, { status, counts }: Pick<RunResult, 'status' | 'counts'>): void {
  if (status === 'interrupted') context.process.exitCode = exits.interrupted
  else if (status === 'budget') context.process.exitCode = exits.budget
  else if (status === 'stopped') context.process.exitCode = exits.failed
  else if (counts.done === 0 && counts.failed > 0) context.process.exitCode = exits.failed
}

/** The table of who did how well, as `run` ends; where it cannot be made, why: that is no failure of the run. */
export async function printSummary(context: Context, lab: Lab, { run, counts, doubts }: RunResult): Promise<void> {
  if (counts.done + counts.failed === 0) return print(context, 'no responses yet')
  // Every run has a usage, also one in which nothing was read or measured.
  const asked = { only: ['core/accuracy', 'core/measures', 'core/usage'], formats: [] }
  const made = await lab.report(run, asked).catch((error: unknown) => ({
    why: error instanceof Error ? error.message : String(error),
  }))
  if ('why' in made) {
    const { why } = made
    if (!doubts.some((doubt) => doubt.includes(why))) note(context, `no table of accuracies: ${why}`)
    return
  }
  const [first] = made.report.analyses
  const [table] = first?.tables ?? []
  if (table !== undefined && first?.id !== 'core/usage') await printTable(context, table)
}

/** A table as wide as the terminal; what has no room there is named. */
export async function printTable(context: Context, table: Table): Promise<void> {
  const { plainTable } = await import('../report/index.ts')
  const { above, text, left } = fitted(table, plainTable, context.process.stdout.columns)
  const note = left.length === 0 ? [] : [`no room for ${left.join(', ')}: the report has all, and report --json`]
  print(context, ...(above === '' ? [] : [above, '']), text.trimEnd(), ...note, '')
}

/**
 * What to do next with a run: look at what came back, and go on with what is open, unless its rule knows enough.
 *
 * @param flags - of its report.
 */
export function nextLine({ run, status, counts }: Pick<RunResult, 'run' | 'status' | 'counts'>, flags = ''): string {
  const open = counts.waiting + counts.leased + counts.batched
  const goesOn = open > 0 && status !== 'decided'
  const some = counts.done + counts.failed > 0 || !goesOn
  const more = status === 'budget' ? ' --max-usd MORE' : ''
  const steps = [
    ...(some ? [`touchstone report ${run}${flags}`] : []),
    ...(goesOn ? [`touchstone resume ${run}${more}`] : []),
  ]
  return `next: ${steps.join(', ')}`
}

/** Characters of a failure's message that are shown. */
const MAX_SHOWN = 300

/** What a rule found out, in one line. */
function untilText({ rule, alpha, interim, verdict }: NonNullable<RunResult['until']>): string {
  const last = interim.at(-1)
  const after = `after ${last?.groups ?? 0} units and ${interim.length} ${interim.length === 1 ? 'look' : 'looks'} (alpha ${alpha})`
  const seen =
    last?.kind === 'better'
      ? `difference ${last.difference?.toFixed(3) ?? 'none'}, e ${Math.max(last.eGreater, last.eLess).toPrecision(3)} of ${2 / alpha}`
      : (last?.models ?? [])
          .map(
            ({ model, accuracy, low, high }) =>
              `${model} ${accuracy.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`,
          )
          .join(', ')
  return verdict === null ? `not known: ${rule}, ${after}: ${seen}` : `known: ${verdict}, ${after}: ${seen}`
}

/** Where the models of an adaptive run break, as far as is known. */
function adaptLines({ parameter, until, models }: NonNullable<RunResult['adapt']>): readonly string[] {
  const at = until?.includes('x75') === true ? '75 %' : '50 %'
  const ends = { known: 'known', most: 'all it might take', exhausted: 'no items left' } as const
  const rows = models.map(({ model, steps, end }) => {
    const told = steps.findLast((round) => round.estimate !== null)?.estimate
    return [
      `  ${model}`,
      `${at} solved at ${parameter} ${thresholdText(told?.threshold ?? null)}`,
      `${told?.answers ?? 0} answers`,
      end === null ? 'not over' : ends[end],
    ]
  })
  return aligned(rows, [])
}

function thresholdText(threshold: Threshold | null): string {
  if (threshold === null) return 'not known'
  if (threshold.kind === 'outside') return threshold.solved === 'more' ? 'above all values' : 'below all values'
  const { value, low, high, open } = threshold
  const border = { neither: '', low: ', open below', high: ', open above', both: ', open on both sides' }[open]
  return `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}${border}]`
}

/** Batches that are with providers, as rows of two columns. */
export const batchRows = (batches: readonly OpenBatch[]): readonly (readonly [string, string])[] =>
  batches.map(({ model, lines, providerId, intended }) => [
    '  batch',
    `${model}: ${lines} lines since ${new Date(intended).toISOString()}, ${providerId ?? 'not known to be there yet'}`,
  ])

/** Models that are not asked any more, why, and what to do until `then` helps. */
export const stoppedLines = (stopped: StoppedModels, then: string): readonly string[] =>
  Object.entries(stopped).flatMap(([model, { kind, message, advice }]) => [
    `  ${model} is not asked any more (${kind}): ${printable(message.replaceAll(/\s+/gu, ' ').slice(0, MAX_SHOWN))}`,
    `  ${advice}; then: ${then}`,
  ])

export function printOutcome(context: Context, result: RunResult): void {
  const { counts, run: dir } = result
  for (const [model, settings] of Object.entries(result.ignored))
    note(context, `${model} ignores ${settings.join(', ')}`)
  for (const doubt of result.doubts) note(context, doubt)
  const rows = Object.entries(counts).map(([state, count]) => [`  ${state}`, String(count)])
  print(context, `${dir}: ${result.status}`, ...aligned(rows, [1]))
  if (result.usd > 0) print(context, `  spent $${result.usd.toFixed(4)}`)
  for (const { code, cells, message } of result.failures)
    print(context, `  ${code} (${cells} failed): ${message.replaceAll(/\s+/gu, ' ').slice(0, MAX_SHOWN)}`)
  if (counts.failed > 0) print(context, `  to ask them again: touchstone retry-failed ${dir} [--code CODE]`)
  for (const line of stoppedLines(result.stopped, `touchstone resume ${dir}`)) print(context, line)
  if (result.until !== undefined) print(context, `  ${untilText(result.until)}`)
  if (result.adapt !== undefined) print(context, ...adaptLines(result.adapt))
  if (result.status === 'submitted')
    print(context, `  batches are with their providers; to collect them: touchstone resume ${dir}`)
  if (result.status === 'budget')
    print(context, `  the next call could cost more than the limit leaves: touchstone resume ${dir} --max-usd MORE`)
}
