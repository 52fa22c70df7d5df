import { z } from 'zod'
import { UsageError } from './errors.ts'

/** How manifest.json and run.json identify a plugin: without paths, so that they are the same on every machine. */
export const pluginRecords = z.array(
  z.strictObject({
    /** File name or npm package name. */
    name: z.string().min(1).max(214),
    /** Version of the npm package; null for a file. */
    version: z.string().max(256).nullable(),
    /** Over its files: paths relative to the entry, and bytes. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
)

export type PluginRecord = Readonly<z.infer<typeof pluginRecords>[number]>

/** A plugin of a run whose loaded version has other content. */
export interface ChangedPlugin {
  readonly made: PluginRecord
  /** The loaded plugin of the same name; null: none. */
  readonly here: PluginRecord | null
}

/** The plugins of a run that are not loaded with the same content. */
export const changedPlugins = (
  made: readonly PluginRecord[],
  here: readonly PluginRecord[],
): readonly ChangedPlugin[] =>
  made
    .filter(({ sha256 }) => !here.some((own) => own.sha256 === sha256))
    .map((record) => ({ made: record, here: here.find(({ name }) => name === record.name) ?? null }))

const named = ({ version, sha256 }: PluginRecord): string =>
  `${version === null ? '' : `version ${version}, `}sha256 ${sha256.slice(0, 12)}`

/**
 * Describes a changed plugin as the beginning of a sentence.
 *
 * @param what - was made.
 * @param who - has the plugins.
 */
export const describeChangedPlugins = ({ made, here }: ChangedPlugin, what: string, who: string): string =>
  `${what} was made with the plugin ${made.name} (${named(made)}); ${who} has ` +
  (here === null ? 'none of that name' : `one of that name with ${named(here)}`)

/**
 * Requires the plugins that a run was made with.
 *
 * @param who - has the plugins, as a sentence names it.
 * @throws UsageError if one has other content.
 */
export function requireSamePlugins(made: readonly PluginRecord[], here: readonly PluginRecord[], who: string): void {
  const [changed] = changedPlugins(made, here)
  if (changed !== undefined)
    throw new UsageError(`${describeChangedPlugins(changed, 'the run', who)}. Load the original with --plugin`)
}
