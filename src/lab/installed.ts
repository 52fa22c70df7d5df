import type { Family, PluginRecord, Task } from '../core/index.ts'
import type { PriceTable, Provider } from '../models/index.ts'
import type { RunContext } from '../runner/index.ts'
import { packageName, version } from './package.ts'
import { familiesWith, findTask, loadPlugins, type Plugin } from './plugins.ts'

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
}

/**
 * @param folder - a dataset or run that may have been made with plugins.
 * @param of - where only these tasks are needed: others may be missing.
 */
export async function install(
  asked: readonly string[],
  env: { readonly [name: string]: string | undefined },
  ownProviders: readonly Provider[],
  folder?: string,
  of?: readonly string[],
): Promise<Installed> {
  const plugins = await loadPlugins(asked, folder)
  const families = await familiesWith(plugins, of)
  const tasks = families.flatMap((family) => family.tasks)
  const runnable = [...tasks, ...families.flatMap(({ judging = [] }) => judging.map(({ task }) => task))]
  return {
    plugins,
    families,
    tasks,
    runnable,
    env,
    task: (name) => findTask(tasks, name),
    async runContext(prices) {
      const { providers } = await import('../models/index.ts')
      const { openReplay } = await import('../runner/index.ts')
      // The AI SDK writes advice to stderr that our own messages give better.
      Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
      return {
        tasks: (name) => runnable.find((task) => task.name === name),
        taskNames: tasks.map((task) => task.name),
        providers: [...providers, ...ownProviders],
        around: { env, openReplay },
        software: { package: packageName, version },
        ...recordsOf(plugins),
        ...(prices === undefined ? {} : { prices }),
      }
    },
  }
}

/** How the plugins are recorded; nothing where there are none. */
export const recordsOf = (plugins: readonly Plugin[]): { readonly plugins?: PluginRecord[] } =>
  plugins.length === 0 ? {} : { plugins: plugins.map(({ record }) => record) }
