import type { Lab } from '../lab/index.ts'

/**
 * The lab of a command: with the plugins that its flags name, else with those that a folder was made with. Loaded late, so that
 * `--help` is instant.
 */
export async function labOf({ plugin = [] }: { readonly plugin?: readonly string[] }, folder?: string): Promise<Lab> {
  const { openLab } = await import('../lab/lab.ts')
  return openLab({ plugins: plugin, ...(folder === undefined ? {} : { folder }) })
}
