import { hostname } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../core/index.ts'
import type { Model } from '../../models/index.ts'
import { DiskReserve } from '../../store/index.ts'
import { closeModels, openModels } from '../calls/open-models.ts'
import { type Recording, requireExtensions, type StartExtension } from '../extensions.ts'
import { RUN_FILES, type Run, requireInPlace, saveLedgerState, type WorkRun } from '../folder/run.ts'
import { requireInFolder } from '../folder/run-file.ts'
import { saveStopped } from '../limits/circuit-breaker.ts'
import { requireMaxTokens, requirePrices } from '../money/cost.ts'
import { writePlan } from '../plan/plan.ts'
import { requireSamePrompts } from '../plan/prompts.ts'
import { LiveFile } from '../progress/progress.ts'
import type { ExecuteOptions, ExecuteResult, ExecutionContext } from './execute-options.ts'
import { Execution } from './execution.ts'

export type { ExecuteOptions, ExecuteResult } from './execute-options.ts'

/** Longer than any call with its retries: the run lock already keeps other processes out. */
const LEASE_MS = 24 * 3600 * 1000
/** Disk space for saving what is in flight when the disk turns out to be full. */
const RESERVE_BYTES = 4 * 1024 * 1024

/**
 * Makes every planned call that has no response yet, in this process. Each call ends with exactly one response or as an
 * error; what is on disk is never called again.
 *
 * @throws UsageError if `maxUsd` is given and a model has no price, if the run is in a store, or if a task makes other prompts now.
 * @throws StoreError when results cannot be saved: calls stop at once, those in flight are awaited and saved if that is
 *   possible after all.
 *
 * @example
 * import { executeRun, openRun, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const finish = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => executeRun(run))
 */
export async function executeRun(run: Run, options: ExecuteOptions = {}): Promise<ExecuteResult> {
  const { file, context, ledger, redact } = run
  const costLimit = options.maxUsd ?? file.limits.usd ?? null
  await requireInFolder(run)
  requirePrices(file.models, options.maxUsd, context.providers)
  requireExtensions(file, context.extensions ?? [])
  if (await makesPrompts(run, options)) requireSamePrompts(run)
  const recording = await openRecording(run, options)
  const models = await openModels(file, context, `touchstone resume ${run.dir}`, recording)
  try {
    if (options.offline !== true) requireMaxTokens(file.models, models, costLimit)
    const planned = await writePlan(run, models, options.stop, options.onPlan)
    if (!planned || options.planOnly === true)
      return {
        status: planned ? 'planned' : 'interrupted',
        counts: await ledger.counts(),
        ignoredSettings: {},
        costUsd: await bookedUsd(run),
        warnings: run.sources.shortages(),
        stoppedModels: {},
      }
    const isOurs = (): boolean => run.lock?.isInPlace() !== false
    const reserve = await DiskReserve.take(join(run.dir, RUN_FILES.reserve), RESERVE_BYTES, isOurs)
    const live = new LiveFile(join(run.dir, RUN_FILES.live), redact.shapes, isOurs)
    const watched: ExecuteOptions = {
      ...options,
      onProgress(progress) {
        live.write(progress)
        options.onProgress?.(progress)
      },
    }
    try {
      const execution = new Execution(run, models, watched, {
        owner: `${hostname()}/${process.pid}`,
        leaseMs: LEASE_MS,
        costLimit,
        booked: await bookedUsd(run),
        earlier: ledger,
        extensions: await openExtensions(run, options, run),
        async recordProgress() {
          requireInPlace(run)
          await saveLedgerState(run).catch(() => undefined)
        },
        release: () => reserve.release(),
      })
      const result = await execution.finish()
      await saveStopped(run, result.stoppedModels)
      requireInPlace(run)
      return { ...result, warnings: [...run.sources.shortages(), ...result.warnings, ...(recording?.warnings() ?? [])] }
    } finally {
      await reserve.release()
      await live.remove()
      // If run.json cannot be written the older state stays in it, which is true as well.
      await saveLedgerState(run).catch(() => undefined)
    }
  } finally {
    await closeModels(models)
  }
}

/** Will prompts be made? Also for calls in batches: a line that failed there is sent again. */
async function makesPrompts({ ledger }: Run, { cancelBatches = false }: ExecuteOptions): Promise<boolean> {
  const { waiting, leased, batched } = await ledger.counts()
  return !cancelBatches && ((await ledger.meta('planned')) !== 'yes' || waiting + leased + batched > 0)
}

/** Works on what waits in a store that others work on, too; the store keeps to the cost limit. */
export async function executeShared(
  run: WorkRun,
  models: readonly Model[],
  worker: Pick<ExecutionContext, 'owner' | 'leaseMs' | 'extensions'>,
  options: ExecuteOptions,
): Promise<ExecuteResult> {
  const nothing = (): Promise<void> => Promise.resolve()
  const execution = new Execution(run, models, options, {
    ...worker,
    costLimit: null,
    booked: await bookedUsd(run),
    earlier: null,
    recordProgress: nothing,
    release: nothing,
  })
  const result = await execution.finish()
  // Other workers spend, too.
  return { ...result, costUsd: await bookedUsd(run) }
}

/** Prepares the extensions that a run asks for. @param folder - null for a worker on a shared store */
export async function openExtensions(
  run: WorkRun,
  options: ExecuteOptions,
  folder: Run | null,
): Promise<readonly StartExtension[]> {
  const opened: StartExtension[] = []
  for (const extension of run.context.extensions ?? []) {
    const start = (await extension.open?.(run, options, folder)) ?? null
    if (start !== null) opened.push(start)
  }
  return opened
}

/** @throws UsageError, and StoreError for a folder that cannot be written: before any call */
async function openRecording(run: Run, options: ExecuteOptions): Promise<Recording | null> {
  for (const extension of run.context.extensions ?? []) {
    const recording = (await extension.openRecording?.(run, options)) ?? null
    if (recording !== null) return recording
  }
  if (options.cache === undefined && options.offline !== true) return null
  throw new UsageError('`cache` needs the extension "cache", which is not among the extensions of the context')
}

/** What earlier processes booked; nothing to add up where no model has a price. */
const bookedUsd = async (run: WorkRun): Promise<number> =>
  run.file.models.some((model) => model.price !== null) ? await run.ledger.bookedUsd() : 0

/**
 * Repeats failed calls; their earlier attempts stay on record.
 *
 * @param codes - only failures with one of these codes, e.g. `timeout`; default: all.
 *
 * @example
 * import { openRun, retryFailed, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const again = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => retryFailed(run, ['timeout']))
 */
export async function retryFailed(
  run: Run,
  codes: readonly string[] | undefined,
  options: ExecuteOptions = {},
): Promise<ExecuteResult & { readonly retried: number }> {
  const retried = await run.ledger.retry(codes)
  return { ...(await executeRun(run, options)), retried }
}
