import { defined } from '../core/defined.ts'
import type { Family, PluginRecord, Task } from '../core/index.ts'
import type { PriceTable, Provider } from '../models/index.ts'
import type { RunContext } from '../runner/index.ts'
import { packageName, version } from './package.ts'
import { familiesWith, findTask, loadPlugins, type Plugin, runnableOf } from './plugins.ts'
import type { Provenance } from './provenance.ts'
import type { TrustRequest } from './requests.ts'

/** Everything a lab works with: families of the package and of plugins, providers, environment variables. */
export interface Environment {
  readonly plugins: readonly Plugin[]
  readonly families: readonly Family[]
  readonly tasks: readonly Task[]
  /** These and the tasks of judges: every task that a run may hold. */
  readonly runnable: readonly Task[]
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
  const plugins = await loadPlugins(names, made)
  const families = await familiesWith(plugins, namesOf(made, wanted))
  const tasks = families.flatMap((family) => family.tasks)
  const runnable = families.flatMap(runnableOf)
  return {
    plugins,
    families,
    tasks,
    runnable,
    env,
    task: (name) => findTask(tasks, name),
    async runContext(prices, trust = {}) {
      const { providers } = await import('../models/index.ts')
      const { openReplay } = await import('../runner/index.ts')
      const { runExtensions } = await import('./run-extensions.ts')
      const { trustOf } = await import('./trust.ts')
      return {
        tasks: (name) => runnable.find((task) => task.name === name),
        taskNames: tasks.map((task) => task.name),
        providers: [...providers, ...ownProviders],
        around: { env, openReplay },
        extensions: runExtensions,
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
