import { UsageError } from './errors.ts'
import {
  configHash,
  type DatasetKey,
  drawId,
  type EmptyIndex,
  emptyIndexHash,
  type Group,
  givenText,
  groupHash,
  type Item,
  idPrefix,
  itemHashFromText,
} from './item.ts'
import { freeze, type Json, type JsonObject } from './json.ts'
import { LruCache } from './memo.ts'
import type { Request } from './request.ts'
import { checkName, seedText } from './seed.ts'
import { bucketsOfSplit, partitionBucket } from './split-partition.ts'
import { bindStreams, type Fence, KeySpace, layoutStreams, rootKey } from './streams.ts'
import type { DrawContext, EmptyDraw, Features, ItemSlot, Layout, RandomStreams, TaskSpec } from './task.ts'

type AnySpec = TaskSpec<JsonObject, Json, Json, Json, Json>

/** Which items: the split and the seed that they are drawn from. */
export interface SourceKey {
  /** train | validation | test, or a custom name. */
  readonly split: string
  readonly seed: string | number
}

/** All items of (task, config, split, seed): any index at the cost of any other, the same bytes everywhere. */
export interface Source extends DatasetKey {
  readonly config: JsonObject
  readonly plan: Json
  readonly layout: Layout
  /** @throws UsageError where the index is not one of the dataset. */
  item(index: number): Item | EmptyIndex
  /** The same, for who writes it down. */
  written(index: number): SerializedItem
  group(group: number): Group | EmptyDraw
  /** The question as a model sees it, in one style. */
  request(item: Item, style: string): Request
  /** Streams of the presentation of one index: what `request` draws from. */
  viewDraws(index: number): RandomStreams
  /** Streams of a baseline that answers this item. */
  baselineDraws(index: number, name: string): RandomStreams
}

/**
 * An item with its problem as canonical JSON, as its hash covers it; null for a hole. It is not frozen: it is for who
 * writes the text down and lets the item go.
 */
export interface SerializedItem {
  readonly item: Item | EmptyIndex
  readonly given: string | null
}

/** How many group objects are kept. */
const groupsKept = 64

