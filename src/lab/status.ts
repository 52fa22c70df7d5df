import { join } from 'node:path'
import type { Live, RunFile, StoppedModels } from '../runner/index.ts'
import type { Counts, Holder, OpenBatch } from '../store/index.ts'
import type { Installed } from './installed.ts'
import { onRun } from './runs.ts'
import { inStore, storedRun } from './stored.ts'

/** Where a run stands: in its folder, or in the store where workers are at it. */
export type RunStatus =
  | {
      readonly schema: 'touchstone/status/1'
      readonly kind: 'folder'
      readonly run: string
      readonly name: string
      readonly models: readonly string[]
      readonly sources: RunFile['sources']
      readonly counts: Counts
      /** Batches that are with providers. */
      readonly batches: readonly OpenBatch[]
      /** The process that writes to it; null: none. */
      readonly holder: Holder | null
      /** The store that its cells are in; null: they are here. */
      readonly moved: string | null
      readonly usd: number
      /** Models that nothing more was asked of when work on it ended last, and why; none while a process works on it. */
      readonly stopped: StoppedModels
      /** What the process that works on it says of each model; null: none does. */
      readonly live: Live | null
    }
  | {
      readonly schema: 'touchstone/status/1'
      readonly kind: 'store'
      readonly run: string
      /** Host and database. */
      readonly place: string
      readonly counts: Counts
      readonly batches: readonly OpenBatch[]
      readonly usd: number
    }

/** @param path - a run folder, or `store:RUN`. */
export async function statusOf(here: Installed, path: string): Promise<RunStatus> {
  const schema = 'touchstone/status/1'
  if (inStore(path)) {
    const { run, place, store } = await storedRun(path, here.env)
    await using open = store
    const [counts, batches, usd] = await Promise.all([open.counts(), open.openBatches(), open.bookedUsd()])
    return { schema, kind: 'store', run, place, counts, batches, usd }
  }
  const { STORE_KEY, RUN_FILES, readLive, loadStopped } = await import('../runner/index.ts')
  const { lockHolder } = await import('../store/index.ts')
  return onRun(here, path, { mode: 'read' }, async ({ file, ledger }) => {
    const holder = lockHolder(join(path, RUN_FILES.lock))
    return {
      schema,
      kind: 'folder',
      run: path,
      name: file.name,
      models: file.models.map(({ name }) => name),
      sources: file.sources,
      counts: await ledger.counts(),
      batches: await ledger.openBatches(),
      holder,
      moved: (await ledger.meta(STORE_KEY)) || null,
      usd: ledger.bookedUsd(),
      stopped: holder === null ? await loadStopped({ ledger }) : {},
      live: holder === null ? null : await readLive(join(path, RUN_FILES.live)),
    }
  })
}
