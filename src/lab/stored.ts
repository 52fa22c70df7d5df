import { hash } from 'node:crypto'
import { join } from 'node:path'
import { PostgresStore } from '../extras/postgres/index.ts'
import type { StoredRun } from '../extras/seals/index.ts'
import { type Mirrored, mirrorRun, pushOf, type RunContext, storedFile } from '../runner/index.ts'
import { inTemporaryFolder } from '../store/index.ts'
import type { Environment } from './environment.ts'
import { stateFolder } from './state-folder.ts'
import { openStored, runNamed, storePlace, storeUrl } from './store-address.ts'

/** A run of a store, open. @throws UsageError for a name that no run of the store, or more than one, begins with. */
export async function storedRun(
  path: string,
  env: Environment['env'],
): Promise<{ readonly run: string; readonly place: string; readonly store: PostgresStore }> {
  const [address, wanted = ''] = path.startsWith('store:') ? [undefined, path.slice(6)] : path.split('#')
  const url = storeUrl(address, env)
  const run = runNamed(await PostgresStore.runs(url), wanted, url)
  return { run, place: storePlace(url), store: await openStored(url, run) }
}

/** The environment with the tasks of a run of a store, and with those of its plugins that were named on this machine before. */
export async function forStored(here: Environment, store: PostgresStore, place: string): Promise<Environment> {
  const { plugins = [], sources } = await storedFile(store)
  return here.madeWith({ place: `the run in ${place}`, plugins, tasks: sources.map(({ task }) => task) })
}

/** Works on an untrusted run of a store: its copies are made afresh. */
export async function withStored<T>(
  here: Environment,
  path: string,
  work: (stored: StoredRun, context: RunContext) => Promise<T>,
): Promise<T> {
  const { store, place } = await storedRun(path, here.env)
  await using open = store
  const context = await (await forStored(here, open, place)).runContext()
  return await inTemporaryFolder(stateFolder(), 'copy-', (scratch) => work({ store: open, place, scratch }, context))
}

/** Updates the local copy of a run of a store: a run folder that is only read. */
export async function mirrored(here: Environment, path: string): Promise<Mirrored> {
  const { run, place, store } = await storedRun(path, here.env)
  await using open = store
  // What the database says is no name of a folder.
  const copy = hash('sha256', JSON.stringify([place, run, await pushOf(open)]), 'hex').slice(0, 32)
  const context = await (await forStored(here, open, place)).runContext()
  return await mirrorRun(open, join(stateFolder(), 'store', copy), place, context)
}
