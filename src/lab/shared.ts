import { defined } from '../core/defined.ts'
import { isUsageError, UsageError } from '../core/errors.ts'
import { PostgresStore } from '../extras/postgres/index.ts'
import {
  describeWant,
  pullRun,
  pushRun,
  storedFile,
  type TransferResult,
  wantsOf,
  workOnShared,
} from '../runner/index.ts'
import type { Environment } from './environment.ts'
import type { storeRequest, Valid, workerRequest } from './requests/index.ts'
import { toWorkResult, type WorkResult } from './run-result.ts'
import { onRun } from './runs.ts'
import { openStored, runsOf, storePlace, storeUrl } from './store-address.ts'
import { forStored } from './stored.ts'

/** Moves the open calls of a run to a store, for workers. @throws UsageError as the runner does. */
export async function pushFolder(
  here: Environment,
  dir: string,
  { store }: Valid<typeof storeRequest>,
): Promise<TransferResult> {
  const url = storeUrl(store, here.env)
  return onRun(here, dir, { mode: 'write' }, (run) =>
    pushRun(run, (id) => PostgresStore.open(url, id, { redact: run.redact, mode: 'make' }), storePlace(url)),
  )
}

/** Brings the results of workers back into the folder of a run. @throws UsageError where workers still hold calls. */
export async function pullFolder(
  here: Environment,
  dir: string,
  { store }: Valid<typeof storeRequest>,
): Promise<TransferResult> {
  const url = storeUrl(store, here.env)
  return onRun(here, dir, { mode: 'write' }, (run) =>
    pullRun(run, (id) => PostgresStore.open(url, id, { redact: run.redact, mode: 'open' })),
  )
}

type WorkedRun = { readonly run: string } & WorkResult

/** What a worker did for the runs of a store. */
export interface Worked {
  readonly schema: 'touchstone/worker/1'
  readonly runs: readonly WorkedRun[]
  /** Runs that this machine cannot work on (pushed half, or by another version), and why. */
  readonly skipped: readonly { readonly run: string; readonly message: string }[]
}

/**
 * Works on the runs of a store beside any number of other workers, until no call is pending.
 *
 * @throws UsageError where there is no run that it can work on.
 */
export async function runWorker(
  here: Environment,
  { store: address, run: wanted, onRun: begin, batchIds, ...options }: Valid<typeof workerRequest>,
): Promise<Worked> {
  const url = storeUrl(address, here.env)
  const names = await runsOf(url, wanted)
  if (batchIds !== undefined && names.length > 1)
    throw new UsageError(`--batch-id belongs to one run, and the store holds ${names.join(', ')}. Name it: --run ID`)
  const worked = await workOnEach(names, options.wait ?? true, async (run, wait) => {
    await using store = await openStored(url, run)
    const context = await (await forStored(here, store, storePlace(url))).runContext(undefined, options)
    begin?.(run, wantsOf((await storedFile(store)).models, context).map(describeWant))
    return toWorkResult(await workOnShared(store, context, { ...options, ...defined({ batchIds }), wait }))
  })
  return { schema: 'touchstone/worker/1', ...worked }
}

/**
 * Works on runs, one after another. None delays the others: one that waits for batches (maybe for hours) waits beside them, and
 * one that cannot be worked on is skipped.
 *
 * @param work - on one run; `wait`: until its batches are over too.
 * @throws UsageError where none can be worked on
 */
export async function workOnEach<Result extends Pick<WorkResult, 'status' | 'counts'>>(
  runs: readonly string[],
  wait: boolean,
  work: (run: string, wait: boolean) => Promise<Result>,
): Promise<{ readonly runs: readonly ({ readonly run: string } & Result)[]; readonly skipped: Worked['skipped'] }> {
  const worked: ({ readonly run: string } & Result)[] = []
  const skipped: Worked['skipped'][number][] = []
  for (const run of runs) {
    try {
      worked.push({ run, ...(await work(run, wait && runs.length === 1)) })
    } catch (error) {
      if (!isUsageError(error) || skipped.length === runs.length - 1) throw error
      skipped.push({ run, message: error.message })
    }
    if (worked.at(-1)?.status === 'interrupted') return { runs: worked, skipped }
  }
  if (!wait || runs.length === 1) return { runs: worked, skipped }
  const ended = worked.map(async (one) =>
    one.counts.batched === 0 ? one : { run: one.run, ...(await work(one.run, true)) },
  )
  return { runs: await Promise.all(ended), skipped }
}
