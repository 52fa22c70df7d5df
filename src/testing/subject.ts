import type { Extraction, Item, Json, JsonObject, Source, Task } from '../core/index.ts'
import { ContractError } from './contract-test.ts'
import { fuzzInputs, type Junk } from './fuzz-inputs.ts'

/** A task in one config, with items that are drawn once for all laws: an item is what its place says, whoever asks. */
export interface Subject {
  readonly task: Task
  readonly config: JsonObject
  /** The source of items of a split and seed; the same one every time. */
  open(split: string, seed: string): Source
  /** That of the test split with seed 1, whose items are `some`. */
  readonly test: Source
  /** The first so many items that are no holes; fewer where there are not so many. */
  some(count: number): readonly Item[]
  /** Responses that answer nothing. */
  readonly junk: readonly Junk[]
}

/** So many indices are looked at for items that are no holes. */
const LOOKED_AT = 20_000

/** The first items of a source that are no holes. */
export function firstItems(source: Source, count: number): Item[] {
  const items: Item[] = []
  const limit = Math.min(source.layout.size ?? LOOKED_AT, LOOKED_AT)
  for (let index = 0; index < limit && items.length < count; index++) {
    const item = source.item(index)
    if (item.kind === 'item') items.push(item)
  }
  return items
}

const junk = fuzzInputs(1)

export function subjectOf(task: Task, config: JsonObject): Subject {
  const sources = new Map<string, Source>()
  let known: { readonly items: readonly Item[]; readonly asked: number } = { items: [], asked: 0 }
  const open = (split: string, seed: string): Source => {
    const key = `${split} ${seed}`
    const source = sources.get(key) ?? instrumentedSource(task.source(config, { split, seed }))
    sources.set(key, source)
    return source
  }
  return {
    task: instrumentedTask(task, (given) => owners.get(given as object) ?? null),
    config,
    open,
    junk,
    get test() {
      return open('test', '1')
    },
    some(count) {
      if (known.asked < count) known = { items: firstItems(open('test', '1'), count), asked: count }
      return known.items.slice(0, count)
    },
  }
}

/** Whose questions and problems tasks are asked about. */
const owners = new WeakMap<object, string>()

function owned<Part extends object>(part: Part, { id }: Item): Part {
  owners.set(part, id)
  return part
}

export const questionOf = (item: Item) => owned({ shared: item.shared, given: item.given }, item)
export const problemOf = (item: Item) => owned({ shared: item.shared, given: item.given, answer: item.answer }, item)

/** What a reading of a response is worth; null where nothing was read. */
export const gradedBy = (task: Task, item: Item, found: Extraction<Json>): number | null =>
  found.kind === 'unparsed' ? null : (task.grade?.(problemOf(item), found.answer).value ?? null)

/** What laws ask of a task about an item. */
const ASKED = [
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

type Act = (...given: unknown[]) => unknown

/**
 * The same task, whose functions say of which item they were asked where they throw.
 *
 * @param itemOf - the id of the item that an argument belongs to; null: of none.
 */
export function instrumentedTask(task: Task, itemOf: (given: unknown) => string | null): Task {
  const named =
    (name: string, act: Act): Act =>
    (...given) =>
      watched(
        () => act.apply(task, given),
        name,
        () => given.map(itemOf).find((id) => id !== null) ?? null,
      )
  const functions = ASKED.flatMap((name) => {
    const act = task[name] as Act | undefined
    return act === undefined ? [] : [[name, named(name, act)]]
  })
  const parsers = Object.entries(task.parsers ?? {}).map(([name, read]) => [name, named(`parser ${name}`, read as Act)])
  return {
    ...task,
    ...Object.fromEntries(functions),
    ...(task.parsers === undefined ? {} : { parsers: Object.fromEntries(parsers) }),
  }
}

/** The same source, which says at which index or item it throws. */
export const instrumentedSource = (source: Source): Source => ({
  ...source,
  item: (index) => watched(() => source.item(index), `item ${index} cannot be drawn: draw`),
  request: (item, style) =>
    watched(
      () => source.request(item, style),
      `request of style ${style}`,
      () => item.id,
    ),
})

function watched<T>(act: () => T, what: string, item: () => string | null = () => null): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof ContractError) throw error
    throw new ContractError(
      `${what} throws ${error instanceof Error ? `${error.name}: ${error.message}` : error}`,
      item(),
    )
  }
}
