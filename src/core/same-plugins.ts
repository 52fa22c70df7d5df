import { UsageError } from './errors.ts'
import type { PluginRecord } from './plugin.ts'

/** A plugin that a run was made with, where the one at hand has other content. */
export interface ChangedPlugin {
  readonly made: PluginRecord
  /** Of the same name; null: there is none. */
  readonly here: PluginRecord | null
}

/** The plugins whose content is not at hand: what one does is known by its content only. */
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
 * With which plugin something was made and which is at hand, as the beginning of a sentence.
 *
 * @param what - was made.
 * @param who - has the plugins.
 */
export const describeChangedPlugins = ({ made, here }: ChangedPlugin, what: string, who: string): string =>
  `${what} was made with the plugin ${made.name} (${named(made)}); ${who} has ` +
  (here === null ? 'none of that name' : `one of that name with ${named(here)}`)

/**
 * Whoever makes or grades items with another plugin makes others.
 *
 * @param who - has the plugins, as a sentence names it.
 * @throws UsageError where a run was made with a plugin of other content.
 */
export function requireSamePlugins(made: readonly PluginRecord[], here: readonly PluginRecord[], who: string): void {
  const [changed] = changedPlugins(made, here)
  if (changed !== undefined)
    throw new UsageError(`${describeChangedPlugins(changed, 'the run', who)}: name the same one with --plugin`)
}
