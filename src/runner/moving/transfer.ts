import { randomUUID } from 'node:crypto'
import { UsageError } from '../../core/index.ts'
import { type PostgresStore, RUN_FACT } from '../../store/index.ts'
import { closeModels, openModels } from '../calls/open-models.ts'
import { IMPORT_MARK, noteReached, type Run } from '../folder/run.ts'
import { writePlan } from '../plan/plan.ts'
import { PROMPTS_MARK, refuseReworded } from '../plan/prompts.ts'
import { TASKS_FACT, tasksOf } from './worker.ts'

/** The fact in a ledger that its open cells are in a shared store. */
export const MOVED_MARK = 'store'

/** The fact in a store: those facts of the ledger that say what was planned, as JSON. */
export const FACTS = 'facts'

/** @throws UsageError for a run whose cells are asked elsewhere. */
export async function refuseMoved({ dir, ledger }: Run): Promise<void> {
  const store = await ledger.meta(MOVED_MARK)
  if (store !== null && store !== '')
    throw new UsageError(
      `the cells of ${dir} are in a store (${store}): touchstone worker asks them, touchstone pull ${dir} brings them back`,
    )
}

/** The fact in a store which time of being pushed this is: a copy of an earlier time may hold answers that are not there. */
export const PUSH_FACT = 'push'

/** A run that went into a store or out of it. */
export interface Moved {
  /** The run's name in the store. */
  readonly run: string
  readonly cells: number
  readonly waiting: number
}

/**
 * Puts the plan of a run and its cells into a shared store, for workers. The folder keeps everything; until `pull` it asks
 * nothing itself.
 *
 * @throws UsageError for a run that is in a store, or follows a rule that one process looks after.
 */
export async function pushRun(run: Run, open: (id: string) => Promise<PostgresStore>, place: string): Promise<Moved> {
  const { ledger, file } = run
  // A push that was cut off can be done again; a store that has all of it refuses.
  if ((await ledger.meta(MOVED_MARK)) !== place) await refuseMoved(run)
  if (file.until !== undefined)
    throw new UsageError(
      `${run.dir} stops when it knows "${file.until.rule}", which one process looks after: leave "until" out for workers`,
    )
  if (file.adapt !== undefined)
    throw new UsageError(
      `${run.dir} chooses what it asks next, which one process looks after: leave "adapt" out for workers`,
    )
  if (file.id === undefined) throw new UsageError(`${run.dir} was made by a version whose runs have no id`)
  refuseReworded(run)
  const models = await openModels(file.models, run.context)
  try {
    await writePlan(run, models)
  } finally {
    await closeModels(models)
  }
  await using store = await open(file.id)
  for await (const page of ledger.items())
    await store.plan({
      groups: page.map(({ item, shared }) => ({ id: item.group, shared })),
      items: page.map(({ item }) => item),
      cells: [],
    })
  let cells = 0
  for await (const page of ledger.wholeCells()) cells += await store.fill(page)
  for (const batch of ledger.wholeBatches()) await store.fillBatches([batch])
  await store.carry(Number((await ledger.meta('carried')) ?? 0))
  await store.limit(file.limits.usd ?? null)
  const facts = await Promise.all(
    ['attributes', 'holes', PROMPTS_MARK, IMPORT_MARK].map(async (name) => [name, await ledger.meta(name)] as const),
  )
  await store.setMeta(FACTS, JSON.stringify(Object.fromEntries(facts.filter(([, value]) => value !== null))))
  await store.setMeta(TASKS_FACT, JSON.stringify(tasksOf(run)))
  await store.setMeta(PUSH_FACT, randomUUID())
  // First the folder, so that it asks nothing that workers may ask.
  await ledger.setMeta(MOVED_MARK, place)
  // Last: a run that says what it is, is whole.
  await store.setMeta(RUN_FACT, JSON.stringify(file))
  const { waiting } = await store.counts()
  return { run: file.id, cells, waiting }
}

/**
 * Brings what workers did back into the folder of a run, and takes the run out of the store. Interrupted it can be done
 * again.
 *
 * @throws UsageError where workers are still at it.
 */
export async function pullRun(run: Run, open: (id: string) => Promise<PostgresStore>): Promise<Moved> {
  const { ledger, file } = run
  const mark = await ledger.meta(MOVED_MARK)
  if (mark === null || mark === '') throw new UsageError(`${run.dir} is in no store`)
  await using store = await open(file.id ?? '')
  const held = await store.close()
  const what = [
    ...(held.cells > 0 ? [`hold ${held.cells} cells`] : []),
    ...(held.models.length > 0 ? [`look after batches of ${held.models.join(', ')}`] : []),
  ]
  if (what.length > 0)
    throw new UsageError(`workers ${what.join(' and ')} of ${run.dir}: stop them first, or wait a minute if they died`)
  let cells = 0
  for await (const batch of store.wholeBatches()) await ledger.takeBatches([batch])
  for await (const page of store.wholeCells()) cells += await ledger.takeBack(page)
  const ignored = await store.meta('ignored')
  if (ignored !== null) await ledger.setMeta('ignored', ignored)
  await noteReached(run)
  // Cut off from here on, neither is lost: the folder has all of it, and in the store nobody asks.
  await store.release()
  await ledger.setMeta(MOVED_MARK, '')
  await store.drop()
  const { waiting } = await ledger.counts()
  return { run: file.id ?? '', cells, waiting }
}
