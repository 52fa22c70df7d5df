import { join } from 'node:path'
import { hint, type Paper, UsageError } from '../core/index.ts'
import type { PriceTable } from '../models/index.ts'
import type { PlanProgress, Report, ReportFormat, ReportInput } from '../report/index.ts'
import type {
  DryRun,
  ExecuteOptions,
  ExecuteResult,
  Experiment,
  OpenOptions,
  Run,
  RunShard,
  SourceCoverage,
} from '../runner/index.ts'
import type { Choice, Counts, RunFrames } from '../store/index.ts'
import type { ExperimentInput } from './experiment.ts'
import type { Installed } from './installed.ts'

/** An experiment, and the folder that it is run in. */
export interface RunRequest extends Omit<ExecuteOptions, 'random' | 'cancel' | 'lost'> {
  readonly experiment: ExperimentInput
  /** The run folder to make: new or empty. */
  readonly out: string
  /** At most this many indices of each source. */
  readonly limit?: number
  /** Ask about part `index` (from 0) of `of` parts of the items only; `merge` joins the parts. */
  readonly shard?: RunShard
  /** Survive power loss too, not only a killed process. */
  readonly durable?: boolean
  /** What models cost whose entry does not say it; left out: the prices of the package. */
  readonly prices?: PriceTable
  /** Called once the run is made and nothing is asked yet: how many groups of each source are reached. */
  readonly onReach?: (reach: readonly SourceCoverage[]) => void
}

/** How to go on with a run. */
export interface ResumeRequest extends Omit<ExecuteOptions, 'random' | 'preflight'> {
  /** Go on with the ledger that is there, or a new one, though the run had come further. */
  readonly restart?: boolean
  /** First put failed cells back: those of these codes, or `all`. A code by which no failed cell failed is refused. */
  readonly retry?: 'all' | readonly string[]
}

/** How a run ended. */
export interface RunResult extends ExecuteResult {
  readonly schema: 'touchstone/run-result/1'
  /** Its folder. */
  readonly run: string
  /** Failed cells by code, with the message of one of them. */
  readonly failures: readonly { readonly code: string; readonly cells: number; readonly message: string }[]
  /** Cells that were put back, where that was asked for. */
  readonly retried?: number
}

/** A run of nobody would be done at once, with nothing in it. @throws UsageError */
function withModels(experiment: Experiment): Experiment {
  if (experiment.models.length > 0) return experiment
  throw new UsageError('an experiment needs models: who is asked, at least one, such as baseline:random')
}

export async function planRun(
  here: Installed,
  { experiment, limit, prices, shard }: Pick<RunRequest, 'experiment' | 'limit' | 'prices' | 'shard'>,
): Promise<DryRun> {
  const { dryRun, parseExperiment } = await import('../runner/index.ts')
  return dryRun(withModels(parseExperiment(experiment)), await here.runContext(prices), limit, shard)
}

export async function newRun(here: Installed, request: RunRequest): Promise<RunResult> {
  const { createRun, executeRun, parseExperiment, runCoverage, withRun } = await import('../runner/index.ts')
  const { experiment, out, limit, shard, durable, prices, onReach, ...options } = request
  const create = {
    experiment: withModels(parseExperiment(experiment)),
    dir: out,
    ...(limit === undefined ? {} : { limit }),
    ...(shard === undefined ? {} : { shard }),
    ...(durable === undefined ? {} : { durable }),
    ...(options.offline === undefined ? {} : { offline: options.offline }),
  }
  const run = await createRun(create, await here.runContext(prices))
  return withRun(run, async (open) => {
    onReach?.(runCoverage(open))
    return ended(open, await executeRun(open, options))
  })
}

/** Models that are asked the items of an imported run. */
export interface AskImportedRequest extends Omit<RunRequest, 'experiment' | 'shard' | 'prices' | 'onReach'> {
  /** Who is asked, and how: its items are those of the imported run. */
  readonly experiment: Omit<ExperimentInput, 'items' | 'selection'>
  readonly styles?: readonly string[]
  readonly prices?: PriceTable
}

