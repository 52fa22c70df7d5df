import { randomUUID } from 'node:crypto'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { defined, type PluginRecord, requireSamePlugins, UsageError } from '../../core/index.ts'
import { needsOf, type PriceTable, type Provider, type ProviderEnvironment } from '../../models/index.ts'
import {
  explained,
  Ledger,
  lockHolder,
  lockRun,
  makeFolder,
  type Redact,
  type RunLock,
  type RunStore,
  redactor,
  requireNoLinks,
  StoreError,
} from '../../store/index.ts'
import { checkModels } from '../calls/open-models.ts'
import type { RunExtension } from '../extensions.ts'
import { requirePrices } from '../money/cost.ts'
import { checkShard, indicesOf, type RunShard } from '../plan/call-order.ts'
import type { Experiment } from '../plan/experiment.ts'
import type { ItemMaker } from '../plan/make-ahead.ts'
import {
  type RunModel,
  requireTaskOf,
  resolveExperiment,
  resolveModels,
  type TaskLookup,
  urlSecrets,
} from '../plan/resolve.ts'
import { Sources } from '../plan/sources.ts'
import { rememberRun, type Trust } from '../trust.ts'
import {
  acceptLedger,
  explainNoRun,
  isPartialFile,
  ledgerState,
  markLedger,
  type RunFile,
  readRunFile,
  removeAbandoned,
  requireLedger,
  requireSameLedger,
  writeRunFile,
} from './run-file.ts'

/** What a run takes from its environment, as values. */
export interface RunContext {
  readonly tasks: TaskLookup
  /** Names of all tasks, for messages. */
  readonly taskNames: readonly string[]
  readonly providers: readonly Provider[]
  readonly around: ProviderEnvironment
  readonly software: { readonly package: string; readonly version: string }
  /** The loaded plugins, which the run may need. */
  readonly plugins?: readonly PluginRecord[]
  /** Prices of models whose experiment names none. Default: the prices of the package. */
  readonly prices?: PriceTable
  /** What runs may ask for beyond plain calls: `runExtensions`. Default: nothing. */
  readonly extensions?: readonly RunExtension[]
  /** Threads that make items where that takes long. Default: they are made in this thread. */
  readonly openItemMaker?: () => Promise<ItemMaker>
  /** What runs from elsewhere may ask of this machine. Default: nothing, and only what this process made is made here. */
  readonly trust?: Trust
}

/** What making calls needs of a run. */
export type CallInputs = Pick<Run, 'file' | 'sources' | 'redact'>

/** A run that can be executed, wherever its calls are stored. */
export interface WorkRun extends CallInputs {
  readonly context: RunContext
  readonly ledger: RunStore
}

/** An open run folder. Dispose of it to release its lock. */
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
  readonly count?: number
  /** Run only a part of the items; `mergeRuns` joins the parts. */
  readonly shard?: RunShard
  /** Commits survive power loss too. */
  readonly fsync?: boolean
  /** Models are not checked: their responses come from the cache. */
  readonly offline?: boolean
}

export interface OpenOptions {
  /** `write` takes the lock. */
  readonly mode: 'read' | 'write'
  readonly fsync?: boolean
  /** Accept the ledger that is there, or a new one, though the run had more responses. */
  readonly acceptOlderLedger?: boolean
  /** Accept other plugins than the run was made with, since nothing is generated, called or scored. Default: `write` rejects them. */
  readonly otherPlugins?: boolean
}

/** Key of the fact in the ledger that an imported release was read to its end. */
export const IMPORT_KEY = 'import'

export const RUN_FILES = {
  run: 'run.json',
  ledger: 'ledger.db',
  lock: 'run.lock',
  reserve: 'reserve.tmp',
  live: 'live.json',
  report: 'report',
  /** Labels of people, by call. */
  people: 'people.json',
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
  const { experiment, count, shard } = options
  const { items, limits } = experiment
  // Some plans take seconds: a missing key or a misspelt model is reported before.
  for (const entry of items) requireTaskOf(entry, context.tasks, context.taskNames)
  const models = resolveModels(experiment, items, context.prices)
  requirePrices(models, limits.usd, context.providers)
  await checkModels({ models, sources: items, limits }, context, options.offline ?? false)
  const resolved = resolveExperiment(experiment, context, count)
  if (shard !== undefined) checkShard(shard, indicesOf(resolved))
  if (shard !== undefined && resolved.until !== undefined)
    throw new UsageError('until and --shard exclude each other: a shard does not see the results of the whole run')
  if (shard !== undefined && resolved.adapt !== undefined)
    throw new UsageError('adapt and --shard exclude each other: the next items depend on all answers so far')
  const secrets = secretNames(resolved.models, context)
  const run = await newRun(options, defined({ ...resolved, secrets, shard }), context)
  rememberRun(run.file, context)
  return run
}

/** Makes a run folder from what is already resolved. */
export async function newRun(
  options: { readonly dir: string; readonly fsync?: boolean },
  run: Pick<RunFile, 'name' | 'seed' | 'sources' | 'shard' | 'models' | 'limits' | 'until' | 'adapt' | 'secrets'>,
  context: RunContext,
): Promise<Run> {
  const file: RunFile = defined({
    schema: 'touchstone/run/1' as const,
    id: randomUUID(),
    name: run.name,
    created: new Date().toISOString(),
    seed: run.seed,
    software: { ...context.software, node: process.versions.node },
    plugins: context.plugins,
    sources: run.sources,
    shard: run.shard,
    models: run.models,
    limits: run.limits,
    until: run.until,
    adapt: run.adapt,
    secrets: run.secrets,
  })
  return bringRun(options, file, context)
}

