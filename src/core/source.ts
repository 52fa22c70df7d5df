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
import { bucketsOfSplit, partitionBucket } from './split-partition.ts'
import { bindStreams, checkName, KeySpace, layoutStreams, rootKey, type SplitPartition, seedText } from './streams.ts'
import type { DrawContext, EmptyDraw, Features, ItemSlot, Layout, RandomStreams, TaskSpec } from './task.ts'
import { fillTemplate, type Templates } from './template.ts'

type AnySpec = TaskSpec<JsonObject, Json, Json, Json, Json>

/** The split and the seed that items are drawn from. */
export interface SourceKey {
  /** train | validation | test, or a custom name. */
  readonly split: string
  readonly seed: string | number
}

/** All items of (task, config, split, seed). Every index costs the same and gives the same bytes on every machine. */
export interface Source extends DatasetKey {
  readonly config: JsonObject
  readonly plan: Json
  readonly layout: Layout
  /** @throws UsageError if the dataset has no such index. */
  item(index: number): Item | EmptyIndex
  /** The same with its text, for writers. */
  written(index: number): SerializedItem
  group(group: number): Group | EmptyDraw
  /** The request for a model in one prompt style, or in a template. */
  request(item: Item, style: string): Request
  /** The streams that `request` uses for this index. */
  viewDraws(index: number): RandomStreams
  /** The streams that a baseline uses for this index. */
  baselineDraws(index: number, name: string): RandomStreams
}

/** An item with its problem as canonical JSON; null for an empty index. Not frozen. */
export interface SerializedItem {
  readonly item: Item | EmptyIndex
  readonly given: string | null
}

/** Size of the group cache. */
const MAX_GROUPS = 64

export function openSource(
  spec: AnySpec,
  config: JsonObject,
  defaults: JsonObject,
  at: SourceKey,
  givenPlan?: Json,
  templates?: Templates,
): Source {
  const key: DatasetKey = {
    task: spec.name,
    version: spec.version,
    split: checkName('split', at.split),
    seed: seedText(at.seed),
    configHash: configHash(config, defaults),
  }
  const space = new KeySpace(rootKey(key.task, key.version, key.split, key.seed))
  const partition: SplitPartition | null =
    spec.partition === undefined ? null : { domain: spec.partition.domain, split: key.split }
  const plan = freeze(givenPlan ?? spec.plan?.(config, bindStreams(space, 'plan/', [], partition)) ?? null)
  const layout = spec.layout(config, plan, layoutStreams(space))
  const prefix = idPrefix(key)
  const groups = new LruCache<Group | EmptyDraw>(MAX_GROUPS)

  function makeGroup(group: number): Group | EmptyDraw {
    if (spec.group === undefined) return { kind: 'group', group, shared: null, hash: groupHash(null) }
    const shared = spec.group(config, plan, group, bindStreams(space, 'group/', [group], partition))
    if (isEmptyDraw(shared)) return shared
    freeze(shared)
    if (spec.partition?.of === 'group') checkPartition(shared, null)
    return { kind: 'group', group, shared, hash: groupHash(shared) }
  }

  function checkPartition(shared: Json, given: Json): void {
    if (spec.partition === undefined || spec.partition.exempts?.({ shared, given }) === true) return
    const region = partitionBucket(spec.partition.domain, spec.partition.key({ shared, given }))
    if (!bucketsOfSplit(key.split).includes(region))
      throw new Error(
        `${spec.name} made content of partition bucket ${region}, which is not in the split "${key.split}"`,
      )
  }

  const declared = Object.keys(spec.features.shape)

  /** An undeclared feature would be lost silently: analyses, columns and cards know declared features only. */
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

  function emptyIndex(index: number, slot: ItemSlot | null, hash: string | null, why: EmptyDraw): EmptyIndex {
    const { group, stratum } = slot ?? { group: 0, stratum: 0 }
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
      throw new UsageError(`expected an item index (an integer from 0), got ${index}`)
    if (layout.size !== null && index >= layout.size)
      throw new UsageError(`this config has ${layout.size} indices (0 to ${layout.size - 1}), got ${index}`)
    const slot = layout.at(index)
    if ('kind' in slot) return without(emptyIndex(index, null, null, slot))
    const group = groupOf(slot.group)
    if (group.kind === 'unreachable') return without(emptyIndex(index, slot, null, group))
    const hash = spec.group === undefined ? null : group.hash
    // A contrast set is one draw; its items differ in their labels.
    const first = layout.contrastSize === undefined ? index : index - (index % layout.contrastSize)
    const context: DrawContext = { ...slot, levels: layout.strata[slot.stratum] ?? {} }
    const drawn = spec.draw(
      config,
      group.shared,
      context,
      bindStreams(space, 'draw/', [first], partition),
      bindStreams(space, 'cell/', [slot.group, slot.unit], partition),
    )
    if (drawn.kind === 'unreachable') return without(emptyIndex(index, slot, hash, drawn))
    if (spec.partition?.of === 'item') checkPartition(group.shared, drawn.given)
    const { given, answer, features } = drawn
    checkFeatures(features)
    // Serialise before freezing: frozen arrays of strings serialise more slowly.
    const text = givenText(given)
    const leaf = itemHashFromText(key, { index, groupHash: hash, features }, text, answer)
    const item: Item = {
      kind: 'item',
      id: `${prefix}/${index}`,
      index,
      group: slot.group,
      stratum: slot.stratum,
      nth: slot.ordinal,
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
    request: ({ shared, given, index }, style) => {
      const question = { shared, given }
      const template = templates?.[style]
      const draws = bindStreams(space, 'view/', [index], partition)
      return template === undefined
        ? spec.request(question, style, draws)
        : fillTemplate(spec, template, question, draws)
    },
    viewDraws: (index) => bindStreams(space, 'view/', [index], partition),
    baselineDraws: (index, name) =>
      bindStreams(space, `baseline/${name.replace(/[^a-z0-9.-]/g, '-')}/`, [index], partition),
  }
}

const isEmptyDraw = (value: Json | EmptyDraw): value is EmptyDraw =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'unreachable'