/** Asks models the items of an imported release, in a run of its own. */
export async function askImported(here: Installed, from: string, request: AskImportedRequest): Promise<RunResult> {
  const { createRunOfImport, executeRun, parseExperiment, withRun } = await import('../runner/index.ts')
  const { experiment, out, styles, limit, durable, prices, ...options } = request
  // Of an experiment everything but its items is read here.
  const asked = withModels(parseExperiment({ ...experiment, items: [{ task: from }] }))
  if (asked.until !== undefined)
    throw new UsageError('until is of items that are drawn: leave it out for imported ones')
  if (asked.adapt !== undefined)
    throw new UsageError('adapt is of items that are drawn: leave it out for imported ones')
  const create = {
    from,
    dir: out,
    experiment: asked,
    ...(styles === undefined ? {} : { styles }),
    ...(limit === undefined ? {} : { limit }),
    ...(durable === undefined ? {} : { durable }),
  }
  const run = await createRunOfImport(create, await here.runContext(prices))
  return withRun(run, async (open) => ended(open, await executeRun(open, options)))
}

export async function resumeRun(here: Installed, dir: string, request: ResumeRequest): Promise<RunResult> {
  const { executeRun, retryFailed } = await import('../runner/index.ts')
  const { restart = false, retry, ...options } = request
  return onRun(here, dir, { mode: 'write', restart }, async (run) => {
    const codes = retry === 'all' ? undefined : retry
    if (codes !== undefined) rejectOtherCodes(run, codes)
    return ended(run, retry === undefined ? await executeRun(run, options) : await retryFailed(run, codes, options))
  })
}

/** @throws UsageError where cells have failed, and none of them by one of these codes. */
function rejectOtherCodes({ dir, ledger }: Run, codes: readonly string[]): void {
  const known = ledger.failures()
  const other = codes.find((code) => !known.some((failure) => failure.code === code))
  if (other === undefined || known.length === 0) return
  const names = known.map(({ code }) => code)
  const counted = known.map(({ code, calls }) => `${code} (${calls})`)
  throw new UsageError(`no cell of ${dir} failed by ${other}${hint(other, names)}; there are ${counted.join(', ')}`)
}

async function ended(run: Run, result: ExecuteResult & { readonly retried?: number }): Promise<RunResult> {
  const failures = run.ledger.failures().map(({ calls, ...rest }) => ({ ...rest, cells: calls }))
  return { schema: 'touchstone/run-result/1', run: run.dir, ...result, failures }
}

/** What of a run is reported, and how. */
export interface ReportRequest {
  /** Whose verdicts count; left out: the one chosen for each model, else `strict`. */
  readonly parser?: string
  /** Only analyses with one of these ids, or the start of one. */
  readonly only?: readonly string[]
  /** A SQL condition over the columns of the rows. */
  readonly where?: string
  /** Put the printed results of papers beside and after its own: all that belong to its tasks, or the tables with these ids. */
  readonly reference?: boolean | readonly string[]
  /** The folder to write; left out: `report` in the run. */
  readonly out?: string
  /** What to write; left out: all but png; none: nothing is written. */
  readonly formats?: readonly ReportFormat[]
}

/** A report, and the files that it was written to. */
export interface ReportResult {
  readonly report: Report
  readonly out: string
  /** Paths below `out`, in the order written. */
  readonly files: readonly string[]
}

export async function reportRun(here: Installed, dir: string, request: ReportRequest): Promise<ReportResult> {
  const { RUN_FILES } = await import('../runner/index.ts')
  const { writeReportFiles } = await import('../report/index.ts')
  const { formats, out = join(dir, RUN_FILES.report) } = request
  // The rows are let go of before anything is drawn.
  const report = await onRun(here, dir, { mode: 'read' }, (run) => reportOf(here, run, request))
  const nothing = formats?.length === 0
  const files = nothing ? [] : await writeReportFiles(report, { out, ...(formats === undefined ? {} : { formats }) })
  return { report, out, files }
}

