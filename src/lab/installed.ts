import type { Family, PluginRecord, Task } from '../core/index.ts'
import type { PriceTable, Provider } from '../models/index.ts'
import type { RunContext } from '../runner/index.ts'
import { packageName, version } from './package.ts'
import { familiesWith, findTask, loadPlugins, type Plugin, runnableOf } from './plugins.ts'
import type { Recorded } from './recorded.ts'

/** What is here to work with: the families of the package and of plugins, providers, environment. */
export interface Installed {
  readonly plugins: readonly Plugin[]
  readonly families: readonly Family[]
  readonly tasks: readonly Task[]
  /** These, and what judges are asked: every task that a run may hold. */
  readonly runnable: readonly Task[]
  /** @throws UsageError naming the nearest task. */
  task(name: string): Task
  /** Where keys, base URLs and the address of a store are looked up. */
  readonly env: { readonly [name: string]: string | undefined }
  /** What a run needs, for these prices or those of the package. */
  runContext(prices?: PriceTable): Promise<RunContext>
  /** The same with what a dataset or run needs: the families of its tasks, and its plugins where none were named. */
  madeWith(made: Recorded): Promise<Installed>
}

/**
 * @param made - what a dataset or run was made with, which may be plugins.
 * @param wanted - the tasks that are asked for besides those; left out: all.
 */
export async function install(
  asked: readonly string[],
  env: { readonly [name: string]: string | undefined },
  ownProviders: readonly Provider[],
  made?: Recorded,
  wanted?: readonly string[],
): Promise<Installed> {
  const plugins = await loadPlugins(asked, made)
  const families = await familiesWith(plugins, namesOf(made, wanted))
  const tasks = families.flatMap((family) => family.tasks)
  const runnable = families.flatMap(runnableOf)
  const installed: Installed = {
    plugins,
    families,
    tasks,
    runnable,
    env,
    task: (name) => findTask(tasks, name),
    async runContext(prices) {
      const { providers } = await import('../models/index.ts')
      const { openReplay, runExtensions } = await import('../runner/index.ts')
      return {
        tasks: (name) => runnable.find((task) => task.name === name),
        taskNames: tasks.map((task) => task.name),
        providers: [...providers, ...ownProviders],
        around: { env, openReplay },
        extensions: runExtensions,
        software: { package: packageName, version },
        ...recordsOf(plugins),
        ...(prices === undefined ? {} : { prices }),
      }
    },
    madeWith: (record) => install(asked, env, ownProviders, record, wanted),
  }
  return installed
}

/** All tasks that are asked for by name; nothing where it takes all to say. */
function namesOf(made: Recorded | undefined, wanted: readonly string[] | undefined): readonly string[] | undefined {
  if (wanted === undefined || made === undefined) return wanted
  return made.tasks === null ? undefined : [...wanted, ...made.tasks]
}

/** How the plugins are recorded; nothing where there are none. */
export const recordsOf = (plugins: readonly Plugin[]): { readonly plugins?: PluginRecord[] } =>
  plugins.length === 0 ? {} : { plugins: plugins.map(({ record }) => record) }
