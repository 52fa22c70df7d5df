import { UsageError } from '../core/errors.ts'
import { PostgresStore } from '../extras/postgres/store.ts'
import type { OpenBatch } from '../store/index.ts'
import { noRedaction } from '../store/redact.ts'
import type { storeStatusRequest, Valid } from './requests/index.ts'
import { type CallCounts, callCounts } from './run-result.ts'

/** Environment variables. */
interface Variables {
  readonly [name: string]: string | undefined
}

/** Holds the address of the store with its password, which other users could read on a command line. */
const VARIABLE = 'TOUCHSTONE_STORE_URL'

/** The address of the store. @throws UsageError where none is given. */
export function storeUrl(given: string | undefined, env: Variables): string {
  const url = given ?? env[VARIABLE]
  if (url === undefined || url === '') throw new UsageError(`missing store. Give --store URL, or set ${VARIABLE}`)
  return url
}

/** The host and database of a store, without its user. */
export function storePlace(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' }
  return `${host}${pathname}`
}

/** The only run of a store whose id begins so. @throws UsageError where none does, or more than one. */
export function runNamed(runs: readonly string[], wanted: string, url: string): string {
  const name = wanted.toLowerCase().replaceAll('-', '_')
  const found = runs.filter((one) => one.startsWith(name))
  const [run] = found
  if (run !== undefined && found.length === 1) return run
  const place = storePlace(url)
  const held = runs.length === 0 ? 'no run' : runs.join(', ')
  if (name === '') throw new UsageError(`${place} holds ${held}. Name one: store:RUN or --run ID`)
  throw new UsageError(
    run === undefined
      ? `no run of ${place} begins with "${wanted}"; it holds ${held}. Name one: store:RUN or --run ID`
      : `several runs of ${place} begin with "${wanted}": ${found.join(', ')}. Name one: store:RUN or --run ID`,
  )
}

/** Opens a run of a store of which nothing is known yet, not even what must be redacted. */
export const openStored = (url: string, run: string): Promise<PostgresStore> =>
  PostgresStore.open(url, run, { redact: { known: noRedaction, shapes: noRedaction }, mode: 'open' })

/** The runs of a store, or the one that is named. @throws UsageError where there is none. */
export async function runsOf(url: string, wanted: string | undefined): Promise<readonly string[]> {
  const runs = await PostgresStore.runs(url)
  if (runs.length === 0)
    throw new UsageError(`${storePlace(url)} holds no run. Put one there: touchstone cluster push RUN`)
  return wanted === undefined ? runs : [runNamed(runs, wanted, url)]
}

/** The state of the runs of a store. */
export interface StoreStatus {
  readonly schema: 'touchstone/worker/1'
  readonly runs: readonly {
    readonly run: string
    readonly counts: CallCounts
    readonly batches: readonly OpenBatch[]
    readonly costUsd: number
  }[]
}

/** @throws UsageError where the store holds no run. */
export async function statusOfStore(
  { env }: { readonly env: Variables },
  { store: address, run: wanted }: Valid<typeof storeStatusRequest>,
): Promise<StoreStatus> {
  const url = storeUrl(address, env)
  const runs: StoreStatus['runs'][number][] = []
  for (const run of await runsOf(url, wanted)) {
    await using store = await openStored(url, run)
    const counts = callCounts(await store.counts())
    runs.push({ run, counts, batches: await store.openBatches(), costUsd: await store.bookedUsd() })
  }
  return { schema: 'touchstone/worker/1', runs }
}