async function reportOf(here: Installed, run: Run, request: ReportRequest): Promise<Report> {
  const { loadAdaptive, loadReferences, groupFacts, UNNAMED, loadSequentialTest } = await import('../runner/index.ts')
  const { loadFrames } = await import('../store/index.ts')
  const { isWanted, makeReportInTurns } = await import('../report/index.ts')
  const { parser, only, where, reference = false } = request
  const {
    dir,
    file: { name },
  } = run
  const frames = await loadFrames(run, where === undefined ? {} : { where })
  const plan = planOf(await run.ledger.counts())
  if (frames.length === 0) throw new UsageError(await noRows(run, where, frames))
  const until = await loadSequentialTest(run)
  const adapt = await loadAdaptive(run)
  const input = {
    run: dir,
    ...(name === UNNAMED ? {} : { name }),
    plan,
    ...(until === null ? {} : { until }),
    ...(adapt === null ? {} : { adapt }),
    frames,
    tasks: here.runnable,
    selection: selectionOf(run),
    references: await loadReferences(run),
    facts: await groupFacts(run),
    ...(parser === undefined ? {} : { parser }),
    ...(only === undefined ? {} : { only }),
    ...(reference === false ? {} : { reference: printedResults(here, run, reference, (id) => isWanted(id, only)) }),
  }
  return makeReportInTurns(input)
}

/** How much of a plan has been answered, right or not. */
function planOf({ waiting, leased, batched, done, failed }: Counts): PlanProgress {
  const open = waiting + leased + batched
  return { cells: open + done + failed, open }
}

/** The store that the cells of a run are in, or that it is a copy of; null: they are in its folder. */
export async function movedTo({ ledger }: Run): Promise<string | null> {
  const { STORE_KEY } = await import('../runner/index.ts')
  const moved = await ledger.meta(STORE_KEY)
  return moved === '' ? null : moved
}

/** Why there is nothing to count. */
export async function noRows(run: Run, where: string | undefined, { specs }: RunFrames): Promise<string> {
  const { columnTypesIn } = await import('../store/index.ts')
  const { cells, open } = planOf(await run.ledger.counts())
  if (where === undefined || open === cells) {
    const moved = await movedTo(run)
    const next =
      moved === null
        ? `touchstone resume ${run.dir}`
        : `its cells are in a store (${moved}): touchstone worker asks them`
    return `${run.dir} holds no responses yet: ${next}`
  }
  const types = columnTypesIn(where, specs)
  return `no row of ${run.dir} fits the condition "${where}"${types === '' ? '' : ` (${types})`}: leave out \`where\`, or ask for less`
}

/**
 * What papers print: the tables that are asked for, or all of the papers that the tasks of the run come from, and of others
 * those that something of the run stands beside. Of all, those that are wanted.
 */
function printedResults(
  { families }: Installed,
  run: Run,
  asked: true | readonly string[],
  wanted: (id: string) => boolean,
): NonNullable<ReportInput['reference']> {
  const tasks = new Set(run.file.sources.map(({ task }) => task))
  return families.flatMap(({ paper, tasks: own }) => {
    const besideOnly = asked !== true || !own.some(({ name }) => tasks.has(name))
    return (paper?.printed ?? [])
      .filter(({ id }) => (asked === true ? wanted(id) || wanted(`paper/${id}`) : asked.includes(id)))
      .map((printed) => ({ paper: paper as Paper, printed, besideOnly }))
  })
}

/** What was chosen on other items for the models of a run. */
const selectionOf = (run: Run): readonly Choice[] => run.file.models.flatMap((model) => model.selection ?? [])

/** Opens a run for some work, and lets go of it whatever happens. */
export async function onRun<T>(
  here: Installed,
  dir: string,
  options: OpenOptions,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const { openRun, withRun } = await import('../runner/index.ts')
  return withRun(await openRun(dir, await here.runContext(), options), work)
}
