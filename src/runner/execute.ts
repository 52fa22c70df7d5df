import { hostname } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import type { Model } from '../models/index.ts'
import { Reserve } from '../store/index.ts'
import { openSteering } from './adapt/open.ts'
import { lostOf } from './batches/lost.ts'
import { AnswerCache, wordsOf } from './cache/answer-cache.ts'
import type { ExecuteOptions, ExecuteResult } from './execute-options.ts'
import { Execution } from './execution.ts'
import { LiveFile } from './live/live-file.ts'
import { requireMaximum, requirePrices } from './money.ts'
import type { Place } from './place.ts'
import { writePlan } from './plan.ts'
import { rejectReworded } from './reworded.ts'
import { RUN_FILES, type Run, saveReached, type WorkRun } from './run.ts'
import { closeModels, openModels, type Recording } from './run-models.ts'
import { rejectMoved } from './shared/moved.ts'
import { saveStopped } from './stopped.ts'
import { openWatch, saveLooks } from './until/open.ts'

export type { ExecuteOptions, ExecuteResult } from './execute-options.ts'

/** Longer than any call with its retries: the run lock already keeps other processes out. */
const LEASE_MS = 24 * 3600 * 1000
/** Room for what is under way when the disk turns out to be full. */
const RESERVE_BYTES = 4 * 1024 * 1024

/**
 * Makes every planned call that has no response yet, in this process. Each cell ends with exactly one response or as
 * failed; what is on disk is never asked again.
 *
 * @throws UsageError where `usd` is given and a model has no price, the run is in a store, or a task asks in other words now.
 * @throws StoreError when results cannot be saved: calls stop at once, those under way are awaited and saved if it can
 *   be done after all.
 *
 * @example
 * import { executeRun, openRun, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const finish = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => executeRun(run))
 */
export async function executeRun(run: Run, options: ExecuteOptions = {}): Promise<ExecuteResult> {
  await rejectMoved(run)
  requirePrices(run.file.models, options.usd, run.context.providers)
  if (await asks(run, options)) rejectReworded(run)
  const recording = await recordingOf(run, options)
  const models = await openModels(run.file.models, run.context, recording)
  try {
    if (options.offline !== true) requireMaximum(run.file.models, models, options.usd ?? run.file.limits.usd ?? null)
    const planned = await writePlan(run, models, options.stop, options.onPlan)
    if (!planned || options.ask === false)
      return {
        status: planned ? 'planned' : 'interrupted',
        counts: await run.ledger.counts(),
        ignored: {},
        usd: await spent(run),
        doubts: [],
        stopped: {},
      }
    const reserve = await Reserve.take(join(run.dir, RUN_FILES.reserve), RESERVE_BYTES)
    const live = new LiveFile(join(run.dir, RUN_FILES.live), run.redact.shapes)
    const told: ExecuteOptions = {
      ...options,
      onProgress(progress) {
        live.write(progress)
        options.onProgress?.(progress)
      },
    }
    try {
      const watch = await openWatch(run)
      const place: Place = {
        owner: `${hostname()}/${process.pid}`,
        leaseMs: LEASE_MS,
        ceiling: options.usd ?? run.file.limits.usd ?? null,
        note: () => saveReached(run),
        release: () => reserve.release(),
        booked: await spent(run),
        lost: await lostOf(options.lost ?? [], run.ledger),
        looking: watch === null ? null : { watch, note: () => saveLooks(run, watch) },
        steering: await openSteering(run),
      }
      const result = withoutSecrets(run, await new Execution(run, models, told, place).finish())
      await saveStopped(run, result.stopped)
      return recording === null ? result : { ...result, doubts: [...result.doubts, ...wordsOf(recording.cache)] }
    } finally {
      await reserve.release()
      await live.remove()
      // Where it cannot be written the older one stays, and that is no lie.
      await saveReached(run).catch(() => undefined)
    }
  } finally {
    await closeModels(models)
  }
}

/** Is there anything to put into words? Also what batches hold: a line that failed there is asked again. */
async function asks({ ledger }: Run, { cancel = false }: ExecuteOptions): Promise<boolean> {
  const { waiting, leased, batched } = await ledger.counts()
  return !cancel && ((await ledger.meta('planned')) !== 'yes' || waiting + leased + batched > 0)
}

/** Works on what waits in a store that others work on too; the budget is the store's. */
export async function executeShared(
  run: WorkRun,
  models: readonly Model[],
  worker: Pick<Place, 'owner' | 'leaseMs' | 'lost'>,
  options: ExecuteOptions,
): Promise<ExecuteResult> {
  const nothing = (): Promise<void> => Promise.resolve()
  const place: Place = {
    ...worker,
    ceiling: null,
    note: nothing,
    release: nothing,
    booked: await spent(run),
    looking: null,
    steering: null,
  }
  const result = withoutSecrets(run, await new Execution(run, models, options, place).finish())
  // The others spend, too.
  return { ...result, usd: await spent(run) }
}

/** What a run is told of at its end goes to terminals and logs, and some providers name the key when they refuse. */
function withoutSecrets({ redact: { shapes } }: WorkRun, result: ExecuteResult): ExecuteResult {
  const stopped = Object.entries(result.stopped).map(([model, cause]) => [
    model,
    { ...cause, message: shapes(cause.message) },
  ])
  return { ...result, doubts: result.doubts.map(shapes), stopped: Object.fromEntries(stopped) }
}

/** @throws UsageError, and StoreError for a folder that cannot be written: before anything is asked */
async function recordingOf(
  { redact }: Run,
  { cache: folder, offline = false }: ExecuteOptions,
): Promise<Recording | null> {
  if (offline && folder === undefined) throw new UsageError('--offline needs --cache: the folder with the responses')
  if (folder === undefined) return null
  const cache = new AnswerCache(folder, redact)
  if (!offline) await cache.prepare()
  return { cache, offline }
}

/** What earlier processes booked; nothing to add up where no model has a price. */
const spent = async (run: WorkRun): Promise<number> =>
  run.file.models.some((model) => model.price !== null) ? await run.ledger.spent() : 0
