import { hint, type Json, type JsonObject, seedText, sortedJson, type Task, UsageError } from '../core/index.ts'
import {
  type ModelOptions,
  type Price,
  type PriceTable,
  priceIn,
  type Settings,
  settingsText,
  shippedPrices,
} from '../models/index.ts'
import type { Choice, Rate } from '../store/index.ts'
import { checkAdapt, valuesOf } from './adapt/along.ts'
import type { Adapt } from './adapt/rule.ts'
import type { Experiment, ItemsEntry, Limits, ModelEntry, Subsample } from './experiment.ts'
import { ruleOf, type Until } from './until/rule.ts'

/** Finds a task by its full name. */
export type TaskLookup = (name: string) => Task | undefined

/** Where items of a run come from: made by a task, or read from a release. */
export type RunSource = GeneratedSource | ImportedSource

export interface GeneratedSource {
  readonly kind: 'generated'
  readonly task: string
  readonly version: number
  readonly wording: number
  /** The name of the config in tables. */
  readonly label: string
  readonly preset: string | null
  readonly config: JsonObject
  readonly split: string
  readonly seed: string
  readonly count: number
  readonly styles: readonly string[]
  readonly plan: Json
}

export interface ImportedSource {
  readonly kind: 'imported'
  readonly task: string
  readonly version: number
  readonly wording: number
  readonly label: string
  readonly importer: string
  readonly styles: readonly string[]
}

export interface RunModel {
  /** Its name in cells and tables. */
  readonly name: string
  readonly spec: string
  readonly options: ModelOptions
  readonly settings: readonly Settings[]
  readonly samples: number
  readonly subsample: Subsample | null
  readonly attributes: { readonly [name: string]: string | number | boolean }
  readonly price: Price | null
  /** How fast it may be asked live; absent: as fast as the provider answers. */
  readonly rate?: Rate
  /** Asked in batches, each of at most so many lines; its price is then that of a batch. */
  readonly batch?: { readonly lines?: number | undefined }
  /** Style and parser for each task and settings, where they were chosen on other items. */
  readonly choices?: readonly Choice[]
}

export interface ResolvedExperiment {
  readonly name: string
  readonly seed: string
  readonly sources: readonly GeneratedSource[]
  readonly models: readonly RunModel[]
  readonly limits: Limits
  /** When the run knows enough; absent: when all is asked. */
  readonly until?: Until
  /** How it chooses what it asks next; absent: all is asked. */
  readonly adapt?: Adapt
}

/**
 * Checks an experiment against the tasks and works out every source: presets and sweeps become configs, counts become
 * numbers, plans are computed.
 *
 * @param limit - at most this many indices of each source.
 * @param prices - of models whose entry says none.
 * @throws UsageError
 */
export function resolveExperiment(
  experiment: Experiment,
  tasks: TaskLookup,
  names: readonly string[],
  limit?: number,
  prices: PriceTable = shippedPrices,
): ResolvedExperiment {
  const asked = experiment.items.flatMap((entry) => resolveItems(entry, experiment, tasks, names, limit))
  const models = resolveModels(experiment, asked, prices)
  const sources = asked.map((source) => withChosenStyles(source, models, tasks))
  const ids = new Set<string>()
  for (const { task, config, split, seed, styles } of sources) {
    const key = sortedJson([task, config, split, seed, styles])
    if (ids.has(key))
      throw new UsageError(
        `the items of ${task} ${sortedJson(config)} are asked for twice with split ${split} and seed ${seed}`,
      )
    ids.add(key)
  }
  const { name, seed, limits, until, adapt } = experiment
  if (until !== undefined) checkUntil(until, models)
  if (adapt !== undefined) {
    if (until !== undefined)
      throw new UsageError('until and adapt exclude each other: an adaptive run has an "until" of its own inside adapt')
    checkAdapt(adapt, models, sources, tasks)
  }
  return {
    name,
    seed: seedText(seed),
    sources,
    models,
    limits,
    ...(until === undefined ? {} : { until }),
    ...(adapt === undefined ? {} : { adapt }),
  }
}

