import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Family, hint, type Task, type TokenCounter, UsageError, withTokenCounters } from '../core/index.ts'
import { packageName } from './package.ts'

/**
 * All families, those of plugins after ours. A plugin is a module whose default export is a task, a family or a token
 * counter; counters of plugins are there for the tasks of all families.
 */
export async function loadFamilies(plugins: readonly string[] = []): Promise<readonly Family[]> {
  const { families } = await import('../tasks/index.ts')
  if (plugins.length === 0) return families
  resolveOwnNames()
  const loaded: Family[] = []
  for (const path of plugins) loaded.push(await loadPlugin(path))
  return withTokenCounters(
    [...families, ...loaded],
    loaded.flatMap((family) => family.tokenCounters ?? []),
  )
}

export async function loadTasks(plugins?: readonly string[]): Promise<readonly Task[]> {
  return (await loadFamilies(plugins)).flatMap((family) => family.tasks)
}

/** @throws UsageError naming the nearest task. */
export function findTask(tasks: readonly Task[], name: string): Task {
  const found = tasks.find((task) => task.name === name)
  if (found !== undefined) return found
  const names = tasks.map((task) => task.name)
  throw new UsageError(`there is no task "${name}"${hint(name, names)}; there are ${names.join(', ')}`)
}

async function loadPlugin(path: string): Promise<Family> {
  const url = pathToFileURL(resolve(path)).href
  const module: { readonly default?: unknown } = await import(url).catch((error: unknown) => {
    throw new UsageError(`the plugin ${path} cannot be loaded: ${error instanceof Error ? error.message : error}`)
  })
  const exported = module.default
  if (isFamily(exported)) return exported
  if (isTask(exported)) return { name: path, tasks: [exported], importers: [] }
  if (isTokenCounter(exported)) return { name: path, tasks: [], importers: [], tokenCounters: [exported] }
  throw new UsageError(
    `the plugin ${path} must export by default what defineTask returns, a family of such tasks, or a token counter { name, version, count }`,
  )
}

const isTask = (value: unknown): value is Task =>
  typeof value === 'object' && value !== null && 'source' in value && 'configure' in value
const isFamily = (value: unknown): value is Family =>
  typeof value === 'object' && value !== null && 'tasks' in value && Array.isArray(value.tasks)
const isTokenCounter = (value: unknown): value is TokenCounter =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'version'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string') &&
  'count' in value &&
  typeof value.count === 'function'

let registered = false

/** A plugin outside any project can import this package and zod by name: they resolve from here. */
function resolveOwnNames(): void {
  if (registered) return
  registered = true
  const own = [packageName, 'zod']
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        const mine = own.some((name) => specifier === name || specifier.startsWith(`${name}/`))
        if (!mine) throw error
        return next(specifier, { ...context, parentURL: import.meta.url })
      }
    },
  })
}