export function openSource(
  spec: AnySpec,
  config: JsonObject,
  defaults: JsonObject,
  at: SourceKey,
  givenPlan?: Json,
): Source {
  const key: DatasetKey = {
    task: spec.name,
    version: spec.version,
    split: checkName('split', at.split),
    seed: seedText(at.seed),
    configHash: configHash(config, defaults),
  }
  const space = new KeySpace(rootKey(key.task, key.version, key.split, key.seed))
  const fence: Fence | null = spec.partition === undefined ? null : { domain: spec.partition.domain, split: key.split }
  const plan = freeze(givenPlan ?? spec.plan?.(config, bindStreams(space, 'plan/', [], fence)) ?? null)
  const layout = spec.layout(config, plan, layoutStreams(space))
  const prefix = idPrefix(key)
  const groups = new LruCache<Group | EmptyDraw>(groupsKept)

  function makeGroup(group: number): Group | EmptyDraw {
    if (spec.group === undefined) return { kind: 'group', group, shared: null, hash: groupHash(null) }
    const shared = spec.group(config, plan, group, bindStreams(space, 'group/', [group], fence))
    if (isUnreachable(shared)) return shared
    freeze(shared)
    if (spec.partition?.of === 'group') checkFence(shared, null)
    return { kind: 'group', group, shared, hash: groupHash(shared) }
  }

  function checkFence(shared: Json, given: Json): void {
    if (spec.partition === undefined) return
    const region = partitionBucket(spec.partition.domain, spec.partition.key({ shared, given }))
    if (!bucketsOfSplit(key.split).includes(region))
      throw new Error(`${spec.name} made content of fence region ${region}, outside the split "${key.split}"`)
  }

  const declared = Object.keys(spec.features.shape)

  /** Analyses, columns and cards know declared features only: others would be lost without a word. */
  function checkFeatures(features: Features): void {
    if (declared.every((name) => Object.hasOwn(features, name)) && Object.keys(features).length === declared.length)
      return
    const undeclared = Object.keys(features).filter((name) => !declared.includes(name))
    const missing = declared.filter((name) => !Object.hasOwn(features, name))
    const wrong = [
      ...(undeclared.length === 0 ? [] : [`gives ${undeclared.join(', ')}, which \`features\` does not declare`]),
      ...(missing.length === 0
        ? []
        : [`lacks ${missing.join(', ')}, which \`features\` declares (null where it has none)`]),
    ]
    throw new Error(`${spec.name}: what draw returns ${wrong.join(', and ')}`)
  }

  const groupOf = (group: number) => groups.get(group, () => makeGroup(group))

  function hole(index: number, place: ItemSlot | null, hash: string | null, why: EmptyDraw): EmptyIndex {
    const { group, stratum } = place ?? { group: 0, stratum: 0 }
    return {
      kind: 'hole',
      id: `${prefix}/${index}`,
      index,
      group,
      stratum,
      proved: why.proved,
      reason: why.reason,
      hash: emptyIndexHash(key, index, hash, why.reason),
    }
  }

  const without = (item: EmptyIndex): SerializedItem => ({ item, given: null })

  function written(index: number): SerializedItem {
    if (!Number.isSafeInteger(index) || index < 0)
      throw new UsageError(`an item index is an integer from 0, got ${index}`)
    if (layout.size !== null && index >= layout.size)
      throw new UsageError(`this config has ${layout.size} indices (0 to ${layout.size - 1}), got ${index}`)
    const place = layout.at(index)
    if ('kind' in place) return without(hole(index, null, null, place))
    const group = groupOf(place.group)
    if (group.kind === 'unreachable') return without(hole(index, place, null, group))
    const hash = spec.group === undefined ? null : group.hash
    // Twins are one draw, told apart by their labels.
    const first = layout.contrastSize === undefined ? index : index - (index % layout.contrastSize)
    const cell: DrawContext = { ...place, levels: layout.strata[place.stratum] ?? {} }
    const drawn = spec.draw(
      config,
      group.shared,
      cell,
      bindStreams(space, 'draw/', [first], fence),
      bindStreams(space, 'cell/', [place.group, place.unit], fence),
    )
    if (drawn.kind === 'unreachable') return without(hole(index, place, hash, drawn))
    if (spec.partition?.of === 'item') checkFence(group.shared, drawn.given)
    const { given, answer, features } = drawn
    checkFeatures(features)
    // Before anybody freezes it, which lists of texts are written slower for.
    const text = givenText(given)
    const leaf = itemHashFromText(key, { index, groupHash: hash, features }, text, answer)
    const item: Item = {
      kind: 'item',
      id: `${prefix}/${index}`,
      index,
      group: place.group,
      stratum: place.stratum,
      nth: place.ordinal,
      ...(layout.contrastSize === undefined ? {} : { twin: first }),
      draw: drawId(key, first),
      shared: group.shared,
      groupHash: hash,
      given,
      answer,
      features,
      hash: leaf,
    }
    return { item, given: text }
  }

  function item(index: number): Item | EmptyIndex {
    const made = written(index).item
    if (made.kind === 'hole') return made
    freeze(made.given)
    freeze(made.answer)
    Object.freeze(made.features)
    return made
  }

  return {
    ...key,
    config,
    plan,
    layout,
    item,
    written,
    group: groupOf,
    request: ({ shared, given, index }, style) =>
      spec.request({ shared, given }, style, bindStreams(space, 'view/', [index], fence)),
    viewDraws: (index) => bindStreams(space, 'view/', [index], fence),
    baselineDraws: (index, name) =>
      bindStreams(space, `baseline/${name.replace(/[^a-z0-9.-]/g, '-')}/`, [index], fence),
  }
}

const isUnreachable = (value: Json | EmptyDraw): value is EmptyDraw =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'unreachable'
