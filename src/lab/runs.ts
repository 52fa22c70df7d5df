import { join } from 'node:path'
import { z } from 'zod'
import { defined } from '../core/defined.ts'
import { hint, type Paper, type Task, UsageError } from '../core/index.ts'
import { loadAdaptive } from '../extras/adaptive/index.ts'
import { loadSequentialTest } from '../extras/sequential/index.ts'
import { costsMoney, factsOf, type Provider } from '../models/index.ts'
import {
  isWanted,
  makeReportInTurns,
  type PlanProgress,
  type Report,
  type ReportInput,
  writeReportFiles,
} from '../report/index.ts'
import {
  createRun,
  createRunOfImport,
  type DryRun,
  dryRun,
  type ExecuteResult,
  type Experiment,
  executeRun,
  factsOfRun,
  loadReferences,
  type OpenOptions,
  openRun,
  parseExperiment,
  type RepairResult,
  RUN_FILES,
  type Run,
  type RunContext,
  repairRun,
  retryFailed,
  runCoverage,
  STORE_KEY,
  UNNAMED,
  withRun,
} from '../runner/index.ts'
import { type Choice, type Counts, columnTypesIn, loadFrames, type RunFrames } from '../store/index.ts'
import type { Environment } from './environment.ts'
import { version } from './package.ts'
import { keepQuestions } from './plugins.ts'
import {
  type planRequest,
  rejectOptions,
  type reportRequest,
  type resumeRequest,
  type runImportedRequest,
  type runRequest,
  type Valid,
} from './requests/index.ts'
import { errorsOf, type RunResult, toWorkResult } from './run-result.ts'

export type { RunResult } from './run-result.ts'

/** @throws UsageError where there is no model, or one that cannot score the items. */
function checkedExperiment(input: unknown, context: RunContext): Experiment {
  const experiment = parseExperiment(input)
  if (experiment.models.length === 0)
    throw new UsageError('an experiment needs models. Example: models: [baseline:random]')
  for (const { task: name } of experiment.items) {
    // The items of a task without parsers are scored by log-probability.
    const task = context.tasks(name)
    if (task === undefined || task.parsers !== undefined) continue
    const chats = experiment.models.filter(({ model }) => isChatApi(model, context.providers))
    if (chats.length > 0)
      throw new UsageError(
        `${name} has loglikelihood items, and ${chats.map(({ model }) => model).join(', ')} only chats. ` +
          'Use a model that returns log-probabilities of given text, e.g. completions:MODEL or gguf:FILE',
      )
  }
  return experiment
}

/** Chat APIs cannot score given text; programs, recordings and embedded models may. */
const isChatApi = (model: string, all: readonly Provider[]): boolean =>
  !/^(?:hybrid:)*exec:/u.test(model) && costsMoney(model, all) && factsOf(model, all).kind === 'chat'

export async function planRun(
  here: Environment,
  { experiment, count, prices, shard }: Valid<typeof planRequest>,
): Promise<DryRun> {
  const context = await here.runContext(prices)
  return dryRun(checkedExperiment(experiment, context), context, count, shard)
}

export async function newRun(here: Environment, request: Valid<typeof runRequest>): Promise<RunResult> {
  const { experiment, out, prices, onReach, ...options } = request
  const context = await here.runContext(prices)
  const create = { ...options, experiment: checkedExperiment(experiment, context), dir: out }
  return withRun(await createRun(create, context), async (run) => {
    keepQuestions(here.plugins, out)
    onReach?.(runCoverage(run))
    return toRunResult(run, await executeRun(run, options))
  })
}

/** Runs models on the items of an imported release, in a separate run. */
export async function runImported(
  here: Environment,
  from: string,
  request: Valid<typeof runImportedRequest>,
): Promise<RunResult> {
  const { experiment: input, out, prices, ...options } = request
  // The items are those of the imported run; the rest of the experiment is read here.
  const context = await here.runContext(prices)
  const experiment = checkedExperiment({ ...input, items: [{ task: from }] }, context)
  rejectOptions(experiment, ['until', 'adapt'], 'not for imported items')
  const create = { ...options, from, dir: out, experiment }
  return withRun(await createRunOfImport(create, context), async (run) =>
    toRunResult(run, await executeRun(run, options)),
  )
}

export async function resumeRun(
  here: Environment,
  dir: string,
  request: Valid<typeof resumeRequest>,
): Promise<RunResult> {
  const { acceptOlderLedger = false, retryErrors = false, errorCodes, ...options } = request
  if (retryErrors && options.cancelBatches === true) throw new UsageError(EXCLUSIVE)
  if (!retryErrors) rejectOptions(request, ['errorCodes'], 'only with --retry-errors')
  const context = await here.runContext(undefined, request)
  return withRun(await openRun(dir, context, { mode: 'write', acceptOlderLedger }), async (run) => {
    requireKnownCodes(run, errorCodes ?? [])
    return toRunResult(run, retryErrors ? await retryFailed(run, errorCodes, options) : await executeRun(run, options))
  })
}

const EXCLUSIVE = '--repair, --retry-errors and --cancel-batches exclude one another'

/** Continues a run, or rebuilds its ledger. */
export const resumeOrRepair = (
  here: Environment,
  dir: string,
  request: Valid<typeof resumeRequest>,
): Promise<RunResult | RepairResult> => (request.repair === true ? repairLedger : resumeRun)(here, dir, request)

