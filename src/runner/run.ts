import { randomUUID } from 'node:crypto'
import { access, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PluginRecord, requireSamePlugins, UsageError } from '../core/index.ts'
import { type PriceTable, type Provider, type Surroundings, secretsOf } from '../models/index.ts'
import {
  explained,
  Ledger,
  lockHolder,
  lockRun,
  makeFolder,
  type Redact,
  type Refreshing,
  type RunLock,
  redactor,
  refreshRows,
  StoreError,
  type WorkStore,
} from '../store/index.ts'
import type { Experiment } from './experiment.ts'
import { isDraft, removeAbandoned } from './left-over.ts'
import { requirePrices } from './money.ts'
import { whyNone } from './no-run.ts'
import { acceptLedger, markLedger, reachedOf, rejectReplaced, rejectVanished } from './reached.ts'
import { type RunModel, resolveExperiment, resolveModels, type TaskLookup, taskAsked, urlSecrets } from './resolve.ts'
import { type RunFile, readRunFile, writeRunFile } from './run-file.ts'
import { checkModels } from './run-models.ts'
import { checkShard, indicesOf, type RunShard } from './shard.ts'
import { Sources } from './sources.ts'

/** What a run takes from its surroundings, as values. */
export interface RunContext {
  readonly tasks: TaskLookup
  /** Names of all tasks, for messages. */
  readonly taskNames: readonly string[]
  readonly providers: readonly Provider[]
  readonly around: Surroundings
  readonly software: { readonly package: string; readonly version: string }
  /** The plugins that are loaded, which the run may need. */
  readonly plugins?: readonly PluginRecord[]
  /** What models cost whose experiment does not say it; left out: the prices of the package. */
  readonly prices?: PriceTable
}

/** What calls need of a run. */
export type Asking = Pick<Run, 'file' | 'sources' | 'redact'>

/** A run that can be worked on, wherever its cells are kept. */
export interface WorkRun extends Asking {
  readonly context: RunContext
  readonly ledger: WorkStore
}

/** An open run folder. Dispose of it to let go of its lock. */
export interface Run extends AsyncDisposable {
  readonly dir: string
  readonly file: RunFile
  readonly ledger: Ledger
  readonly sources: Sources
  readonly context: RunContext
  readonly redact: { readonly known: Redact; readonly shapes: Redact }
  /** null: opened for reading. */
  readonly lock: RunLock | null
}

export interface CreateOptions {
  readonly experiment: Experiment
  readonly dir: string
  /** At most this many indices of each source. */
  readonly limit?: number
  /** Ask about a part of the items only; `mergeRuns` joins the parts. */
  readonly shard?: RunShard
  /** Commits survive power loss too. */
  readonly durable?: boolean
  /** Models are not reached: what they say is recorded. */
  readonly offline?: boolean
}

export interface OpenOptions {
  /** `write` takes the lock. */
  readonly mode: 'read' | 'write'
  readonly durable?: boolean
  /** Take the ledger that is there, or a new one, though the run had come further. */
  readonly restart?: boolean
  /** Nothing is made, asked or graded, or whoever opens the run looks at its plugins. Left out: `write` refuses others. */
  readonly otherPlugins?: boolean
}

/** The fact in the ledger of a published release that it was read to its end. */
export const IMPORT_MARK = 'import'

export const RUN_FILES = {
  run: 'run.json',
  ledger: 'ledger.db',
  lock: 'run.lock',
  rows: 'rows.parquet',
  reserve: 'reserve.tmp',
  live: 'live.json',
  report: 'report',
} as const

/**
 * Makes a run folder: checks the experiment and every model, writes run.json, opens the ledger. The plan itself is
 * written by `executeRun`, so that it can show progress and be taken up again.
 *
 * @throws UsageError for a wrong experiment or a folder that is in use, StoreError where the folder cannot be written.
 *
 * @example
 * import { createRun, parseExperiment, type RunContext } from '@touchstone-eval/touchstone/node'
 *
 * export const begin = (dir: string, experiment: unknown, context: RunContext) =>
 *   createRun({ dir, experiment: parseExperiment(experiment) }, context)
 */
