import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  type Family,
  hint,
  type PluginRecord,
  type Task,
  type TokenCounter,
  UsageError,
  withTokenCounters,
} from '../core/index.ts'
import { contentHash, filesOf, hashOf, MODULE, modulesOf, type PluginFile, packageRoot } from './plugin-files.ts'
import { findKnown, rememberPlugin } from './plugin-index.ts'
import { type Provenance, readProvenance } from './provenance.ts'
import { packageSpecifier, resolvedUrl, watchImports, whereThrown } from './resolve.ts'

/** A loaded plugin: its family, and its record in manifest and run.json. */
export interface Plugin {
  readonly family: Family
  readonly record: PluginRecord
  /** An absolute path, or an npm name. */
  readonly module: string
  /** The folder from which an npm name is resolved. */
  readonly from: string | null
  /** Its files when it was loaded. */
  readonly files: readonly PluginFile[]
  /** Files of questions, not of code: datasets and runs keep a copy. */
  readonly isData: boolean
}

/** Where the files of questions lie in the folder of a dataset or run. */
const QUESTIONS = 'questions'

/** Copies the files of questions into the folder of a dataset or run, which needs no others then. */
export function keepQuestions(plugins: readonly Plugin[], folder: string): void {
  for (const { isData, files, module, record } of plugins)
    for (const { path } of isData ? files : [])
      cpSync(path, join(folder, QUESTIONS, record.name, relative(module, path)))
}

/**
 * The named plugins; where none is named, those that a dataset or run was made with. A plugin is a module whose default export
 * is a task, a family or a token counter: a file, the folder of a package, or the name of an installed package. Or it is a file
 * of questions, or a folder of them.
 *
 * @param names - paths or npm names.
 * @param made - the provenance of a dataset or run.
 * @throws UsageError where one cannot be loaded, has changed, or is unknown on this machine.
 */
export async function loadPlugins(names: readonly string[], made?: Provenance): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = []
  for (const name of names) {
    const plugin = await loadPlugin(name, process.cwd())
    plugins.push(plugin)
    const { module, from, files } = plugin
    rememberPlugin(plugin.record.sha256, { module, from, files: [...files] })
  }
  // Named plugins replace all recorded ones, also where they have changed or moved.
  if (made === undefined || names.length > 0) return distinctNames(plugins)
  for (const record of made.plugins) plugins.push(await loadRecorded(record, made.place))
  return distinctNames(plugins)
}

/** Files of one name in several folders are named by as much of their paths as makes them distinct: `evens/task.js`. */
function distinctNames(plugins: readonly Plugin[]): readonly Plugin[] {
  const ends = ({ module, from, record }: Plugin, parts: number): string =>
    from === null ? module.split(sep).slice(-parts).join('/') : record.name
  return plugins.map((plugin) => {
    const others = plugins.filter(({ module, from }) => module !== plugin.module || from !== plugin.from)
    let parts = 1
    while (parts < 8 && others.some((other) => ends(other, parts) === ends(plugin, parts))) parts++
    return { ...plugin, record: { ...plugin.record, name: ends(plugin, parts) } }
  })
}

async function loadRecorded(record: PluginRecord, place: string): Promise<Plugin> {
  const { name, sha256 } = record
  const made = `${place} was made with the plugin ${name} (sha256 ${sha256.slice(0, 12)})`
  const kept = join(place, QUESTIONS, name)
  if (kept.startsWith(join(place, QUESTIONS, sep)) && existsSync(kept)) {
    const plugin = await loadQuestions(kept, place)
    if (plugin.record.sha256 === sha256) return { ...plugin, record }
    throw new UsageError(`${made}; ${kept} has changed. Restore it, or use it as it is: --plugin ${kept}`)
  }
  const found = findKnown(sha256)
  if (found.kind === 'unknown')
    throw new UsageError(`${made}, which is unknown on this machine. Name it once: --plugin FILE`)
  if (found.kind === 'changed')
    throw new UsageError(
      `${made}; ${found.path} has changed or is missing. Restore it, or use it as it is: --plugin FILE`,
    )
  const plugin = await loadPlugin(found.module, found.from ?? process.cwd())
  if (plugin.record.sha256 === sha256) return plugin
  throw new UsageError(`${made}; its set of files has changed. Restore it, or use it as it is: --plugin FILE`)
}