/** Rebuilds a damaged ledger. @throws UsageError for options of calls. */
async function repairLedger(
  here: Environment,
  dir: string,
  request: Valid<typeof resumeRequest>,
): Promise<RepairResult> {
  rejectOptions(request, ['retryErrors', 'cancelBatches'], EXCLUSIVE)
  const given = Object.keys(request) as (keyof typeof request)[]
  rejectOptions(
    request,
    given.filter((key) => key !== 'repair'),
    '--repair calls no model',
  )
  return repairRun(dir, await here.runContext())
}

/** @throws UsageError where calls ended in an error, and none of them with one of these codes. */
function requireKnownCodes({ dir, ledger }: Run, codes: readonly string[]): void {
  const known = ledger.failures()
  const other = codes.find((code) => !known.some((failure) => failure.code === code))
  if (other === undefined || known.length === 0) return
  const names = known.map(({ code }) => code)
  const counted = known.map(({ code, calls }) => `${code} (${calls})`)
  throw new UsageError(
    `no call of ${dir} has the error code "${other}"${hint(other, names)}; it has ${counted.join(', ')}`,
  )
}

const toRunResult = (run: Run, result: ExecuteResult & { readonly retried?: number }): RunResult => ({
  schema: 'touchstone/run-result/1',
  run: run.dir,
  ...toWorkResult(result),
  errors: errorsOf(run),
})

/** A report and the files that it was written to. */
export interface ReportResult {
  readonly report: Report
  readonly out: string
  /** Paths below `out`, in the order written. */
  readonly files: readonly string[]
}

export async function reportRun(
  here: Environment,
  dir: string,
  request: Valid<typeof reportRequest>,
): Promise<ReportResult> {
  const { formats, out = join(dir, RUN_FILES.report) } = request
  const { out: _, ...made } = request
  // The rows are freed before anything is drawn.
  const report = await onRun(here, dir, { mode: 'read' }, async (run) => ({
    ...(await reportOf(here, run, request)),
    made: { version, ...made },
  }))
  const files = formats?.length === 0 ? [] : await writeReportFiles(report, { out, ...defined({ formats }) })
  return { report, out, files }
}

/** The report of an open run, with nothing written. */
export async function reportOf(here: Environment, run: Run, request: Valid<typeof reportRequest>): Promise<Report> {
  const { parser, analyses, where, withPaper = false } = request
  const {
    dir,
    file: { name },
  } = run
  const frames = await loadFrames(run, defined({ where }))
  const plan = planOf(await run.ledger.counts())
  if (frames.length === 0) throw new UsageError(await noRows(run, where, frames))
  const input = {
    run: dir,
    plan,
    ...defined({
      name: name === UNNAMED ? undefined : name,
      until: (await loadSequentialTest(run)) ?? undefined,
      adapt: (await loadAdaptive(run)) ?? undefined,
      parser,
      only: analyses,
      reference: withPaper === false ? undefined : paperTables(here, run, withPaper, (id) => isWanted(id, analyses)),
    }),
    frames,
    tasks: tasksOf(here, [frames]),
    selection: selectionOf(run),
    references: await loadReferences(run),
    facts: await factsOfRun(run),
  }
  return makeReportInTurns(input)
}

/** Prefix of columns of features. */
const FEATURE = 'feature_'

/** The tasks that a run may hold; that of logs, which declares no features, with those of the rows. */
export function tasksOf({ runnable }: Pick<Environment, 'runnable'>, frames: readonly RunFrames[]): readonly Task[] {
  const columns = frames.flatMap(({ specs }) => specs.filter(({ name }) => name.startsWith(FEATURE)))
  const features = columns.map(({ name, type }) => {
    const isNumber = type === 'number' || type === 'integer'
    const schema = (isNumber ? z.number() : type === 'boolean' ? z.boolean() : z.string()).nullable()
    return [name.slice(FEATURE.length), schema.meta({ role: isNumber ? 'difficulty' : 'stratum' })] as const
  })
  return runnable.map((task) =>
    task.asGiven === 'scores' ? { ...task, features: z.object(Object.fromEntries(features)) } : task,
  )
}

/** How many calls are planned, and how many of them are open. */
export function planOf({ waiting, leased, batched, done, failed }: Counts): PlanProgress {
  const open = waiting + leased + batched
  return { calls: open + done + failed, open }
}

/** The store that the calls of a run are in, or that it is a copy of; null: they are in its folder. */
export async function storeOfRun({ ledger }: Run): Promise<string | null> {
  const moved = await ledger.meta(STORE_KEY)
  return moved === '' ? null : moved
}

/** Why there are no rows. */
export async function noRows(run: Run, where: string | undefined, { specs }: RunFrames): Promise<string> {
  const { calls, open } = planOf(await run.ledger.counts())
  if (where === undefined || open === calls) {
    const store = await storeOfRun(run)
    return `${run.dir} holds no responses yet: ${store === null ? `touchstone resume ${run.dir}` : `its calls are in a store (${store}): touchstone cluster worker`}`
  }
  const types = columnTypesIn(where, specs)
  return `no row of ${run.dir} matches the condition "${where}"${types === '' ? '' : ` (${types})`}. Leave out --where, or relax it`
}

/**
 * Printed tables of papers: those with the given ids, or all of the papers of the run's tasks, and of other papers those that
 * a table of the run stands beside. Of these, the wanted ones.
 */
function paperTables(
  { families }: Environment,
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

/** The selections that the models of a run were given. */
const selectionOf = (run: Run): readonly Choice[] => run.file.models.flatMap((model) => model.selection ?? [])

/** Opens a run for some work, and closes it whatever happens. */
export async function onRun<T>(
  here: Environment,
  dir: string,
  options: OpenOptions,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return withRun(await openRun(dir, await here.runContext(), options), work)
}
