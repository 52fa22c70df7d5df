import { type PluginRecord, UsageError } from '../core/index.ts'

/**
 * What a plugin does is known by its content only: whoever makes or grades items with another one makes others.
 *
 * @param who - has the plugins, as a sentence names it.
 * @throws UsageError where a run was made with a plugin of other content.
 */
export function refusePlugins(made: readonly PluginRecord[], here: readonly PluginRecord[], who: string): void {
  for (const { name, version, sha256 } of made) {
    if (here.some((own) => own.sha256 === sha256)) continue
    const other = here.find((own) => own.name === name)
    const named = (record: Pick<PluginRecord, 'version' | 'sha256'>): string =>
      `${record.version === null ? '' : `version ${record.version}, `}sha256 ${record.sha256.slice(0, 12)}`
    throw new UsageError(
      `the run was made with the plugin ${name} (${named({ version, sha256 })}); ${who} has ` +
        `${other === undefined ? 'none of that name' : `one of that name with ${named(other)}`}: name the same one with --plugin`,
    )
  }
}