const loaded = new Map<string, Promise<Plugin>>()

/** Loads a module once per process. */
export function loadPlugin(name: string, folder: string): Promise<Plugin> {
  const path = resolve(folder, name)
  const key = existsSync(path) ? path : `${folder} ${name}`
  const known = loaded.get(key) ?? load(name, folder)
  loaded.set(key, known)
  return known
}

const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/[\w./-]+)?$/iu

async function load(name: string, folder: string): Promise<Plugin> {
  watchImports()
  const path = resolve(folder, name)
  const isFile = existsSync(path)
  if (isFile && !MODULE.test(path) && (await questionRoom()).hasQuestions(path)) return loadQuestions(path)
  if (isFile && statSync(path).isDirectory()) return load(packageIn(path), path)
  if (!isFile && !PACKAGE.test(name)) throw new UsageError(`cannot load the plugin ${name}: no such file ${path}`)
  const specifier = isFile ? pathToFileURL(path).href : packageSpecifier(name, folder)
  const module: { readonly default?: unknown } = await import(specifier).catch((error: unknown) => {
    const entry = isFile ? specifier : resolvedUrl(specifier)
    const why = whereThrown(error, entry?.startsWith('file:') === true ? modulesOf(entry) : [])
    throw new UsageError(`cannot load the plugin ${name}: ${why}${isFile ? '' : `; there is no file ${path} either`}`)
  })
  const url = isFile ? specifier : (resolvedUrl(specifier) ?? '')
  const files = filesOf(url, !isFile)
  const record = {
    name: isFile ? basename(path) : name,
    version: isFile ? null : versionOf(url),
    sha256: contentHash(files),
  }
  const place = isFile ? { module: path, from: null } : { module: name, from: folder }
  return { family: familyOf(module.default, name), record, ...place, files, isData: false }
}

const questionRoom = () => import('../extras/questions/index.ts')

/** The questions at a path as tasks. @param run - a folder that may hold judgements of their responses */
async function loadQuestions(path: string, run?: string): Promise<Plugin> {
  const { questionFilesAt, questionTask, readJudgements } = await questionRoom()
  const judgements = run === undefined ? undefined : readJudgements(run)
  const sets = questionFilesAt(path)
  const tasks: Task[] = []
  for (const set of sets) tasks.push(await questionTask(set, judgements))
  const files = sets.flatMap(({ paths }) => paths.map((one) => ({ path: one, sha256: hashOf(one) })))
  const record = { name: basename(path), version: null, sha256: contentHash(files) }
  return { family: { name: 'questions', tasks, importers: [] }, record, module: path, from: null, files, isData: true }
}

/** The names with paths of questions taken apart: their plugins, and the tasks that they stand for. */
export async function questionPaths(names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const name of names.filter((one) => existsSync(one) && !MODULE.test(one))) {
    const { hasQuestions, questionFilesAt } = await questionRoom()
    if (hasQuestions(name))
      found.set(
        name,
        questionFilesAt(resolve(name)).map(({ task }) => task),
      )
  }
  return found
}

/** The name of the package in a folder; it resolves itself by that name. */
function packageIn(folder: string): string {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { name, exports } = read as { readonly name?: unknown; readonly exports?: unknown }
    if (typeof name === 'string' && PACKAGE.test(name) && exports !== undefined) return name
  } catch {
    // No package.json that can be read: not a package.
  }
  throw new UsageError(
    `the plugin ${folder} has no package.json with "name" and "exports". Name the file that exports the task`,
  )
}

function versionOf(url: string): string | null {
  try {
    const text = readFileSync(join(packageRoot(fileURLToPath(url)), 'package.json'), 'utf8')
    const { version } = JSON.parse(text) as { readonly version?: unknown }
    return typeof version === 'string' ? version : null
  } catch {
    return null
  }
}

