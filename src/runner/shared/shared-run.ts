import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { requireSamePlugins, UsageError } from '../../core/index.ts'
import { type PostgresStore, RUN_FACT } from '../../store/index.ts'
import { lostOf } from '../batches/lost.ts'
import { type ExecuteOptions, type ExecuteResult, executeShared } from '../execute.ts'
import { rejectReworded } from '../reworded.ts'
import { type Run, type RunContext, redactorOf } from '../run.ts'
import { parseRunFile, type RunFile } from '../run-file.ts'
import { closeModels, openModels, requireTask } from '../run-models.ts'
import { Sources } from '../sources.ts'

/** The fact in a store which versions of its tasks made and score a run. */
export const TASKS_FACT = 'tasks'

const versions = z.record(z.string(), z.strictObject({ version: z.int(), scorer: z.int(), wording: z.int() }))
type Versions = z.infer<typeof versions>

export function tasksOf({ file, context }: Pick<Run, 'file' | 'context'>): Versions {
  return Object.fromEntries(
    file.sources.map(({ task: name }) => {
      const { version, scorerVersion: scorer, promptVersion: wording } = requireTask(context.tasks, name)
      return [name, { version, scorer, wording }]
    }),
  )
}

/** @throws UsageError where the run was not pushed to its end. */
export async function storedFile(store: PostgresStore): Promise<RunFile> {
  const written = await store.meta(RUN_FACT)
  if (written === null) throw new UsageError('the store holds a run that was not pushed to its end: push it again')
  return parseRunFile(written, 'the run in the store')
}

/** For how long a worker holds cells without a sign of life, in ms, and how often it gives one. */
const LEASE_MS = 60_000
const SIGN_MS = 15_000
/** Between two looks at cells that others hold, in ms. */
const LOOK_MS = 2000

/**
 * Works on a run in a shared store, beside any number of other workers, until nothing waits and nobody holds anything.
 *
 * @param open - opens the store of the run with a redactor.
 * @throws UsageError where the tasks here make other items or score otherwise than those the run was planned with.
 */
export async function workOnShared(
  store: PostgresStore,
  context: RunContext,
  options: ExecuteOptions = {},
): Promise<ExecuteResult> {
  const file = await storedFile(store)
  const lost = await lostOf(options.lost ?? [], store)
  const redact = redactorOf(file, context)
  store.hide(redact)
  const run = { file, context, redact, ledger: store, sources: new Sources(file.sources, context.tasks) }
  requireSamePlugins(file.plugins ?? [], context.plugins ?? [], 'this worker')
  const planned = await plannedWith(store)
  if (planned === null)
    throw new UsageError(
      'the store does not say with which versions of its tasks the run was planned: bring it back with touchstone cluster pull, and push it again',
    )
  rejectOthers(planned, tasksOf(run))
  // The record of the store is one row that anybody there can change.
  rejectReworded(run)
  const owner = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`
  const models = await openModels(file.models, context)
  const alive = setInterval(() => void store.renew(owner, LEASE_MS).catch(() => undefined), SIGN_MS)
  try {
    for (let ended = -1; ; ) {
      const result = await executeShared(run, models, { owner, leaseMs: LEASE_MS, lost }, options)
      const { waiting, leased, done, failed } = result.counts
      // Money that was set aside for calls under way may have come back.
      const fresh = result.status === 'budget' && done + failed > ended
      ended = done + failed
      if (fresh && waiting > 0) continue
      if (!['done', 'budget'].includes(result.status) || waiting + leased === 0) return result
      if (result.status === 'budget' && leased === 0) return result
      // What another worker holds comes back if it dies.
      await sleep(LOOK_MS, undefined, options.stop === undefined ? {} : { signal: options.stop }).catch(() => undefined)
      if (options.stop?.aborted === true) return { ...result, status: 'interrupted' }
    }
  } finally {
    clearInterval(alive)
    await store.surrender(owner).catch(() => undefined)
    await closeModels(models)
  }
}

/** The versions of the tasks that a run in a store was planned with; null: the store does not say. */
export async function plannedWith(store: PostgresStore): Promise<Versions | null> {
  const parsed = versions.safeParse(jsonOf((await store.meta(TASKS_FACT)) ?? ''))
  return parsed.success ? parsed.data : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function rejectOthers(planned: Versions, here: Versions): void {
  for (const [task, { version, scorer, wording }] of Object.entries(planned)) {
    const own = here[task]
    if (own?.version !== version || own.scorer !== scorer || own.wording !== wording)
      throw new UsageError(
        `the run was planned with ${task} version ${version}, wording ${wording}, scorer ${scorer}; this worker has ` +
          `${own === undefined ? 'none' : `version ${own.version}, wording ${own.wording}, scorer ${own.scorer}`}: use the same version of the program`,
      )
  }
}