/** Makes the folder of a new run, or of one that began elsewhere; its ledger is empty. */
export async function bringRun(
  options: { readonly dir: string; readonly fsync?: boolean },
  { ledgerState: _state, ...file }: RunFile,
  context: RunContext,
): Promise<Run> {
  const { dir } = options
  await requireEmptyFolder(dir)
  await makeFolder(dir)
  await requireNoLinks(dir)
  const lock = lockRun(join(dir, RUN_FILES.lock))
  try {
    // Another process may have made its run here before the lock was taken.
    await requireEmptyFolder(dir)
    await writeRunFile(join(dir, RUN_FILES.run), file, redactorOf(file, context).shapes)
    const fsync = options.fsync ?? false
    const made = assemble(dir, file, context, { mode: 'write', fsync }, lock)
    await markLedger(made.ledger, file)
    // Whatever becomes of the log, the file says whose ledger it is.
    made.ledger.checkpoint()
    await saveLedgerState(made)
    return made
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

/**
 * Opens a run folder. In `write` mode it takes the lock and gives back the leases of a dead process.
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
  if (!there) throw new UsageError(`${dir} is not a run folder: ${await explainNoRun(dir, RUN_FILES.run)}`)
  await requireNoLinks(dir)
  const file = await readRunFile(join(dir, RUN_FILES.run))
  const acceptOlderLedger = options.acceptOlderLedger ?? false
  if (options.mode === 'read') return requireWholeImport(await assembleKnown(dir, file, context, options, null))
  if (options.otherPlugins !== true) requireSamePlugins(file.plugins ?? [], context.plugins ?? [], 'this command')
  const lock = lockRun(join(dir, RUN_FILES.lock))
  try {
    const run = await requireWholeImport(await assembleKnown(dir, file, context, options, lock))
    if (acceptOlderLedger) await acceptLedger(run.ledger, file)
    // The process that made run.json may have died before it marked the ledger.
    else if (file.ledgerState === undefined) await markLedger(run.ledger, file)
    await removeAbandoned(dir)
    await run.ledger.reclaim()
    if (acceptOlderLedger) await saveLedgerState(run)
    return run
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

/** Opens the ledger that run.json knows. @throws UsageError for another one */
async function assembleKnown(
  dir: string,
  file: RunFile,
  context: RunContext,
  options: OpenOptions,
  lock: RunLock | null,
): Promise<Run> {
  if (options.acceptOlderLedger === true) return assemble(dir, file, context, options, lock)
  requireLedger(dir, join(dir, RUN_FILES.ledger), file)
  const run = assemble(dir, file, context, options, lock)
  try {
    await requireSameLedger(dir, run.ledger, file)
    return run
  } catch (error) {
    await run.ledger[Symbol.asyncDispose]()
    throw error
  }
}

/** @throws StoreError if the folder was moved away: what is at its path now belongs to somebody else. */
export function requireInPlace({ dir, lock }: Run): void {
  if (lock?.isInPlace() !== false) return
  throw new StoreError(
    'missing',
    `${dir} was moved or replaced while this process worked on its run. What was saved is where the folder is now: touchstone resume FOLDER`,
  )
}

/** Writes into run.json how far the ledger is. @throws StoreError where another folder is in the place of this one */
export async function saveLedgerState(run: Run): Promise<void> {
  requireInPlace(run)
  const file = { ...run.file, ledgerState: ledgerState(run.ledger) }
  await writeRunFile(join(run.dir, RUN_FILES.run), file, run.redact.shapes)
}

/** An import that was interrupted would look like a finished run. */
async function requireWholeImport(run: Run): Promise<Run> {
  const { dir, file, ledger } = run
  if (!file.sources.some(({ kind }) => kind === 'imported') || (await ledger.meta(IMPORT_KEY)) !== null) return run
  const holder = run.lock === null ? lockHolder(join(dir, RUN_FILES.lock)) : null
  await ledger[Symbol.asyncDispose]()
  throw new UsageError(
    holder === null
      ? `the import into ${dir} was interrupted. Remove the folder and import again`
      : `process ${holder.pid} on ${holder.host} is importing into ${dir}: wait until it is done`,
  )
}

function assemble(dir: string, file: RunFile, context: RunContext, options: OpenOptions, lock: RunLock | null): Run {
  const redact = redactorOf(file, context)
  const readOnly = options.mode === 'read'
  const ledger = new Ledger(join(dir, RUN_FILES.ledger), { readOnly, fsync: options.fsync ?? false, redact })
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

/** What a process leaves that was killed before it wrote run.json: no run has begun. */
const LOCK = /^run\.lock(?:-journal)?$/u

/** @throws UsageError for a folder with a run, or with anything else */
export async function requireEmptyFolder(dir: string): Promise<void> {
  const entries = await readdir(dir).catch((): string[] => [])
  const others = entries.filter((name) => !LOCK.test(name) && !isPartialFile(name))
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
  ...new Set(models.flatMap(({ spec, options }) => needsOf(spec, options, context.providers).secrets ?? [])),
]

/**
 * Does `work` with an open run and closes the run whatever happens.
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