function familyOf(exported: unknown, name: string): Family {
  if (isFamily(exported)) return exported
  if (isTask(exported)) return { name, tasks: [exported], importers: [] }
  if (isTokenCounter(exported)) return { name, tasks: [], importers: [], tokenCounters: [exported] }
  throw new UsageError(
    `the plugin ${name} must export by default what defineTask returns, a family of tasks, or a token counter { name, version, count }`,
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

/**
 * All families, those of plugins after ours; token counters of plugins serve the tasks of all families.
 *
 * @param wanted - tasks that will be named: of ours only their families are loaded. Default: all.
 * @throws UsageError where a plugin defines a task of an existing name.
 */
export async function familiesWith(plugins: readonly Plugin[], wanted?: readonly string[]): Promise<readonly Family[]> {
  const brought = new Set(plugins.flatMap(({ family }) => family.tasks.map(({ name }) => name)))
  const families = (wanted === undefined ? null : await familiesOf(wanted, brought)) ?? (await all())
  if (plugins.length === 0) return families
  const owner = new Map(families.flatMap(({ tasks }) => tasks.map(({ name }) => [name, 'touchstone'])))
  for (const { family, record } of plugins)
    for (const { name } of family.tasks) {
      const other = owner.get(name)
      if (other !== undefined)
        throw new UsageError(
          `the plugin ${record.name} defines the task ${name}, which ${other} has already. Rename it, e.g. to my-${name}`,
        )
      owner.set(name, record.name)
    }
  return withTokenCounters(
    [...families, ...plugins.map(({ family }) => family)],
    plugins.flatMap(({ family }) => family.tokenCounters ?? []),
  )
}

/** The task of imported logs. */
const logs = async (): Promise<Family> => (await import('../extras/exchange/logs/task.ts')).logs

/** The task of judges of own questions. */
const judge = async (): Promise<Family> => (await questionRoom()).judgeFamily

const all = async (): Promise<readonly Family[]> => [
  ...(await import('../tasks/index.ts')).families,
  await logs(),
  await judge(),
]

/**
 * The families of the tasks that are not of plugins. null: all must be loaded, because a task is unknown, or a plugin uses the
 * name of a family of ours.
 */
async function familiesOf(wanted: readonly string[], brought: ReadonlySet<string>): Promise<readonly Family[] | null> {
  const { byName } = await import('../tasks/by-name.ts')
  const familyOfTask = (task: string): string => task.split('/')[0] ?? ''
  if ([...brought].some((task) => Object.hasOwn(byName, familyOfTask(task)))) return null
  const own = wanted.filter((task) => !brought.has(task))
  const names = new Set(own.map(familyOfTask))
  const families = await Promise.all(
    Object.entries({ ...byName, logs, judge }).flatMap(([name, load]) => (names.has(name) ? [load()] : [])),
  )
  const known = new Set(families.flatMap(runnableOf).map(({ name }) => name))
  return own.every((name) => known.has(name)) ? families : null
}

/** The tasks of a family, of its imports and of its judges: every task that a run may hold. */
export const runnableOf = ({ tasks, imported = [], judging = [] }: Family): readonly Task[] => [
  ...tasks,
  ...imported,
  ...judging.map(({ task }) => task),
]

/** All families with these plugins, and those that a folder was made with. @throws UsageError */
export const loadFamilies = async (names: readonly string[] = [], folder?: string): Promise<readonly Family[]> =>
  familiesWith(await loadPlugins(names, folder === undefined ? undefined : readProvenance(folder)))

/** @throws UsageError naming the nearest task. */
export function findTask(tasks: readonly Task[], name: string): Task {
  const found = tasks.find((task) => task.name === name)
  if (found !== undefined) return found
  if (/\.[a-z]+$/u.test(name) && !existsSync(name)) throw new UsageError(`there is no file ${name}`)
  const names = tasks.map((task) => task.name)
  const folder = existsSync(name) ? ` (${name} is a path, but holds no dataset and no run)` : ''
  throw new UsageError(
    `unknown task "${name}"${folder}${hint(name, names)}. List tasks: touchstone list. For your own task add --plugin FILE`,
  )
}
