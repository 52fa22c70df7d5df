import { readFile } from 'node:fs/promises'
import { isObject, type Json, type JsonObject, solutionDetails, type Task, UsageError } from '../core/index.ts'
import { withKnob } from '../lab/knob.ts'
import { typed } from './as-flags.ts'

/** Which config of a task. */
export interface ConfigFlags {
  readonly preset?: string
  readonly config?: string
  readonly set?: readonly string[]
}

/** The words `generate`, `show` and `run` share: which config, split and seed. */
export interface DatasetFlags extends ConfigFlags {
  readonly split: string
  readonly seed: string
}

export const text = (input: string): string => input

/** `INPUT,OUTPUT` */
export function priceFlag(input: string): { readonly input: number; readonly output: number } {
  const match = /^(\d{0,9}\.?\d{1,9}),(\d{0,9}\.?\d{1,9})$/u.exec(input)
  if (match === null) throw new UsageError(`expected INPUT,OUTPUT, came "${input}"; give, for example, 0.5,1.5`)
  return { input: Number(match[1]), output: Number(match[2]) }
}

export const configFlags = {
  preset: { kind: 'parsed', parse: text, optional: true, brief: 'A named config of the task (touchstone list)' },
  config: { kind: 'parsed', parse: text, optional: true, brief: 'A YAML or JSON file with the config' },
  set: {
    kind: 'parsed',
    parse: text,
    optional: true,
    variadic: true,
    brief:
      'Change one knob of the config: --set key=value (YAML value; @FILE: the text of a file; a.b=value reaches inside)',
  },
} as const

export const seedFlag = { kind: 'parsed', parse: text, default: '1', brief: 'Any text or integer' } as const

/** For commands that must know whether a seed was given. */
export const optionalSeedFlag = {
  kind: 'parsed',
  parse: text,
  optional: true,
  brief: 'Any text or integer; left out: 1',
} as const

export const datasetFlags = {
  ...configFlags,
  split: { kind: 'parsed', parse: text, default: 'test', brief: 'train, validation, test or a name of your own' },
  seed: seedFlag,
} as const

export const lostFlag = {
  kind: 'parsed',
  parse: text,
  optional: true,
  variadic: true,
  brief: 'What the provider has of a batch whose name was lost, where the run asks for it: KEY=NAME, or KEY=none',
} as const

export const pluginFlag = {
  kind: 'parsed',
  parse: text,
  optional: true,
  variadic: true,
  brief: 'A file, folder or package that exports a task, family or token counter of your own',
} as const

export const detailFlag = {
  kind: 'enum',
  values: solutionDetails,
  optional: true,
  brief: 'Of worked solutions: how much they tell; left out: full',
} as const

export const jsonFlag = { kind: 'boolean', default: false, brief: 'Print exactly one JSON document' } as const

/**
 * A flag that would be passed over in silence is a mistake.
 *
 * @param why - what is asked for instead, e.g. `an experiment file says this itself`.
 * @throws UsageError where one of these flags is given.
 */
export function rejectFlags<Flags extends object>(
  flags: Flags,
  names: readonly (keyof Flags & string)[],
  why: string,
): void {
  const given = names.filter((name) => flags[name] !== undefined && flags[name] !== false)
  if (given.length > 0) throw new UsageError(`${given.map(typed).join(', ')}: ${why}`)
}

/** The config that the flags describe. @throws UsageError */
export async function resolveConfig(
  task: Task,
  flags: ConfigFlags,
): Promise<{ readonly preset: string | null; readonly config: JsonObject }> {
  const { preset, set = [] } = flags
  const config = task.configure(await askedConfig(task, flags))
  return { preset: preset === undefined || set.length > 0 ? null : task.preset(preset).name, config }
}

/** What the flags say of a config; what they leave out has the defaults of the task. @throws UsageError */
export async function askedConfig(task: Task, { preset, config, set = [] }: ConfigFlags): Promise<JsonObject> {
  if (preset !== undefined && config !== undefined) throw new UsageError('give --preset or --config, not both')
  if (preset !== undefined) return applySets(task.preset(preset).config, set)
  if (config === undefined) return applySets({}, set)
  const text = await readFile(config, 'utf8').catch(() => {
    throw new UsageError(`the config file ${config} cannot be read`)
  })
  return applySets(await parseYaml(text, config), set)
}

async function parseYaml(text: string, path: string): Promise<JsonObject> {
  const value = await asYaml(text, path)
  if (!isObject(value)) throw new UsageError(`${path} must hold a mapping of config keys to values`)
  return value
}

/** Most commands read none, and every one loads this file. */
async function asYaml(text: string, name: string): Promise<Json> {
  const { readYaml } = await import('../runner/plan/yaml.ts')
  return readYaml(text, name).value as Json
}

/** Graphs and lists of names are files: `--set graph=@karate.graphml`. */
async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => {
    throw new UsageError(`--set: the file ${path} cannot be read`)
  })
}

async function applySets(config: JsonObject, sets: readonly string[]): Promise<JsonObject> {
  let out = config
  for (const entry of sets) {
    const cut = entry.indexOf('=')
    if (cut < 1) throw new UsageError(`--set needs key=value, got "${entry}"`)
    const value = entry.slice(cut + 1)
    out = withKnob(
      out,
      entry.slice(0, cut),
      await (value.startsWith('@') ? textOf(value.slice(1)) : asYaml(value, `the value of --set ${entry}`)),
    )
  }
  return out
}

/** `i/n` */
export function shardFlag(input: string): { readonly index: number; readonly of: number } {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(input)
  const [index, of] = match === null ? [0, 0] : [Number(match[1]), Number(match[2])]
  if (index >= of)
    throw new UsageError(`expected i/n, part i of n from 0 to n-1, came "${input}"; give, for example, 0/4`)
  return { index, of }
}
