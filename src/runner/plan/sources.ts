import {
  bindStreams,
  type EmptyIndex,
  fillTemplate,
  type Item,
  type Json,
  KeySpace,
  type Problem,
  type RandomStreams,
  type Request,
  rootKey,
  type Source,
  sortedJson,
  type Task,
  type Templates,
  UsageError,
} from '../../core/index.ts'
import type { StoredItem } from '../../store/index.ts'
import type { RunSource, TaskLookup } from './resolve.ts'
import { type SourceIndices, sourceIndices } from './source-indices.ts'

const sameItems = (a: RunSource, b: RunSource): boolean =>
  a.kind === 'generated' &&
  b.kind === 'generated' &&
  a.task === b.task &&
  a.split === b.split &&
  a.seed === b.seed &&
  sortedJson(a.config) === sortedJson(b.config)

/** Items of a part of a source that are held until they are planned; those of larger parts are made again. */
export const MAX_HELD = 20_000

/** The items of a run as its tasks see them. Sources are opened when first needed. */
export class Sources {
  readonly list: readonly RunSource[]
  /** Of all sources: their styles name them by their texts. */
  readonly templates: Templates
  private readonly tasks: TaskLookup
  private readonly opened = new Map<number, Source>()
  private readonly asked = new Map<number, SourceIndices>()
  /** Items that were made to choose indices, by source and index, until they are taken. */
  private readonly held = new Map<number, Map<number, Item | EmptyIndex>>()
  /** The sources with the same items as one of them, itself included. */
  private readonly twins = new Map<number, readonly RunSource[]>()

  constructor(list: readonly RunSource[], tasks: TaskLookup) {
    this.list = list
    this.templates = Object.assign({}, ...list.map(({ templates }) => templates))
    this.tasks = tasks
  }

  /** The task that scores a source's responses, whatever its version. @throws UsageError if it is not installed */
  scorer(index: number): Task {
    const { task: name } = this.need(index)
    const task = this.tasks(name)
    if (task === undefined) throw new UsageError(`this run needs the task "${name}", which is not installed here`)
    return task
  }

  /** @throws UsageError if the task is not installed, or makes other items than when the run was planned */
  task(index: number): Task {
    const source = this.need(index)
    const task = this.scorer(index)
    if (task.version !== source.version)
      throw new UsageError(
        `this run was made with version ${source.version} of ${source.task}; version ${task.version} is installed. Its responses can be scored and reported, but not continued`,
      )
    return task
  }

  /** The styles of an item: those of its source and of all sources with the same items. */
  styles(item: Pick<StoredItem, 'source' | 'index'>): readonly string[] {
    const own = this.need(item.source)
    const twins = this.twins.get(item.source) ?? this.list.filter((one) => one === own || sameItems(one, own))
    this.twins.set(item.source, twins)
    // Which indices a source has takes time to know.
    const asking =
      twins.length === 1 ? twins : twins.filter((one) => this.indices(this.list.indexOf(one))?.has(item.index) ?? true)
    return [...new Set(asking.flatMap(({ styles }) => styles))]
  }

  /** The generator behind a source; null for imported items. */
  source(index: number): Source | null {
    const known = this.opened.get(index)
    if (known !== undefined) return known
    const { list } = this
    const source = list[index]
    if (source?.kind !== 'generated') return null
    const at = { split: source.split, seed: source.seed }
    const opened = this.task(index).source(source.config, at, source.plan, this.templates)
    this.opened.set(index, opened)
    return opened
  }

  /** The indices that a source is asked for; null for imported items. */
  indices(index: number): SourceIndices | null {
    const known = this.asked.get(index)
    if (known !== undefined) return known
    const source = this.list[index]
    const opened = source?.kind === 'generated' ? this.source(index) : null
    if (source?.kind !== 'generated' || opened === null) return null
    const held = this.heldOf(index)
    const item = (at: number): Item | EmptyIndex => {
      const made = held.get(at) ?? opened.item(at)
      if (source.count <= MAX_HELD) held.set(at, made)
      return made
    }
    const asked = sourceIndices({ layout: opened.layout, item }, source.count, source.within)
    for (const at of held.keys()) if (!asked.has(at)) held.delete(at)
    this.asked.set(index, asked)
    return asked
  }

  /** Keeps items of a source that will be asked for. */
  hold(index: number, items: readonly (Item | EmptyIndex)[]): void {
    for (const item of items) this.heldOf(index).set(item.index, item)
  }

  /** An item of a generated source. One that is held is made no second time, and held no longer. */
  take(index: number, at: number): Item | EmptyIndex {
    const held = this.heldOf(index)
    const item = held.get(at) ?? (this.source(index) as Source).item(at)
    held.delete(at)
    return item
  }

  private heldOf(index: number): Map<number, Item | EmptyIndex> {
    const held = this.held.get(index) ?? new Map()
    this.held.set(index, held)
    return held
  }

  /** Warnings: sources with fewer items than requested, and rows of files that cannot be asked. */
  shortages(): readonly string[] {
    const found = [...this.asked].flatMap(([number, { count }]) => {
      const source = this.list[number]
      if (source?.kind !== 'generated') return []
      const skipped = this.scorer(number).skipped?.(source.config)
      return [
        ...(count < source.count
          ? [`${source.task} ${source.label} has ${count} items, ${source.count} were asked for`]
          : []),
        ...(skipped == null ? [] : [skipped.text]),
      ]
    })
    return [...new Set(found)]
  }

  request(item: StoredItem, shared: Json, style: string): Request {
    const source = this.source(item.source)
    const question = { shared, given: item.given }
    const draws = source === null ? this.streams(item, 'view/') : null
    const task = this.task(item.source)
    const template = this.templates[style]
    if (draws !== null)
      return template === undefined
        ? task.request(question, style, draws)
        : fillTemplate(task, template, question, draws)
    return (source as Source).request(
      {
        kind: 'item',
        id: item.id,
        index: item.index,
        group: 0,
        stratum: item.stratum,
        nth: 0,
        draw: item.draw,
        groupHash: null,
        features: item.features,
        hash: item.itemHash,
        answer: null,
        ...question,
      },
      style,
    )
  }

  /** Random streams for a baseline; further samples have their own. */
  draws(item: StoredItem, name: string, sample: number): RandomStreams {
    const source = this.source(item.source)
    const draws = source === null ? this.streams(item, 'baseline/') : source.baselineDraws(item.index, name)
    return sample === 0 ? draws : draws.fork('sample', sample)
  }

  problem(item: StoredItem, shared: Json): Problem<Json, Json, Json> {
    return { shared, given: item.given, answer: item.answer }
  }

  private streams(item: StoredItem, prefix: string): RandomStreams {
    const space = new KeySpace(rootKey(item.task, item.version, 'imported', '0'))
    return bindStreams(space, prefix, [item.index], null)
  }

  private need(index: number): RunSource {
    const source = this.list[index]
    if (source === undefined)
      throw new UsageError(`this run has ${this.list.length} sources, an item names number ${index}`)
    return source
  }
}