/** Who is asked about these sources. @throws UsageError where two have one name. */
export function resolveModels(
  { models: entries, selection }: Pick<Experiment, 'models' | 'selection'>,
  sources: readonly Pick<RunSource, 'task'>[],
  prices: PriceTable = shippedPrices,
): readonly RunModel[] {
  const models = entries.map((entry) => resolveModel(entry, selection, sources, prices))
  const seen = new Set<string>()
  for (const { name } of models) {
    if (seen.has(name)) throw new UsageError(`two models are called "${name}": give one of them another "name"`)
    seen.add(name)
  }
  return models
}

/** @throws UsageError where the rule names no models, or one is asked in batches, which come all at once. */
function checkUntil(until: Until, models: readonly RunModel[]): void {
  ruleOf(
    until.rule,
    models.map(({ name }) => name),
  )
  const batched = models.find(({ batch }) => batch !== undefined)
  if (batched !== undefined)
    throw new UsageError(`until: ${batched.name} is asked in batches, which cannot be stopped when enough is known`)
}

/** The task of items that are asked for. @throws UsageError where there is none of that name. */
export function taskAsked({ task: name }: Pick<ItemsEntry, 'task'>, tasks: TaskLookup, names: readonly string[]): Task {
  const task = tasks(name)
  if (task === undefined)
    throw new UsageError(
      `there is no task "${name}"${hint(name, names)}; tasks: ${names.join(', ')}; one of a plugin is there with \`plugins\``,
    )
  return task
}

function resolveItems(
  entry: ItemsEntry,
  { seed, selection, adapt }: Experiment,
  tasks: TaskLookup,
  names: readonly string[],
  limit: number | undefined,
): GeneratedSource[] {
  const task = taskAsked(entry, tasks, names)
  const preset = entry.preset === undefined ? null : task.preset(entry.preset)
  if (entry.style !== undefined && selection !== undefined)
    throw new UsageError(`the items of ${task.name} name a style and a selection chooses one: leave one of them out`)
  const styles = entry.style ?? [task.styles[0]]
  for (const style of styles)
    if (!task.styles.includes(style))
      throw new UsageError(
        `${task.name} has no style "${style}"${hint(style, task.styles)}; it has ${task.styles.join(', ')}`,
      )
  if (entry.seed !== undefined && entry.seeds !== undefined)
    throw new UsageError(`the items of ${task.name} name seed and seeds: leave one of them out`)
  const [first, last] = entry.seeds ?? [0, 0]
  const seeds =
    entry.seeds === undefined ? [entry.seed ?? seed] : Array.from({ length: last - first + 1 }, (_, k) => first + k)
  const along = adapt === undefined ? null : valuesOf(adapt, entry, task)
  const sweep = along === null ? entry.sweep : { ...entry.sweep, [adapt?.knob ?? '']: along }
  // No value of a knob is asked more often than all together.
  const most = along === null || adapt === undefined ? undefined : adapt.maxItems
  const made = combinations(sweep ?? {}).flatMap((swept) => seeds.map((one) => ({ swept, one })))
  return made.map(({ swept, one }): GeneratedSource => {
    const changed = { ...entry.config, ...swept }
    const config = task.configure({ ...preset?.config, ...changed })
    const source = task.source(config, { split: entry.split, seed: one })
    const { size } = source.layout
    if (entry.count === undefined && limit === undefined && most === undefined && size === null)
      throw new UsageError(
        `${task.name} with this config has no end: say how many items with \`count\`, in an experiment beside the task`,
      )
    if (entry.count !== undefined && size !== null && entry.count > size)
      throw new UsageError(`${task.name} with this config has ${size} indices, "count" asks for ${entry.count}`)
    return {
      kind: 'generated',
      task: task.name,
      version: task.version,
      wording: task.promptVersion,
      label: label(preset?.name ?? null, changed),
      preset: preset?.name ?? null,
      config,
      split: source.split,
      seed: source.seed,
      count: Math.min(...[entry.count ?? size, limit, most].filter((count) => count != null)),
      styles,
      plan: source.plan,
    }
  })
}