export async function createRun(options: CreateOptions, context: RunContext): Promise<Run> {
  const { experiment, limit, shard } = options
  const { items, limits } = experiment
  // Some plans take seconds: a missing key or a misspelt model is told before.
  for (const entry of items) taskAsked(entry, context.tasks, context.taskNames)
  const models = resolveModels(experiment, items, context.prices)
  requirePrices(models, limits.usd, context.providers)
  await checkModels({ models, sources: items, limits }, context, options.offline ?? false)
  const resolved = resolveExperiment(experiment, context.tasks, context.taskNames, limit, context.prices)
  if (shard !== undefined) checkShard(shard, indicesOf(resolved))
  if (shard !== undefined && resolved.until !== undefined)
    throw new UsageError('until and a shard exclude each other: a part of a run cannot know what the whole does')
  if (shard !== undefined && resolved.adapt !== undefined)
    throw new UsageError('adapt and a shard exclude each other: what is asked next follows from all answers so far')
  const secrets = secretNames(resolved.models, context)
  return newRun(options, { ...resolved, secrets, ...(shard === undefined ? {} : { shard }) }, context)
}

/** Makes a run folder from what is already worked out. */
export async function newRun(
  options: { readonly dir: string; readonly durable?: boolean },
  run: Pick<RunFile, 'name' | 'seed' | 'sources' | 'shard' | 'models' | 'limits' | 'until' | 'adapt' | 'secrets'>,
  context: RunContext,
): Promise<Run> {
  const file: RunFile = {
    schema: 'touchstone/run/1',
    id: randomUUID(),
    name: run.name,
    created: new Date().toISOString(),
    seed: run.seed,
    software: { ...context.software, node: process.versions.node },
    ...(context.plugins === undefined ? {} : { plugins: context.plugins }),
    sources: run.sources,
    ...(run.shard === undefined ? {} : { shard: run.shard }),
    models: run.models,
    limits: run.limits,
    ...(run.until === undefined ? {} : { until: run.until }),
    ...(run.adapt === undefined ? {} : { adapt: run.adapt }),
    secrets: run.secrets,
  }
  return bringRun(options, file, context)
}

