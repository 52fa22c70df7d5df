import { defined } from '../core/defined.ts'
import { type Family, type PluginRecord, type Task, UsageError } from '../core/index.ts'
import type { PriceTable, Provider } from '../models/index.ts'
import type { RunContext } from '../runner/index.ts'
import { packageName, version } from './package.ts'
import { familiesWith, findTask, loadPlugins, type Plugin, questionPaths, runnableOf } from './plugins.ts'
import type { Provenance } from './provenance.ts'
import type { TrustRequest } from './requests/index.ts'

/** Everything a lab works with: families of the package and of plugins, providers, environment variables. */
export interface Environment {
  readonly plugins: readonly Plugin[]
  readonly families: readonly Family[]
  readonly tasks: readonly Task[]
  /** These and the tasks of judges: every task that a run may hold. */
  readonly runnable: readonly Task[]
  /** The tasks of a name: one, or those of the files of questions in a folder. @throws UsageError naming the nearest task. */
  tasksAt(name: string): readonly Task[]
  /** @throws UsageError naming the nearest task. */
  task(name: string): Task
  /** Where keys, base URLs and the address of a store are looked up. */
  readonly env: { readonly [name: string]: string | undefined }
  /** What a run needs. `prices` default: those of the package; `trust`: what it may ask of this machine, if it was made elsewhere. */
  runContext(prices?: PriceTable, trust?: TrustRequest): Promise<RunContext>
  /** The same with the families of the tasks of a dataset or run, and with its plugins where none were named. */
  madeWith(made: Provenance): Promise<Environment>
}

/**
 * @param names - plugins.
 * @param made - the dataset or run whose plugins and tasks are needed.
 * @param wanted - further tasks that will be named. Default: all.
 */
export async function loadEnvironment(
  names: readonly string[],
  env: { readonly [name: string]: string | undefined },
  ownProviders: readonly Provider[],
  made?: Provenance,
  wanted?: readonly string[],
): Promise<Environment> {
  const questions = await questionPaths(wanted ?? [])
  const plugins = await loadPlugins([...new Set([...names, ...questions.keys()])], made)
  const families = await familiesWith(
    plugins,
    namesOf(
      made,
      wanted?.flatMap((name) => questions.get(name) ?? [name]),
    ),
  )
  const tasks = families.flatMap((family) => family.tasks)
  const runnable = families.flatMap(runnableOf)
  const tasksAt = (name: string): readonly Task[] => (questions.get(name) ?? [name]).map((one) => findTask(tasks, one))
  const task = (name: string): Task => {
    const [first, ...more] = tasksAt(name)
    if (first !== undefined && more.length === 0) return first
    throw new UsageError(`${name} holds ${more.length + 1} files of questions. Name one of them`)
  }
  return {
    plugins,
    families,
    tasks,
    runnable,
    env,
    tasksAt,
    task,
    async runContext(prices, trust = {}) {
      const { providers } = await import('../models/index.ts')
      const { openReplay } = await import('../runner/index.ts')
      const { runExtensions } = await import('./run-extensions.ts')
      const { trustOf } = await import('./trust.ts')
      return {
        tasks: (name) => (questions.has(name) ? task(name) : runnable.find((one) => one.name === name)),
        taskNames: tasks.map((one) => one.name),
        providers: [...providers, ...ownProviders],
        around: { env, openReplay },
        extensions: runExtensions,
        openItemMaker: async () => (await import('./workers.ts')).chunkPool(0, plugins),
        trust: trustOf(trust),
        software: { package: packageName, version },
        ...recordsOf(plugins),
        ...defined({ prices }),
      }
    },
    madeWith: (record) => loadEnvironment(names, env, ownProviders, record, wanted),
  }
}

/** The names of all needed tasks; undefined: load all. */
function namesOf(made: Provenance | undefined, wanted: readonly string[] | undefined): readonly string[] | undefined {
  if (wanted === undefined || made === undefined) return wanted
  return made.tasks === null ? undefined : [...wanted, ...made.tasks]
}

/** Records of the plugins; no key where there are none. */
export const recordsOf = (plugins: readonly Plugin[]): { readonly plugins?: PluginRecord[] } =>
  plugins.length === 0 ? {} : { plugins: plugins.map(({ record }) => record) }