function resolveModel(
  entry: ModelEntry,
  selection: readonly Choice[] | undefined,
  sources: readonly Pick<RunSource, 'task'>[],
  prices: PriceTable,
): RunModel {
  const { baseUrl, baseUrlEnv, apiKeyEnv, headers } = entry
  if (baseUrl !== undefined && urlSecrets(baseUrl).length > 0)
    throw new UsageError(
      `the baseUrl of ${entry.model} holds a user name, a password or a query: put the URL into an environment variable and name that with "baseUrlEnv"`,
    )
  const name = entry.name ?? entry.model
  const options: ModelOptions = {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(baseUrlEnv === undefined ? {} : { baseUrlEnv }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(headers === undefined ? {} : { headers }),
  }
  return {
    name,
    spec: entry.model,
    options,
    settings: entry.settings as readonly Settings[],
    samples: entry.samples,
    subsample: entry.subsample ?? null,
    attributes: entry.attributes ?? {},
    price: entry.price ?? inBatches(priceIn(prices, entry.model, options), entry.batch !== undefined) ?? null,
    ...(entry.rate === undefined ? {} : { rate: entry.rate }),
    ...(entry.batch === undefined ? {} : { batch: entry.batch }),
    ...(selection === undefined
      ? {}
      : { choices: choicesOf(name, entry.settings as readonly Settings[], selection, sources) }),
  }
}

/** What a token costs in a batch, as a share of the listed price: half with all three providers. */
const BATCH_SHARE = 0.5

function inBatches(price: Price | undefined, batch: boolean): Price | undefined {
  if (price === undefined || !batch) return price
  const { long } = price
  return {
    ...price,
    input: price.input * BATCH_SHARE,
    output: price.output * BATCH_SHARE,
    ...(long === undefined
      ? {}
      : { long: { above: long.above, input: long.input * BATCH_SHARE, output: long.output * BATCH_SHARE } }),
  }
}

/** What a selection says of a model. @throws UsageError where it says nothing of a task or of settings. */
function choicesOf(
  model: string,
  settings: readonly Settings[],
  selection: readonly Choice[],
  sources: readonly Pick<RunSource, 'task'>[],
): readonly Choice[] {
  const tasks = [...new Set(sources.map(({ task }) => task))]
  return tasks.flatMap((task) =>
    settings.map((one) => {
      const text = settingsText(one)
      const found = selection.find(
        (choice) => choice.task === task && choice.model === model && choice.settings === text,
      )
      if (found !== undefined) return found
      const known = selection.map((choice) => `${choice.model} ${choice.settings} on ${choice.task}`)
      throw new UsageError(
        `the selection has no choice for ${model} with settings ${text} on ${task}; it has ${known.join(', ')}`,
      )
    }),
  )
}

/** A source asked in the styles that some model was given for it. @throws UsageError for names the task does not know. */
function withChosenStyles(source: GeneratedSource, models: readonly RunModel[], tasks: TaskLookup): GeneratedSource {
  const choices = models.flatMap((model) => model.choices ?? []).filter(({ task }) => task === source.task)
  const task = tasks(source.task)
  if (choices.length === 0 || task === undefined) return source
  const parsers = Object.keys(task.parsers ?? {})
  for (const { style, parser } of choices) {
    if (!task.styles.includes(style))
      throw new UsageError(`the selection names the style "${style}", ${task.name} has ${task.styles.join(', ')}`)
    if (!parsers.includes(parser))
      throw new UsageError(`the selection names the parser "${parser}", ${task.name} has ${parsers.join(', ')}`)
  }
  return { ...source, styles: task.styles.filter((style) => choices.some((choice) => choice.style === style)) }
}

/**
 * What of a URL is secret: its password and its `user:password`, the values of its query; in a web address also a user name
 * without a password, where some servers take a token.
 */
export function urlSecrets(text: string): readonly string[] {
  const url = URL.parse(text)
  if (url === null) return []
  const { protocol, username, password, searchParams } = url
  const secret = password === '' && protocol.startsWith('http') ? username : password
  const plain = password === '' ? [] : [`${decoded(username)}:${decoded(password)}`]
  return [...(secret === '' ? [] : [secret, decoded(secret), ...plain]), ...searchParams.values()]
}

/** A percent sign that begins no code stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The cross product of the values, the last key running fastest. */
function combinations(sweep: { readonly [key: string]: readonly Json[] }): readonly JsonObject[] {
  let out: JsonObject[] = [{}]
  for (const [key, values] of Object.entries(sweep))
    out = out.flatMap((before) => values.map((value) => ({ ...before, [key]: value })))
  return out
}

function label(preset: string | null, changed: JsonObject): string {
  const parts = Object.entries(changed).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : sortedJson(value)}`,
  )
  if (parts.length === 0) return preset ?? 'default'
  return `${preset ?? ''}{${parts.join(',')}}`
}
