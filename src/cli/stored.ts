import type { Lab } from '../lab/index.ts'
import { inStore } from '../lab/stored.ts'
import type { Context } from './context.ts'
import { labOfTasks } from './lab.ts'
import { note } from './output.ts'

export const storeFlag = {
  kind: 'parsed',
  parse: String,
  optional: true,
  brief: 'postgres://user:password@host/database; left out: the environment variable TOUCHSTONE_STORE_URL',
} as const

/** The folders of runs, one after another: two may be of one run, whose copy one brings up to date at a time. */
export async function foldersOf(
  context: Context,
  paths: readonly string[],
  plugin?: readonly string[],
): Promise<readonly string[]> {
  const folders: string[] = []
  for (const path of paths) folders.push(await folderOf(context, path, plugin))
  return folders
}

/** The folder of a run: itself, or, for a run in a store, of a copy that is brought up to date. */
export async function folderOf(context: Context, path: string, plugin: readonly string[] = []): Promise<string> {
  if (!inStore(path)) return path
  const lab: Lab = await labOfTasks({ plugin })
  const { dir, fresh, ended } = await lab.mirror(path)
  note(context, `${dir}: ${fresh} of ${ended} answered cells are new`)
  return dir
}
