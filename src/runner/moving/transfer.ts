import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../core/index.ts'
import { parseStored, RUN_KEY, type SharedRunStore } from '../../store/index.ts'
import { closeModels, openModels } from '../calls/open-models.ts'
import {
  bringRun,
  IMPORT_KEY,
  openRun,
  RUN_FILES,
  type Run,
  type RunContext,
  saveLedgerState,
  withRun,
} from '../folder/run.ts'
import { requireInFolder, STORE_KEY } from '../folder/run-file.ts'
import { writePlan } from '../plan/plan.ts'
import { PROMPTS_KEY, requireSamePrompts } from '../plan/prompts.ts'
import { storedFile, TASKS_KEY, tasksOf } from './worker.ts'

/** Key of the fact in a store: the facts of the ledger about the plan, as JSON. */
export const FACTS_KEY = 'facts'

/** Key of the fact in a store that identifies this push: a copy of an earlier push may hold responses that it has not. */
export const PUSH_KEY = 'push'

/** A run that was moved into a store or out of it. */
export interface TransferResult {
  /** The run's name in the store. */
  readonly run: string
  readonly calls: number
  readonly waiting: number
}

/**
 * Copies the plan of a run and its calls into a shared store, for workers. The folder keeps everything, and makes no calls
 * until `pull`.
 *
 * @throws UsageError for a run that is in a store, or that one process has to steer.
 */
export async function pushRun(
  run: Run,
  open: (id: string) => Promise<SharedRunStore>,
  place: string,
): Promise<TransferResult> {
  const { ledger, file } = run
  // An interrupted push can be repeated; a store that has all of it refuses.
  if ((await ledger.meta(STORE_KEY)) !== place) await requireInFolder(run)
  if (file.until !== undefined)
    throw new UsageError(
      `${run.dir} has the stopping rule "${file.until.rule}", which needs a single process. Remove "until" to use workers`,
    )
  if (file.adapt !== undefined)
    throw new UsageError(`${run.dir} samples adaptively, which needs a single process. Remove "adapt" to use workers`)
  requireSamePrompts(run)
  if ((await ledger.meta('planned')) !== 'yes') {
    const models = await openModels(file, run.context, `touchstone resume ${run.dir}`)
    try {
      await writePlan(run, models)
    } finally {
      await closeModels(models)
    }
  }
  await using store = await open(file.id)
  for await (const page of ledger.items())
    await store.plan({
      groups: page.map(({ item, shared }) => ({ id: item.group, shared })),
      items: page.map(({ item }) => item),
      calls: [],
    })
  let calls = 0
  for await (const page of ledger.callSnapshots()) calls += await store.addSnapshots(page)
  for (const batch of ledger.batchSnapshots()) await store.addBatches([batch])
  await store.bookExtra(Number((await ledger.meta('carried')) ?? 0))
  await store.setBudget(file.limits.usd ?? null)
  const facts = await Promise.all(
    ['attributes', 'empty', PROMPTS_KEY, IMPORT_KEY].map(async (name) => [name, await ledger.meta(name)] as const),
  )
  await store.setMeta(FACTS_KEY, JSON.stringify(Object.fromEntries(facts.filter(([, value]) => value !== null))))
  await store.setMeta(TASKS_KEY, JSON.stringify(tasksOf(run)))
  await store.setMeta(PUSH_KEY, randomUUID())
  // First the folder, so that it makes no call that workers may make.
  await ledger.setMeta(STORE_KEY, place)
  // Last: a run with this fact is complete.
  await store.setMeta(RUN_KEY, JSON.stringify(file))
  const { waiting } = await store.counts()
  return { run: file.id, calls, waiting }
}

/**
 * Brings what workers did back into the folder of a run, and removes the run from the store. It can be repeated after an
 * interruption.
 *
 * @throws UsageError while workers hold calls
 */
