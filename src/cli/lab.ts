import { defined } from '../core/defined.ts'
import { type Lab, openLab } from '../lab/lab.ts'
import { inStore } from '../lab/provenance.ts'
import { type Context, printError } from './output.ts'

interface PluginFlags {
  readonly plugins?: readonly string[] | undefined
}

/** A lab with all tasks, and with the plugins of a folder where none are named. */
export const labOf = ({ plugins }: PluginFlags, folder?: string): Promise<Lab> => openLab(defined({ plugins, folder }))

/** A lab with these tasks only, and with those of folders that are named later: the others are not loaded. */
export const labOfTasks = ({ plugins }: PluginFlags, tasks: readonly string[] = [], folder?: string): Promise<Lab> =>
  openLab(defined({ plugins, tasks, folder }))

/** A run folder: itself, or for a run of a store that of its updated copy. */
export async function folderOf(context: Context, path: string, flags: PluginFlags): Promise<string> {
  if (!inStore(path)) return path
  const { dir, fresh, ended } = await (await labOfTasks(flags)).mirror(path)
  printError(context, `${dir}: ${fresh} of ${ended} finished calls are new`)
  return dir
}

/** Run folders, one after another: a copy is updated by one process at a time. */
export async function foldersOf(
  context: Context,
  paths: readonly string[],
  flags: PluginFlags,
): Promise<readonly string[]> {
  const folders: string[] = []
  for (const path of paths) folders.push(await folderOf(context, path, flags))
  return folders
}
