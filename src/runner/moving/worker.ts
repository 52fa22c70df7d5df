import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { jsonOrNull, requireSamePlugins, UsageError } from '../../core/index.ts'
import { RUN_KEY, type SharedRunStore } from '../../store/index.ts'
import { closeModels, openModels, requireTask } from '../calls/open-models.ts'
import { requireExtensions } from '../extensions.ts'
import { type Run, type RunContext, redactorOf } from '../folder/run.ts'
import { parseRunFile, type RunFile } from '../folder/run-file.ts'
import { requireSamePrompts } from '../plan/prompts.ts'
import { Sources } from '../plan/sources.ts'
import { type ExecuteOptions, type ExecuteResult, executeShared, openExtensions } from '../schedule/execute.ts'

/** Key of the fact in a store: versions of the tasks that made and score the run. */
export const TASKS_KEY = 'tasks'

const versions = z.record(
  z.string(),
  z.strictObject({ version: z.int(), scorerVersion: z.int(), promptVersion: z.int() }),
)
type Versions = z.infer<typeof versions>

export function tasksOf({ file, context }: Pick<Run, 'file' | 'context'>): Versions {
  return Object.fromEntries(
    file.sources.map(({ task: name }) => {
      const { version, scorerVersion, promptVersion } = requireTask(context.tasks, name)
      return [name, { version, scorerVersion, promptVersion }]
    }),
  )
}

/** @throws UsageError if the run was not pushed to its end */
export async function storedFile(store: SharedRunStore): Promise<RunFile> {
  const written = await store.meta(RUN_KEY)
  if (written === null) throw new UsageError('the push of a run in this store was interrupted. Push it again')
  return parseRunFile(written, 'the run in the store')
}

/** Ms for which a worker holds calls without renewing its leases, and ms between renewals. */
const LEASE_MS = 60_000
const SIGN_MS = 15_000
/** Ms between two tries to lease calls that others hold. */
const LOOK_MS = 2000

/**
 * Works on a run in a shared store, beside any number of other workers, until no call waits and no worker holds one.
 *
 * @throws UsageError if the tasks here have other versions than those the run was planned with
 */
export async function workOnShared(
  store: SharedRunStore,
  context: RunContext,
  options: ExecuteOptions = {},
): Promise<ExecuteResult> {
  const file = await storedFile(store)
  const redact = redactorOf(file, context)
  store.setRedaction(redact)
  const run = { file, context, redact, ledger: store, sources: new Sources(file.sources, context.tasks) }
  requireSamePlugins(file.plugins ?? [], context.plugins ?? [], 'this worker')
  requireExtensions(file, context.extensions ?? [])
  const planned = await plannedWith(store)
  if (planned === null)
    throw new UsageError(
      'the store does not name the task versions that the run was planned with. Bring it back with touchstone cluster pull, and push it again',
    )
  rejectOtherVersions(planned, tasksOf(run))
  // The versions in the store are one row that anybody there can change.
  requireSamePrompts(run)
  const extensions = await openExtensions(run, options, null)
  const owner = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`
  const models = await openModels(file, context, 'touchstone cluster worker')
  const alive = setInterval(() => void store.renewLeases(owner, LEASE_MS).catch(() => undefined), SIGN_MS)
  try {
    for (let ended = -1; ; ) {
      const result = await executeShared(run, models, { owner, leaseMs: LEASE_MS, extensions }, options)
      const { waiting, leased, done, failed } = result.counts
      // Money that was reserved for calls in flight may have come back.
      const fresh = result.status === 'cost-limit' && done + failed > ended
      ended = done + failed
      if (fresh && waiting > 0) continue
      if (!['completed', 'cost-limit'].includes(result.status) || waiting + leased === 0) return result
      if (result.status === 'cost-limit' && leased === 0) return result
      // Calls that another worker holds come back if it dies.
      await sleep(LOOK_MS, undefined, options.stop === undefined ? {} : { signal: options.stop }).catch(() => undefined)
      if (options.stop?.aborted === true) return { ...result, status: 'interrupted' }
    }
  } finally {
    clearInterval(alive)
    await store.releaseAll(owner).catch(() => undefined)
    await closeModels(models)
  }
}

/** Versions of the tasks that a run in a store was planned with; null: the store does not name them. */
export async function plannedWith(store: SharedRunStore): Promise<Versions | null> {
  const parsed = versions.safeParse(jsonOrNull((await store.meta(TASKS_KEY)) ?? ''))
  return parsed.success ? parsed.data : null
}

function rejectOtherVersions(planned: Versions, here: Versions): void {
  for (const [task, versions] of Object.entries(planned)) {
    const own = here[task]
    if (own !== undefined && describe(own) === describe(versions)) continue
    throw new UsageError(
      `the run was planned with ${task} ${describe(versions)}; this worker has ${own === undefined ? 'none' : describe(own)}: use the same version of the program`,
    )
  }
}

const describe = ({ version, scorerVersion, promptVersion }: NonNullable<Versions[string]>): string =>
  `version ${version}, prompt version ${promptVersion}, scorer version ${scorerVersion}`