export async function pullRun(run: Run, open: (id: string) => Promise<SharedRunStore>): Promise<TransferResult> {
  const { ledger, file } = run
  const mark = await ledger.meta(STORE_KEY)
  if (mark === null || mark === '') throw new UsageError(`${run.dir} is not in a store`)
  await using store = await open(file.id)
  const held = await store.close()
  const what = [
    ...(held.calls > 0 ? [`still hold ${held.calls} calls`] : []),
    ...(held.models.length > 0 ? [`poll batches of ${held.models.join(', ')}`] : []),
  ]
  if (what.length > 0)
    throw new UsageError(`workers ${what.join(' and ')} of ${run.dir}. Stop them, or wait 60 s if they crashed`)
  let calls = 0
  for await (const batch of store.batchSnapshots()) await ledger.restoreBatches([batch])
  for await (const page of store.callSnapshots()) calls += await ledger.restoreSnapshots(page)
  const ignored = await store.meta('ignored')
  if (ignored !== null) await ledger.setMeta('ignored', ignored)
  await saveLedgerState(run)
  // From here on an interruption loses nothing: the folder has everything, and the store leases nothing.
  await store.release()
  await ledger.setMeta(STORE_KEY, '')
  await store.drop()
  const { waiting } = await ledger.counts()
  return { run: file.id, calls, waiting }
}

/** What was copied from a store into a run folder. */
export interface Mirrored {
  readonly dir: string
  /** Calls that ended or were retried since the last copy. */
  readonly fresh: number
  /** Calls that are done or failed. */
  readonly ended: number
}

/** Identity of the push of a run; empty: it has none. */
export const pushOf = async (store: SharedRunStore): Promise<string> => (await store.meta(PUSH_KEY)) ?? ''

/** Less than any call costs: smaller differences come from the order of summation. */
const MIN_USD = 1e-9

/**
 * Updates a copy of a run in a shared store, in a folder that can be read like any run; it makes no calls. The run in the store
 * is not changed, and workers go on.
 *
 * @throws UsageError if the folder holds another run
 */
export async function mirrorRun(
  store: SharedRunStore,
  dir: string,
  place: string,
  context: RunContext,
): Promise<Mirrored> {
  const file = await storedFile(store)
  const opened = existsSync(join(dir, RUN_FILES.run))
    ? await openRun(dir, context, { mode: 'write', otherPlugins: true })
    : await bringRun({ dir }, file, context)
  return withRun(opened, async (run) => {
    if (run.file.id !== file.id) throw new UsageError(`${dir} holds another run: remove it`)
    if ((await run.ledger.meta(STORE_KEY)) !== place) await run.ledger.setMeta(STORE_KEY, place)
    await copyPlan(run, store)
    const [fresh, ended] = await copyEnded(run, store)
    const booked = (await store.bookedUsd()) - run.ledger.bookedUsd()
    // Attempts at calls that still wait, and extra bookings.
    if (Math.abs(booked) > MIN_USD) await run.ledger.bookExtra(booked)
    await saveLedgerState(run)
    return { dir, fresh, ended }
  })
}

const factsOfRun = z.record(z.string(), z.string())

async function copyPlan({ ledger }: Run, store: SharedRunStore): Promise<void> {
  if ((await ledger.meta('planned')) === 'yes') return
  for await (const page of store.items())
    await ledger.plan({
      groups: page.flatMap(({ item, shared }) => (shared === null ? [] : [{ id: item.group, shared }])),
      items: page.map(({ item }) => item),
      calls: [],
    })
  for await (const calls of store.plannedCalls()) await ledger.copyCalls(calls)
  const facts = parseStored(factsOfRun, (await store.meta(FACTS_KEY)) ?? '{}', 'what the store says of its run')
  for (const [name, value] of Object.entries(facts)) await ledger.setMeta(name, value)
  await ledger.setMeta('planned', 'yes')
}

/** Key of the fact in the copy: progress of the store at the last copy. */
const COPIED = 'copied'

/** @returns how many calls were copied, and how many have ended */
async function copyEnded({ ledger }: Run, store: SharedRunStore): Promise<readonly [number, number]> {
  const ignored = await store.meta('ignored')
  if (ignored !== null && ignored !== (await ledger.meta('ignored'))) await ledger.setMeta('ignored', ignored)
  const { ended, mark } = await store.progress()
  if ((await ledger.meta(COPIED)) === mark) return [0, ended]
  let fresh = 0
  for await (const calls of store.finishedCalls()) {
    const known = ledger.endings(calls[0]?.id ?? 0, calls.at(-1)?.id ?? 0)
    const changed = calls.filter(({ id, state, attempts }) => known.get(id) !== `${state} ${attempts}`)
    if (changed.length === 0) continue
    fresh += changed.length
    await ledger.restoreSnapshots(await store.snapshotsOf(changed.map(({ id }) => id)))
  }
  for await (const batch of store.batchSnapshots()) await ledger.restoreBatches([batch])
  await ledger.setMeta(COPIED, mark)
  return [fresh, ended]
}
