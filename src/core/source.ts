import { UsageError } from './errors.ts'
import { fenceRegion, splitRegions } from './fence.ts'
import {
  configHash,
  type DatasetKey,
  drawId,
  type Group,
  givenText,
  groupHash,
  type Hole,
  hashAround,
  holeHash,
  type Item,
  idPrefix,
} from './item.ts'
import { freeze, type Json, type JsonObject } from './json.ts'
import { LeastRecent } from './memo.ts'
import type { Request } from './request.ts'
import { checkName, seedText } from './seed.ts'
import { bindStreams, type Fence, KeySpace, layoutStreams, rootKey } from './streams.ts'
import type { Cell, Features, Layout, Place, Streams, TaskSpec, Unreachable } from './task.ts'

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
  item(index: number): Item | Hole
  /** The same, for who writes it down. */
  written(index: number): Written
  group(group: number): Group | Unreachable
  /** The question as a model sees it, in one style. */
  request(item: Item, style: string): Request
  /** Streams of the presentation of one index: what `request` draws from. */
  viewDraws(index: number): Streams
  /** Streams of a baseline that answers this item. */
  baselineDraws(index: number, name: string): Streams
}

/**
 * An item with its problem as canonical JSON, as its hash covers it; null for a hole. It is not frozen: it is for who
 * writes the text down and lets the item go.
 */
export interface Written {
  readonly item: Item | Hole
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
  const fence: Fence | null = spec.fence === undefined ? null : { domain: spec.fence.domain, split: key.split }
  const plan = freeze(givenPlan ?? spec.plan?.(config, bindStreams(space, 'plan/', [], fence)) ?? null)
  const layout = spec.layout(config, plan, layoutStreams(space))
  const prefix = idPrefix(key)
  const groups = new LeastRecent<Group | Unreachable>(groupsKept)

  function makeGroup(group: number): Group | Unreachable {
    if (spec.group === undefined) return { kind: 'group', group, shared: null, hash: groupHash(null) }
    const shared = spec.group(config, plan, group, bindStreams(space, 'group/', [group], fence))
    if (isUnreachable(shared)) return shared
    freeze(shared)
    if (spec.fence?.of === 'group') checkFence(shared, null)
    return { kind: 'group', group, shared, hash: groupHash(shared) }
  }

  function checkFence(shared: Json, given: Json): void {
    if (spec.fence === undefined) return
    const region = fenceRegion(spec.fence.domain, spec.fence.key({ shared, given }))
    if (!splitRegions(key.split).includes(region))
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

  function hole(index: number, place: Place | null, hash: string | null, why: Unreachable): Hole {
    const { group, stratum } = place ?? { group: 0, stratum: 0 }
    return {
      kind: 'hole',
      id: `${prefix}/${index}`,
      index,
      group,
      stratum,
      proved: why.proved,
      reason: why.reason,
      hash: holeHash(key, index, hash, why.reason),
    }
  }

  const without = (item: Hole): Written => ({ item, given: null })

  function written(index: number): Written {
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
    const first = layout.twins === undefined ? index : index - (index % layout.twins)
    const cell: Cell = { ...place, levels: layout.strata[place.stratum] ?? {} }
    const drawn = spec.draw(
      config,
      group.shared,
      cell,
      bindStreams(space, 'draw/', [first], fence),
      bindStreams(space, 'cell/', [place.group, place.unit], fence),
    )
    if (drawn.kind === 'unreachable') return without(hole(index, place, hash, drawn))
    if (spec.fence?.of === 'item') checkFence(group.shared, drawn.given)
    const { given, answer, features } = drawn
    checkFeatures(features)
    // Before anybody freezes it, which lists of texts are written slower for.
    const text = givenText(given)
    const leaf = hashAround(key, { index, groupHash: hash, features }, text, answer)
    const item: Item = {
      kind: 'item',
      id: `${prefix}/${index}`,
      index,
      group: place.group,
      stratum: place.stratum,
      nth: place.nth,
      ...(layout.twins === undefined ? {} : { twin: first }),
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

  function item(index: number): Item | Hole {
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

const isUnreachable = (value: Json | Unreachable): value is Unreachable =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'unreachable'
