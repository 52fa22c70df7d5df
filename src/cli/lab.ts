import type { Lab } from '../lab/index.ts'

interface Flags {
  readonly plugin?: readonly string[]
}

/**
 * The lab of a command: with the plugins that its flags name, else with those that a folder was made with. Loaded late, so that
 * `--help` is instant.
 */
export async function labOf({ plugin = [] }: Flags, folder?: string): Promise<Lab> {
  const { openLab } = await import('../lab/lab.ts')
  return openLab({ plugins: plugin, ...(folder === undefined ? {} : { folder }) })
}

/** The lab of a command that asks for these tasks only, and for those of folders that it names: the others are not loaded. */
export async function labOfTasks({ plugin = [] }: Flags, tasks: readonly string[] = [], folder?: string): Promise<Lab> {
  const { openLab } = await import('../lab/lab.ts')
  return openLab({ plugins: plugin, tasks, ...(folder === undefined ? {} : { folder }) })
}
