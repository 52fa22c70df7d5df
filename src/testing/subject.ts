import type { Extraction, Item, Json, JsonObject, Source, Task } from '../core/index.ts'
import { ContractError } from './contract-test.ts'
import { fuzzInputs, type Junk } from './fuzz-inputs.ts'

/** A task in one config. Its items are drawn once for all contract tests. */
export interface Subject {
  readonly task: Task
  readonly config: JsonObject
  /** The source of a split and seed, cached. */
  open(split: string, seed: string): Source
  /** The source of the test split with seed 1. */
  readonly test: Source
  /** The first `count` items of `test`, or all if there are fewer. */
  some(count: number): readonly Item[]
  /** Responses without an answer. */
  readonly junk: readonly Junk[]
}

/** Indices tried in search of items. */
const MAX_INDICES = 20_000

export function firstItems(source: Source, count: number): Item[] {
  const items: Item[] = []
  const limit = Math.min(source.layout.size ?? MAX_INDICES, MAX_INDICES)
  for (let index = 0; index < limit && items.length < count; index++) {
    const item = source.item(index)
    if (item.kind === 'item') items.push(item)
  }
  return items
}

const junk = fuzzInputs(1)

export function subjectOf(task: Task, config: JsonObject): Subject {
  const sources = new Map<string, Source>()
  let cached: { readonly items: readonly Item[]; readonly count: number } = { items: [], count: 0 }
  const open = (split: string, seed: string): Source => {
    const key = `${split} ${seed}`
    const source = sources.get(key) ?? instrumentedSource(task.source(config, { split, seed }))
    sources.set(key, source)
    return source
  }
  return {
    task: instrumentedTask(task, (part) => itemIds.get(part as object) ?? null),
    config,
    open,
    junk,
    get test() {
      return open('test', '1')
    },
    some(count) {
      if (cached.count < count) cached = { items: firstItems(open('test', '1'), count), count }
      return cached.items.slice(0, count)
    },
  }
}

/** Item ids of the questions and problems passed to a task, for error messages. */
const itemIds = new WeakMap<object, string>()

function withId<Part extends object>(part: Part, { id }: Item): Part {
  itemIds.set(part, id)
  return part
}

export const questionOf = (item: Item) => withId({ shared: item.shared, given: item.given }, item)
export const problemOf = (item: Item) => withId({ shared: item.shared, given: item.given, answer: item.answer }, item)

/** The score of a parsed response; null: unparsed. */
export const gradedBy = (task: Task, item: Item, found: Extraction<Json>): number | null =>
  found.kind === 'unparsed' ? null : (task.grade?.(problemOf(item), found.answer).value ?? null)

/** Functions of a task that contract tests call with an item. */
const INSTRUMENTED = [
  'oracle',
  'witness',
  'check',
  'gold',
  'grade',
  'right',
  'metrics',
  'choices',
  'canonical',
  'anonymize',
  'pairSignature',
  'solution',
  'checkSteps',
  'improve',
] as const

type Method = (...args: unknown[]) => unknown

/** The same task; errors of its functions name the function and, by `itemOf`, the item of an argument. */
export function instrumentedTask(task: Task, itemOf: (args: unknown) => string | null): Task {
  const named =
    (name: string, method: Method): Method =>
    (...args) =>
      withContext(
        () => method.apply(task, args),
        name,
        () => args.map(itemOf).find((id) => id !== null) ?? null,
      )
  const functions = INSTRUMENTED.flatMap((name) => {
    const method = task[name] as Method | undefined
    return method === undefined ? [] : [[name, named(name, method)]]
  })
  const parsers = Object.entries(task.parsers ?? {}).map(([name, read]) => [
    name,
    named(`parser ${name}`, read as Method),
  ])
  return {
    ...task,
    ...Object.fromEntries(functions),
    ...(task.parsers === undefined ? {} : { parsers: Object.fromEntries(parsers) }),
  }
}

/** The same source; its errors name the index or item. */
export const instrumentedSource = (source: Source): Source => ({
  ...source,
  item: (index) => withContext(() => source.item(index), `item ${index} cannot be drawn: draw`),
  request: (item, style) =>
    withContext(
      () => source.request(item, style),
      `request of style ${style}`,
      () => item.id,
    ),
})

function withContext<T>(method: () => T, what: string, item: () => string | null = () => null): T {
  try {
    return method()
  } catch (error) {
    if (error instanceof ContractError) throw error
    throw new ContractError(`${what} throws ${error}`, item())
  }
}
