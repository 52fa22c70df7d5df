import { join } from 'node:path'
import type { Lab } from '../lab/index.ts'

/**
 * The lab of a command: with the plugins that its flags name, else with those that a folder was made with. Loaded late, so that
 * `--help` is instant.
 */
export async function labOf({ plugin = [] }: { readonly plugin?: readonly string[] }, folder?: string): Promise<Lab> {
  const { openLab } = await import('../lab/lab.ts')
  return openLab({ plugins: plugin, ...(folder === undefined ? {} : { folder }) })
}

/** The same with the families of a run only, which are loaded in half the time and memory of all. */
export async function labOfRun({ plugin = [] }: { readonly plugin?: readonly string[] }, dir: string): Promise<Lab> {
  const { openLab } = await import('../lab/lab.ts')
  const { readRunFile } = await import('../runner/run-file.ts')
  // What is wrong with it is told by whoever opens the run.
  const file = await readRunFile(join(dir, 'run.json')).catch(() => null)
  return openLab({ plugins: plugin, ...(file === null ? {} : { tasks: file.sources.map(({ task }) => task) }) })
}
