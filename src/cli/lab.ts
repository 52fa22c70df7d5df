import { defined } from '../core/defined.ts'
import { UsageError } from '../core/errors.ts'
import { type Lab, openLab } from '../lab/lab.ts'
import { inStore } from '../lab/provenance.ts'
import { flagName } from '../lab/requests.ts'
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

/** Flags that have no effect here are mistakes. @throws UsageError where one of them is given. */
export function rejectFlags<Flags extends object>(
  flags: Flags,
  names: readonly (keyof Flags & string)[],
  why: string,
): void {
  const given = names.filter((name) => flags[name] !== undefined && flags[name] !== false)
  if (given.length > 0) throw new UsageError(`${given.map(flagName).join(', ')}: ${why}`)
}
