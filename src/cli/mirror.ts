import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import { stateFolder } from '../lab/state-folder.ts'
import type { StoredRun } from '../runner/index.ts'
import type { Context } from './context.ts'
import { note } from './output.ts'
import { runContext } from './runs.ts'
import { storePlace, storeUrl } from './store.ts'

/** Where a run in a store is named: `store:RUN` (its address is in the environment), or `postgres://...#RUN`. */
const IN_STORE = /^(?:store:|postgres(?:ql)?:\/\/)/u

/** A run of a store, open. @throws UsageError for a name that no run of the store, or more than one, begins with. */
export async function storedRun(context: Context, path: string) {
  const { noRedaction, PostgresStore } = await import('../store/index.ts')
  const [address = '', wanted = ''] = path.startsWith('store:') ? [undefined, path.slice(6)] : path.split('#')
  const url = storeUrl(path.startsWith('store:') ? undefined : address, context.process.env ?? {})
  const runs = await PostgresStore.runs(url)
  const name = wanted.toLowerCase().replaceAll('-', '_')
  const [run, another] = runs.filter((one) => one.startsWith(name))
  if (run === undefined || another !== undefined)
    throw new UsageError(
      `${storePlace(url)} holds ${runs.length === 0 ? 'no run' : runs.join(', ')}: name one of them, store:RUN`,
    )
  const redact = { known: noRedaction, shapes: noRedaction }
  return { run, place: storePlace(url), store: await PostgresStore.open(url, run, { redact, mode: 'open' }) }
}

/** Does something with a run of a store of which nothing is known yet: what is copied of it is copied afresh. */
export async function withStored<T>(
  context: Context,
  path: string,
  work: (stored: StoredRun) => Promise<T>,
): Promise<T> {
  const { store, place } = await storedRun(context, path)
  await using open = store
  await mkdir(stateFolder(), { recursive: true })
  const scratch = await mkdtemp(join(stateFolder(), 'copy-'))
  try {
    return await work({ store: open, place, scratch })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Is a run of a store meant? */
export const inStore = (path: string): boolean => IN_STORE.test(path)

/** The folder of a run: itself, or, for a run in a store, of a copy that is brought up to date. */
export async function folderOf(context: Context, path: string, plugins: readonly string[] = []): Promise<string> {
  if (!inStore(path)) return path
  const { mirrorRun } = await import('../runner/index.ts')
  const { run, place, store } = await storedRun(context, path)
  await using open = store
  const dir = join(stateFolder(), 'store', run)
  const { fresh, ended } = await mirrorRun(open, dir, place, await runContext(plugins))
  note(context, `${dir}: ${fresh} of ${ended} answered cells are new`)
  return dir
}
