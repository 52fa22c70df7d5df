import { canonicalConfig, canonicalJson, canonicalPart } from './canonical-json.ts'
import { enc, sha256Hex, sha256HexOfTexts } from './hash.ts'
import type { Json, JsonObject } from './json.ts'
import type { Features } from './task.ts'

/** What all items of a dataset have in common. */
export interface DatasetKey {
  readonly task: string
  readonly version: number
  readonly split: string
  readonly seed: string
  readonly configHash: string
}

/** One problem with its position, identity and hashes. */
export interface Item {
  readonly kind: 'item'
  /** `<task>@<version>/<split>/<12 hex>/<index>` */
  readonly id: string
  readonly index: number
  readonly group: number
  readonly stratum: number
  readonly nth: number
  /** Lowest index of its contrast set, if the layout has them. */
  readonly twin?: number
  /** 12 hex digits, equal for the same index under every config and within a contrast set; comparisons pair by it. */
  readonly draw: string
  readonly shared: Json
  /** null where the task has no groups. */
  readonly groupHash: string | null
  readonly given: Json
  readonly answer: Json
  readonly features: Features
  readonly hash: string
}

/** An index without an item: proved empty, or the search limit was reached. Other items keep their index. */
export interface EmptyIndex {
  readonly kind: 'hole'
  readonly id: string
  readonly index: number
  readonly group: number
  readonly stratum: number
  readonly proved: boolean
  readonly reason: string
  readonly hash: string
}

export interface Group {
  readonly kind: 'group'
  readonly group: number
  readonly shared: Json
  readonly hash: string
}

/** Hash of a config. Keys equal to their default are omitted, so adding a parameter changes no id. */
export function configHash(config: JsonObject, defaults: JsonObject): string {
  const kept = Object.entries(config).filter(
    ([key, value]) => !Object.hasOwn(defaults, key) || canonicalConfig(value) !== canonicalConfig(defaults[key]),
  )
  return sha256Hex(`touchstone/config/1\n${canonicalConfig(Object.fromEntries(kept))}`)
}

export const groupHash = (shared: Json): string => sha256Hex(`touchstone/group/1\n${canonicalJson(shared)}`)

export const planHash = (plan: Json): string => sha256Hex(`touchstone/plan/1\n${canonicalConfig(plan)}`)

const twelve = (bytes: Uint8Array): string => sha256Hex(bytes).slice(0, 12)

/** Item ids without the index. */
export const idPrefix = (key: DatasetKey): string =>
  `${key.task}@${key.version}/${key.split}/${twelve(enc('touchstone/id/1', key.configHash, key.seed))}`

export const drawId = (key: DatasetKey, index: number): string =>
  twelve(enc('touchstone/draw/1', key.task, key.version, key.split, key.seed, index))

/** What an item hash covers besides task, version, split and config. */
export interface ItemContent {
  readonly index: number
  readonly groupHash: string | null
  /** null: an empty index. */
  readonly truth: { readonly given: Json; readonly answer: Json } | null
  readonly features: Features
}

/** The hash covers integers, strings and booleans among the features; other features may differ in rounding. */
export function itemHash(key: Omit<DatasetKey, 'seed'>, content: ItemContent): string {
  const { truth } = content
  return itemHashFromText(key, content, truth === null ? null : givenText(truth.given), truth?.answer ?? null)
}

/** A problem as canonical JSON, as the item hash covers it. Serialising it is a large part of an item's cost: do it once. */
export const givenText = (given: Json): string => canonicalPart(given, 2)

/** {@link itemHash} from the {@link givenText} of a problem; null: an empty index. */
export function itemHashFromText(
  key: Omit<DatasetKey, 'seed'>,
  { index, groupHash: group, features: all }: Omit<ItemContent, 'truth'>,
  given: string | null,
  answer: Json,
): string {
  // Sorted keys serialise fastest.
  const features: { [name: string]: Features[string] } = {}
  for (const name of inOrder(Object.keys(all))) {
    const value = all[name] as Features[string]
    if (typeof value === 'number' ? Number.isSafeInteger(value) : value !== null) features[name] = value
  }
  const { configHash: config, split, task, version } = key
  const before = canonicalJson({ features, group, index, key: config, split, task }).slice(0, -1)
  const [begin, end] = [`touchstone/item/1\n${before},"truth":`, `,"version":${canonicalJson(version)}}`]
  return given === null
    ? sha256HexOfTexts(begin, 'null', end)
    : sha256HexOfTexts(begin, `{"answer":${canonicalPart(answer, 2)},"given":`, given, '}', end)
}

let last: { readonly names: readonly string[]; readonly sorted: readonly string[] } = { names: [], sorted: [] }

/** Sorted names; remembers the last result, since items of one task have the same names. */
function inOrder(names: readonly string[]): readonly string[] {
  if (names.length !== last.names.length || names.some((name, i) => name !== last.names[i]))
    last = { names, sorted: names.toSorted() }
  return last.sorted
}

/** Hash of an empty index: an item hash with the reason as its only feature. */
export const emptyIndexHash = (
  key: Omit<DatasetKey, 'seed'>,
  index: number,
  groupHash: string | null,
  reason: string,
): string => itemHash(key, { index, groupHash, truth: null, features: { unreachable: reason } })
