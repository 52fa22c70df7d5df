import { readFile } from 'node:fs/promises'
import { defined, isObject, type Json, type JsonObject, sortedJson, type Task, UsageError } from '../core/index.ts'
import { withParameter } from '../lab/set-parameter.ts'
import type { ConfigurationFlags } from './command-flags.ts'

/** The flags as requests take them: a preset if they name one, and the keys that differ from it, else from the defaults. @throws UsageError */
export async function specFromFlags(
  task: Task,
  flags: ConfigurationFlags,
): Promise<{ readonly preset?: string; readonly config?: JsonObject }> {
  const { preset } = flags
  const base = preset === undefined ? task.configure({}) : task.preset(preset).config
  const changed = Object.entries(await configuredBy(task, flags)).filter(
    ([key, value]) => sortedJson(value) !== sortedJson(base[key] ?? null),
  )
  const config = changed.length === 0 ? undefined : Object.fromEntries(changed)
  return defined({ preset: preset === undefined ? undefined : task.preset(preset).name, config })
}

/** The whole configuration of the flags, with defaults. @throws UsageError */
export async function configuredBy(task: Task, { preset, config, set = [] }: ConfigurationFlags): Promise<JsonObject> {
  if (preset !== undefined && config !== undefined)
    throw new UsageError('--preset and --config exclude one another. Give one of them')
  if (preset !== undefined) return task.configure(await withSets(task.preset(preset).config, set))
  if (config === undefined) return task.configure(await withSets(task.configure({}), set))
  const value = await yamlValue(await readText(config, 'the configuration file'), config)
  if (!isObject(value)) throw new UsageError(`${config} must hold a mapping of parameters to values`)
  return task.configure(await withSets({ ...task.configure({}), ...value }, set))
}

async function withSets(config: JsonObject, sets: readonly string[]): Promise<JsonObject> {
  let out = config
  for (const entry of sets) {
    const at = entry.indexOf('=')
    if (at < 1) throw new UsageError(`--set: expected KEY=VALUE, got "${entry}"`)
    const text = entry.slice(at + 1)
    const value = text.startsWith('@')
      ? await readText(text.slice(1), '--set: the file')
      : await yamlValue(text, `the value of --set ${entry}`)
    out = withParameter(out, entry.slice(0, at), value)
  }
  return out
}

/** The YAML library is loaded only where a flag needs it. */
const yamlValue = async (text: string, name: string): Promise<Json> =>
  (await import('../runner/plan/yaml.ts')).readYaml(text, name).value as Json

/** @throws UsageError */
export const readText = (path: string, what: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${what} ${path} cannot be read`)
  })
