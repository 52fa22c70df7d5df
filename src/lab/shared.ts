import { UsageError } from '../core/index.ts'
import type { ExecuteOptions, TransferResult } from '../runner/index.ts'
import type { Counts, OpenBatch } from '../store/index.ts'
import { type RefusedRun, type WorkedRun, workOnEach } from './each-run.ts'
import type { Installed } from './installed.ts'
import { onRun } from './runs.ts'
import { forStored, openStored, runNamed, storePlace, storeUrl } from './stored.ts'

/** The store that several machines share. */
export interface StoreRequest {
  /** `postgres://user:password@host/database`; left out: the variable `TOUCHSTONE_STORE_URL`. */
  readonly store?: string
}

/** Puts the open cells of a run into a store, for workers. @throws UsageError as the runner does. */
export async function pushFolder(here: Installed, dir: string, { store }: StoreRequest): Promise<TransferResult> {
  const { pushRun } = await import('../runner/index.ts')
  const { PostgresStore } = await import('../store/postgres/index.ts')
  const url = storeUrl(store, here.env)
  return onRun(here, dir, { mode: 'write' }, (run) =>
    pushRun(run, (id) => PostgresStore.open(url, id, { redact: run.redact, mode: 'make' }), storePlace(url)),
  )
}

/** Brings what workers did back into the folder of a run. @throws UsageError where workers are still at it. */
export async function pullFolder(here: Installed, dir: string, { store }: StoreRequest): Promise<TransferResult> {
  const { pullRun } = await import('../runner/index.ts')
  const { PostgresStore } = await import('../store/postgres/index.ts')
  const url = storeUrl(store, here.env)
  return onRun(here, dir, { mode: 'write' }, (run) =>
    pullRun(run, (id) => PostgresStore.open(url, id, { redact: run.redact, mode: 'open' })),
  )
}

/** Which runs of a store this machine works on, and for how long. */
export interface WorkRequest
  extends StoreRequest,
    Pick<ExecuteOptions, 'stop' | 'abort' | 'onProgress' | 'concurrency' | 'poll' | 'settling' | 'wait' | 'lost'> {
  /** Only the run of this id, or the one whose id begins so; left out: one after another all that the store holds. */
  readonly run?: string
  /** A run is begun. */
  readonly onRun?: (run: string) => void
}

/** How far a worker came with the runs of a store. */
export interface Worked {
  readonly schema: 'touchstone/worker/1'
  readonly runs: readonly WorkedRun[]
  /** Those of several that this machine cannot work on. */
  readonly refused: readonly RefusedRun[]
}

/** Works on the runs of a store beside any number of other workers, until nothing waits. @throws UsageError where there is none that it can work on. */
export async function workOn(
  here: Installed,
  { store: given, run: wanted, onRun, ...options }: WorkRequest,
): Promise<Worked> {
  const { workOnShared } = await import('../runner/index.ts')
  const url = storeUrl(given, here.env)
  const names = await runsOf(url, wanted)
  if (options.lost !== undefined && names.length > 1)
    throw new UsageError(`a lost batch is of one run, and the store holds ${names.join(', ')}: name it, \`run\``)
  const worked = await workOnEach(names, options.wait ?? true, async (run, wait) => {
    onRun?.(run)
    await using store = await openStored(url, run)
    const needed = await forStored(here, store, storePlace(url))
    return await workOnShared(store, await needed.runContext(), { ...options, wait })
  })
  return { schema: 'touchstone/worker/1', ...worked }
}

/** Where the runs of a store stand. */
export interface StoreStatus {
  readonly schema: 'touchstone/worker/1'
  readonly runs: readonly {
    readonly run: string
    readonly counts: Counts
    /** Batches that are with providers. */
    readonly batches: readonly OpenBatch[]
    readonly usd: number
  }[]
}

/** @throws UsageError where the store holds no run. */
export async function statusOfStore(
  { env }: Pick<Installed, 'env'>,
  { store: given, run: wanted }: Pick<WorkRequest, 'store' | 'run'>,
): Promise<StoreStatus> {
  const url = storeUrl(given, env)
  const runs: StoreStatus['runs'][number][] = []
  for (const run of await runsOf(url, wanted)) {
    await using store = await openStored(url, run)
    runs.push({ run, counts: await store.counts(), batches: await store.openBatches(), usd: await store.bookedUsd() })
  }
  return { schema: 'touchstone/worker/1', runs }
}

async function runsOf(url: string, wanted: string | undefined): Promise<readonly string[]> {
  const { PostgresStore } = await import('../store/postgres/index.ts')
  const runs = await PostgresStore.runs(url)
  if (runs.length === 0) throw new UsageError(`${storePlace(url)} holds no run: touchstone push RUN puts one there`)
  return wanted === undefined ? runs : [runNamed(runs, wanted, url)]
}
