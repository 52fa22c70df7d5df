import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import type { Mirrored, RunContext, StoredRun } from '../runner/index.ts'
import type { PostgresStore } from '../store/postgres/index.ts'
import type { Installed } from './installed.ts'
import { stateFolder } from './state-folder.ts'

/** Where the address of the store is looked up: it holds a password, and command lines are seen by others. */
const VARIABLE = 'TOUCHSTONE_STORE_URL'

type Environment = Installed['env']

/** The address of the store. @throws UsageError where none is given. */
export function storeUrl(given: string | undefined, env: Environment): string {
  const url = given ?? env[VARIABLE]
  if (url === undefined || url === '') throw new UsageError(`name the store: \`store\`, or the variable ${VARIABLE}`)
  return url
}

/** The host and database of a store, without its user. */
export function storePlace(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' }
  return `${host}${pathname}`
}

/** Is a run of a store meant: `store:RUN` (its address is in the environment), or `postgres://...#RUN`? */
export const inStore = (path: string): boolean => /^(?:store:|postgres(?:ql)?:\/\/)/u.test(path)

/** A run of a store, open. @throws UsageError for a name that no run of the store, or more than one, begins with. */
export async function storedRun(
  path: string,
  env: Environment,
): Promise<{ readonly run: string; readonly place: string; readonly store: PostgresStore }> {
  const { PostgresStore } = await import('../store/postgres/index.ts')
  const [address, wanted = ''] = path.startsWith('store:') ? [undefined, path.slice(6)] : path.split('#')
  const url = storeUrl(address, env)
  const run = runNamed(await PostgresStore.runs(url), wanted, url)
  return { run, place: storePlace(url), store: await openStored(url, run) }
}

/** The only run of a store whose id begins so. @throws UsageError where none does, or more than one. */
export function runNamed(runs: readonly string[], wanted: string, url: string): string {
  const name = wanted.toLowerCase().replaceAll('-', '_')
  const found = runs.filter((one) => one.startsWith(name))
  const [run] = found
  if (run !== undefined && found.length === 1) return run
  const held = runs.length === 0 ? 'no run' : runs.join(', ')
  throw new UsageError(
    run === undefined && name !== ''
      ? `no run of ${storePlace(url)} begins with "${wanted}"; it holds ${held}: name one of them, store:RUN or \`run\``
      : `${storePlace(url)} holds ${(name === '' ? runs : found).join(', ') || held}${name === '' ? '' : `, which all begin with "${wanted}"`}: name one of them, store:RUN or \`run\``,
  )
}

/** Opens a run of a store of which nothing is known yet, not even what is to be hidden. */
export async function openStored(url: string, run: string): Promise<PostgresStore> {
  const { PostgresStore } = await import('../store/postgres/index.ts')
  const { noRedaction } = await import('../store/redact.ts')
  return PostgresStore.open(url, run, { redact: { known: noRedaction, shapes: noRedaction }, mode: 'open' })
}

/** What is here with what a run of a store needs: its tasks, and of its plugins those that somebody has named here before. */
export async function forStored(here: Installed, store: PostgresStore, place: string): Promise<Installed> {
  const { storedFile } = await import('../runner/index.ts')
  const { plugins = [], sources } = await storedFile(store)
  return here.madeWith({ place: `the run in ${place}`, plugins, tasks: sources.map(({ task }) => task) })
}

/** Does something with a run of a store of which nothing is believed: what is copied of it is copied afresh. */
export async function withStored<T>(
  here: Installed,
  path: string,
  work: (stored: StoredRun, context: RunContext) => Promise<T>,
): Promise<T> {
  const { store, place } = await storedRun(path, here.env)
  await using open = store
  const context = await (await forStored(here, open, place)).runContext()
  const { makeFolder } = await import('../store/index.ts')
  await makeFolder(stateFolder())
  const scratch = await mkdtemp(join(stateFolder(), 'copy-'))
  try {
    return await work({ store: open, place, scratch }, context)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** A copy of a run of a store, brought up to date: a run folder as any other, in which nothing is asked. */
export async function mirrored(here: Installed, path: string): Promise<Mirrored> {
  const { mirrorRun, pushOf } = await import('../runner/index.ts')
  const { run, place, store } = await storedRun(path, here.env)
  await using open = store
  const copy = [run, (await pushOf(open)).slice(0, 8)].filter((part) => part !== '').join('-')
  const context = await (await forStored(here, open, place)).runContext()
  return await mirrorRun(open, join(stateFolder(), 'store', copy), place, context)
}