/** Makes the folder of a run that began elsewhere, or begins now; its ledger is empty. */
export async function bringRun(
  options: { readonly dir: string; readonly durable?: boolean },
  { reached: _reached, ...file }: RunFile,
  context: RunContext,
): Promise<Run> {
  const { dir } = options
  await rejectUsedFolder(dir)
  await makeFolder(dir)
  const lock = lockRun(join(dir, RUN_FILES.lock))
  try {
    // Another process may have made its run here before the lock was taken.
    await rejectUsedFolder(dir)
    await writeRunFile(join(dir, RUN_FILES.run), file, redactorOf(file, context).shapes)
    const durable = options.durable ?? false
    const made = assemble(dir, file, context, { mode: 'write', durable }, lock)
    await markLedger(made.ledger, file)
    await saveReached(made)
    return made
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

/**
 * Opens a run folder. In `write` mode it takes the lock and gives back what a dead process had in its hands.
 *
 * @throws UsageError where there is no run; in `write` mode also where it was made with plugins of other content than these.
 *
 * @example
 * import { openRun, type RunContext } from '@touchstone-eval/touchstone/node'
 *
 * export async function folderOf(dir: string, context: RunContext): Promise<string> {
 *   await using run = await openRun(dir, context, { mode: 'read' })
 *   return run.dir
 * }
 */
export async function openRun(dir: string, context: RunContext, options: OpenOptions): Promise<Run> {
  const there = await access(join(dir, RUN_FILES.run)).then(
    () => true,
    () => false,
  )
  if (!there) throw new UsageError(`${dir} is not a run folder: ${await whyNone(dir, RUN_FILES.run)}`)
  const file = await readRunFile(join(dir, RUN_FILES.run))
  const restart = options.restart ?? false
  if (options.mode === 'read') return rejectCutImport(await assembleKnown(dir, file, context, options, null))
  if (options.otherPlugins !== true) requireSamePlugins(file.plugins ?? [], context.plugins ?? [], 'this command')
  const lock = lockRun(join(dir, RUN_FILES.lock))
  try {
    const run = await rejectCutImport(await assembleKnown(dir, file, context, options, lock))
    if (restart) {
      await acceptLedger(run.ledger, file)
      await rm(join(dir, RUN_FILES.rows), { force: true })
    }
    // The process that made run.json may have died before it marked the ledger.
    else if (file.reached === undefined) await markLedger(run.ledger, file)
    await removeAbandoned(dir)
    await run.ledger.reclaim()
    if (restart) await saveReached(run)
    return run
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

/** Opens a ledger that is the one run.json and rows.parquet know. @throws UsageError for another one */
async function assembleKnown(
  dir: string,
  file: RunFile,
  context: RunContext,
  options: OpenOptions,
  lock: RunLock | null,
): Promise<Run> {
  if (options.restart === true) return assemble(dir, file, context, options, lock)
  rejectVanished(dir, join(dir, RUN_FILES.ledger), file)
  const run = assemble(dir, file, context, options, lock)
  try {
    await rejectReplaced(dir, run.ledger, file, join(dir, RUN_FILES.rows))
    return run
  } catch (error) {
    await run.ledger[Symbol.asyncDispose]()
    throw error
  }
}

/** Writes into run.json how far the ledger is. */
export async function saveReached(run: Run): Promise<void> {
  const reached = reachedOf(run.ledger)
  await writeRunFile(join(run.dir, RUN_FILES.run), { ...run.file, reached }, run.redact.shapes)
}

/** A release that was not read to its end looks like a finished run. */
async function rejectCutImport(run: Run): Promise<Run> {
  const { dir, file, ledger } = run
  if (!file.sources.some(({ kind }) => kind === 'imported') || (await ledger.meta(IMPORT_MARK)) !== null) return run
  const holder = run.lock === null ? lockHolder(join(dir, RUN_FILES.lock)) : null
  await ledger[Symbol.asyncDispose]()
  throw new UsageError(
    holder === null
      ? `the import into ${dir} was cut short: remove the folder and import again`
      : `process ${holder.pid} on ${holder.host} is importing into ${dir}: wait until it is done`,
  )
}

function assemble(dir: string, file: RunFile, context: RunContext, options: OpenOptions, lock: RunLock | null): Run {
  const redact = redactorOf(file, context)
  const readOnly = options.mode === 'read'
  const ledger = new Ledger(join(dir, RUN_FILES.ledger), { readOnly, durable: options.durable ?? false, redact })
  return {
    dir,
    file,
    ledger,
    sources: new Sources(file.sources, context.tasks),
    context,
    redact,
    lock,
    async [Symbol.asyncDispose]() {
      try {
        await ledger[Symbol.asyncDispose]()
      } finally {
        lock?.[Symbol.dispose]()
      }
    },
  }
}

/**
 * Brings rows.parquet up to date. @returns its path.
 *
 * @example
 * import { openRun, refreshRunRows, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const rowsOf = async (dir: string, context: RunContext): Promise<string> =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => refreshRunRows(run))
 */
export async function refreshRunRows(run: Run, refreshing: Refreshing = {}): Promise<string> {
  const path = join(run.dir, RUN_FILES.rows)
  try {
    await refreshRows(run.ledger, path, refreshing)
    return path
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'read-only')) throw error
    // A run in a folder that cannot be written is read by rows made elsewhere.
    const elsewhere = join(await mkdtemp(join(tmpdir(), 'touchstone-rows-')), RUN_FILES.rows)
    await refreshRows(run.ledger, elsewhere, refreshing)
    return elsewhere
  }
}

/** What a process leaves that was killed before its run.json was there: no run has begun. */
const LOCK = /^run\.lock(?:-journal)?$/u

/** @throws UsageError where a folder holds a run, or anything else. */
export async function rejectUsedFolder(dir: string): Promise<void> {
  const entries = await readdir(dir).catch((): string[] => [])
  const others = entries.filter((name) => !LOCK.test(name) && !isDraft(name))
  if (entries.includes(RUN_FILES.run))
    throw new UsageError(
      `${dir} holds a run already. Continue it: touchstone resume ${dir}. Or choose another folder: --out DIR`,
    )
  if (others.length > 0) throw new UsageError(`${dir} is not empty: give a new or an empty folder for the run`)
}

/** Hides the secrets of the environment, of the variables the run names, and those inside its base URLs. */
export function redactorOf(file: RunFile, context: RunContext): Run['redact'] {
  const { env } = context.around
  const urls = Object.entries(env).filter(
    ([name]) => name.endsWith('_URL') || file.models.some(({ options }) => options.baseUrlEnv === name),
  )
  return redactor(
    env,
    file.secrets,
    urls.flatMap(([, value]) => urlSecrets(value ?? '')),
  )
}

/** Environment variables with the secrets of these models. @throws UsageError for a spec that no provider reads. */
export const secretNames = (models: readonly RunModel[], context: Pick<RunContext, 'providers'>): readonly string[] => [
  ...new Set(models.flatMap(({ spec, options }) => secretsOf(spec, options, context.providers))),
]

/**
 * Runs `work` on an open run and lets go of the run whatever happens.
 *
 * @example
 * import { openRun, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const ledgerOf = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'read' }), async ({ dir }) => dir)
 */
export async function withRun<T>(run: Run, work: (run: Run) => Promise<T>): Promise<T> {
  try {
    return await work(run)
  } finally {
    await explained(run.dir, async () => {
      await run[Symbol.asyncDispose]()
    })
  }
}
