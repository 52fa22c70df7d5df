import type { Family, Task } from '../core/index.ts'
import type { PriceTable, Provider } from '../models/index.ts'
import type { RunContext } from '../runner/index.ts'
import { packageName, version } from './package.ts'
import { findTask, loadFamilies } from './plugins.ts'

/** What is here to work with: the families of the package and of plugins, providers, environment. */
export interface Installed {
  readonly plugins: readonly string[]
  readonly families: readonly Family[]
  readonly tasks: readonly Task[]
  /** @throws UsageError naming the nearest task. */
  task(name: string): Task
  /** What a run needs, for these prices or those of the package. */
  runContext(prices?: PriceTable): Promise<RunContext>
}

export async function install(
  plugins: readonly string[],
  env: { readonly [name: string]: string | undefined },
  ownProviders: readonly Provider[],
): Promise<Installed> {
  const families = await loadFamilies(plugins)
  const tasks = families.flatMap((family) => family.tasks)
  return {
    plugins,
    families,
    tasks,
    task: (name) => findTask(tasks, name),
    async runContext(prices) {
      const { providers } = await import('../models/index.ts')
      const { openReplay } = await import('../runner/index.ts')
      // The AI SDK writes advice to stderr that our own messages give better.
      Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
      return {
        tasks: (name) => tasks.find((task) => task.name === name),
        taskNames: tasks.map((task) => task.name),
        providers: [...providers, ...ownProviders],
        around: { env, openReplay },
        software: { package: packageName, version },
        ...(prices === undefined ? {} : { prices }),
      }
    },
  }
}
