import { join } from 'node:path'
import {
  type Live,
  loadStopped,
  RUN_FILES,
  type RunFile,
  readLive,
  STORE_KEY,
  type StoppedModels,
} from '../runner/index.ts'
import { type Holder, lockHolder, type OpenBatch } from '../store/index.ts'
import type { Environment } from './environment.ts'
import { inStore } from './provenance.ts'
import { type CallCounts, callCounts } from './run-result.ts'
import { onRun } from './runs.ts'
import { storedRun } from './stored.ts'

/** The state of a run: in its folder, or in the store where workers process it. */
export type RunStatus =
  | {
      readonly schema: 'touchstone/status/1'
      readonly kind: 'folder'
      readonly run: string
      readonly name: string
      readonly models: readonly string[]
      readonly sources: RunFile['sources']
      readonly counts: CallCounts
      /** Batches that providers are processing. */
      readonly batches: readonly OpenBatch[]
      /** The process that writes to it; null: none. */
      readonly holder: Holder | null
      /** The store that its calls are in; null: they are here. */
      readonly moved: string | null
      readonly costUsd: number
      /** Models that were stopped when work on the run ended last; empty while a process works on it. */
      readonly stoppedModels: StoppedModels
      /** Progress of the process that works on it; null: none does. */
      readonly live: Live | null
    }
  | {
      readonly schema: 'touchstone/status/1'
      readonly kind: 'store'
      readonly run: string
      /** Host and database. */
      readonly place: string
      readonly counts: CallCounts
      readonly batches: readonly OpenBatch[]
      readonly costUsd: number
    }

/** @param path - a run folder, or `store:RUN`. */
export async function statusOf(here: Environment, path: string): Promise<RunStatus> {
  const schema = 'touchstone/status/1'
  if (inStore(path)) {
    const { run, place, store } = await storedRun(path, here.env)
    await using open = store
    const [counts, batches, costUsd] = await Promise.all([open.counts(), open.openBatches(), open.bookedUsd()])
    return { schema, kind: 'store', run, place, counts: callCounts(counts), batches, costUsd }
  }
  return onRun(here, path, { mode: 'read' }, async ({ file, ledger }) => {
    const holder = lockHolder(join(path, RUN_FILES.lock))
    return {
      schema,
      kind: 'folder',
      run: path,
      name: file.name,
      models: file.models.map(({ name }) => name),
      sources: file.sources,
      counts: callCounts(await ledger.counts()),
      batches: await ledger.openBatches(),
      holder,
      moved: (await ledger.meta(STORE_KEY)) || null,
      costUsd: ledger.bookedUsd(),
      stoppedModels: holder === null ? await loadStopped({ ledger }) : {},
      live: holder === null ? null : await readLive(join(path, RUN_FILES.live)),
    }
  })
}
