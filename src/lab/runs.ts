import { join } from 'node:path'
import { defined } from '../core/defined.ts'
import { hint, type Paper, UsageError } from '../core/index.ts'
import { costsMoney, factsOf, type Provider } from '../models/index.ts'
import {
  isWanted,
  makeReportInTurns,
  type Plan,
  type Report,
  type ReportInput,
  writeReportFiles,
} from '../report/index.ts'
import {
  adaptOf,
  blindItems,
  createRun,
  createRunOfImport,
  type DryRun,
  dryRun,
  type ExecuteResult,
  type Experiment,
  executeRun,
  giveBack,
  groupFacts,
  lettingGo,
  MOVED_MARK,
  type OpenOptions,
  openRun,
  parseExperiment,
  type RepairResult,
  RUN_FILES,
  type Run,
  type RunContext,
  refreshRunRows,
  repairRun,
  retryFailed,
  runReach,
  UNNAMED,
  untilOf,
  withRun,
} from '../runner/index.ts'
import { type Choice, type Counts, loadFrames } from '../store/index.ts'
import { collecting } from './collecting.ts'
import type { Environment } from './environment.ts'
import {
  type planRequest,
  rejectOptions,
  type reportRequest,
  type resumeRequest,
  type runImportedRequest,
  type runRequest,
  type Valid,
} from './requests.ts'
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

/** The options of a call that the runner knows by other names. */
const executeOptions = <T extends RunnerOptions>({ maxUsd, canary, planOnly, ...rest }: T) => ({
  ...rest,
  ...defined({ usd: maxUsd, preflight: canary, ask: planOnly === true ? false : undefined }),
})

interface RunnerOptions {
  readonly maxUsd?: number
  readonly canary?: boolean
  readonly planOnly?: boolean
}

export async function newRun(here: Environment, request: Valid<typeof runRequest>): Promise<RunResult> {
  const { experiment, out, count, shard, fsync, prices, onReach, ...options } = request
  const context = await here.runContext(prices)
  const create = {
    experiment: checkedExperiment(experiment, context),
    dir: out,
    ...defined({ limit: count, shard, durable: fsync, offline: options.offline }),
  }
  return withRun(await createRun(create, context), async (run) => {
    onReach?.(runReach(run))
    return toRunResult(run, await executeRun(run, executeOptions(options)))
  })
}

/** Runs models on the items of an imported release, in a run of its own. */
export async function runImported(
  here: Environment,
  from: string,
  request: Valid<typeof runImportedRequest>,
): Promise<RunResult> {
  const { experiment: input, out, styles, count, fsync, prices, ...options } = request
  // The items are those of the imported run; the rest of the experiment is read here.
  const context = await here.runContext(prices)
  const experiment = checkedExperiment({ ...input, items: [{ task: from }] }, context)
  rejectOptions(experiment, ['until', 'adapt'], 'not for imported items')
  const create = { from, dir: out, experiment, ...defined({ styles, limit: count, durable: fsync }) }
  return withRun(await createRunOfImport(create, context), async (run) =>
    toRunResult(run, await executeRun(run, executeOptions(options))),
  )
}

export async function resumeRun(
  here: Environment,
  dir: string,
  request: Valid<typeof resumeRequest>,
): Promise<RunResult> {
  const { acceptOlderLedger = false, retryErrors = false, errorCodes, cancelBatches, batchIds, ...rest } = request
  const options = { ...executeOptions(rest), ...defined({ cancel: cancelBatches, lost: batchIds }) }
  if (retryErrors && cancelBatches === true) throw new UsageError(EXCLUSIVE)
  if (!retryErrors) rejectOptions(request, ['errorCodes'], 'only with --retry-errors')
  return onRun(here, dir, { mode: 'write', restart: acceptOlderLedger }, async (run) => {
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
  const counted = known.map(({ code, cells }) => `${code} (${cells})`)
  throw new UsageError(
    `no call of ${dir} has the error code "${other}"${hint(other, names)}; it has ${counted.join(', ')}`,
  )
}

/** Calls from which on a finished run writes its rows at once; fewer rows take no time when they are needed. */
const MANY = 5000

async function toRunResult(run: Run, result: ExecuteResult & { readonly retried?: number }): Promise<RunResult> {
  const { status, warnings, ...work } = toWorkResult(result)
  const finished = status === 'completed' || status === 'stopped-early'
  const more = finished && work.counts.done + work.counts.errors >= MANY ? await writeRows(run) : []
  return {
    schema: 'touchstone/run-result/1',
    run: run.dir,
    status,
    ...work,
    warnings: [...warnings, ...more],
    errors: errorsOf(run),
    ...defined({ retried: result.retried }),
  }
}

/** Rows only save time: a run without them is complete. @returns why they could not be written. */
async function writeRows(run: Run): Promise<readonly string[]> {
  try {
    await refreshRunRows(run)
    return []
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [`every response of this run is saved, but its rows could not be written: ${why}`]
  }
}

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
  // The rows are freed before anything is drawn.
  const report = await onRun(here, dir, { mode: 'read' }, (run) => reportOf(here, run, request))
  await giveBack()
  const files = formats?.length === 0 ? [] : await writeReportFiles(report, { out, ...defined({ formats }) })
  return { report, out, files }
}

async function reportOf(here: Environment, run: Run, request: Valid<typeof reportRequest>): Promise<Report> {
  const { parser, analyses, where, withPaper = false } = request
  const {
    dir,
    file: { name },
  } = run
  const path = await refreshRunRows(run)
  const frames = await collecting(loadFrames(path, defined({ where })))
  const plan = planOf(await run.ledger.counts())
  if (frames.length === 0) throw new UsageError(noRows(dir, where, plan, await storeOfRun(run)))
  const input = {
    run: dir,
    plan,
    ...defined({
      name: name === UNNAMED ? undefined : name,
      until: (await untilOf(run)) ?? undefined,
      adapt: (await adaptOf(run)) ?? undefined,
      parser,
      only: analyses,
      reference: withPaper === false ? undefined : paperTables(here, run, withPaper, (id) => isWanted(id, analyses)),
    }),
    frames,
    tasks: here.runnable,
    selection: selectionOf(run),
    blind: await blindItems(run),
    facts: await groupFacts(run),
  }
  return makeReportInTurns(input, lettingGo())
}

/** How many calls are planned, and how many of them are open. */
export function planOf({ waiting, leased, batched, done, failed }: Counts): Plan {
  const open = waiting + leased + batched
  return { cells: open + done + failed, open }
}

/** The store that the calls of a run are in, or that it is a copy of; null: they are in its folder. */
export async function storeOfRun({ ledger }: Run): Promise<string | null> {
  const moved = await ledger.meta(MOVED_MARK)
  return moved === '' ? null : moved
}

/** Why there are no rows. */
export const noRows = (dir: string, where: string | undefined, { cells, open }: Plan, moved: string | null): string =>
  where === undefined || open === cells
    ? `${dir} holds no responses yet: ${moved === null ? `touchstone resume ${dir}` : `its calls are in a store (${moved}): touchstone cluster worker`}`
    : `no row of ${dir} matches the condition "${where}". Leave out --where, or relax it`

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
const selectionOf = (run: Run): readonly Choice[] => run.file.models.flatMap((model) => model.choices ?? [])

/** Opens a run for some work, and closes it whatever happens. */
export async function onRun<T>(
  here: Environment,
  dir: string,
  options: OpenOptions,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return withRun(await openRun(dir, await here.runContext(), options), work)
}
