import type { Item, Layout, Source } from '../../core/index.ts'
import { requireTask } from '../calls/open-models.ts'
import type { Run } from '../folder/run.ts'
import type { GeneratedSource } from './resolve.ts'

/** The indices of a source that are asked for, ascending. */
export interface SourceIndices {
  /** Fewer than asked for where the source has no more items. */
  readonly count: number
  /** The k-th of them. */
  at(k: number): number
  has(index: number): boolean
}

/** Groups that a part of an endless source is taken from. */
const ENDLESS_GROUPS = 100

/**
 * `count` of the first `within` indices (default: all). Where groups come one after another they are taken evenly from all groups: first
 * one of each group, then a second; neighbouring groups give the different answers of one stratum, and contrast sets stay whole. Where
 * strata alternate, all strata are taken at places spread over the whole; else the first. A smaller part is always within a larger one. An empty index is replaced by the next of
 * its group; only where all indices are asked for do the empty ones stay.
 */
export function sourceIndices(
  { layout, item }: Pick<Source, 'layout' | 'item'>,
  count: number,
  within = layout.size,
): SourceIndices {
  if (within !== null && count >= within) return { count, at: (k) => k, has: (index) => index < count }
  const hasItem = (index: number): boolean => (within === null || index < within) && item(index).kind === 'item'
  const found = isByGroup(layout) ? ofGroups(layout, count, within, hasItem) : inOrder(layout, count, within, hasItem)
  const known = new Set(found)
  return { count: found.length, at: (k) => found[k] as number, has: (index) => known.has(index) }
}

/** The same without looking which indices are empty, which takes time, and without those that are known to be. */
export function roughIndices(
  layout: Layout,
  count: number,
  within = layout.size,
  empty: ReadonlySet<number> = new Set(),
): SourceIndices {
  const item = (index: number) => ({ kind: empty.has(index) ? 'hole' : 'item' }) as Item
  const all = sourceIndices({ layout, item }, count, within)
  if (empty.size === 0) return all
  const found = Array.from({ length: all.count }, (_, k) => all.at(k)).filter((index) => !empty.has(index))
  return { count: found.length, at: (k) => found[k] as number, has: (index) => found.includes(index) }
}

type ByGroup = Layout & { readonly perGroup: number }

const isByGroup = (layout: Layout): layout is ByGroup =>
  layout.layout === 'group-major' && layout.perGroup !== undefined

/** Indices in a row without an item after which an endless source is taken to have no more. */
const MAX_EMPTY = 10_000

/** The k-th index that is taken where groups do not come one after another. */
function spreadOrder({ layout, strata }: Layout, within: number | null): (k: number) => number {
  const each = strata.length
  const places = layout === 'interleaved' && within !== null ? Math.floor(within / each) : 0
  if (places < 2) return (k) => k
  // Multiples of the golden ratio fill a circle evenly, however many they are.
  let step = Math.round((places * (Math.sqrt(5) - 1)) / 2)
  while (gcd(step, places) > 1) step++
  return (k) => (k < places * each ? ((Math.floor(k / each) * step) % places) * each + (k % each) : k)
}

function inOrder(layout: Layout, count: number, within: number | null, hasItem: (index: number) => boolean) {
  const order = spreadOrder(layout, within)
  const found: number[] = []
  for (let k = 0, empty = 0; found.length < count && (within === null ? empty < MAX_EMPTY : k < within); k++) {
    empty++
    const index = order(k)
    if (!hasItem(index)) continue
    found.push(index)
    empty = 0
  }
  return found.sort((a, b) => a - b)
}

/** Which units (items, or contrast sets) a part takes from a group. */
export interface GroupPart {
  /** Units with items. */
  readonly wanted: number
  /** The indices of the units in the order in which they are looked at. */
  unit(n: number): readonly number[]
  /** Units of the group. */
  readonly units: number
}

/** What a part takes from each of the first groups where none of its indices is empty; null where groups do not come one after another. */
export function groupParts(layout: Layout, count: number, within: number | null): readonly GroupPart[] | null {
  if (!isByGroup(layout)) return null
  return partsOf(layout, count, groupsOf(layout, count, within))
}

const groupsOf = ({ perGroup }: ByGroup, count: number, within: number | null): number =>
  within === null ? Math.max(ENDLESS_GROUPS, Math.ceil(count / perGroup)) : Math.ceil(within / perGroup)

function partsOf(layout: ByGroup, count: number, groups: number): readonly GroupPart[] {
  const { perGroup, contrastSize = 1 } = layout
  const order = evenOrder(layout, perGroup, groups)
  const all = Math.ceil(count / contrastSize)
  const rounds = Math.floor(all / groups)
  return Array.from({ length: groups }, (_, group) => ({
    wanted: rounds + (group < all % groups ? 1 : 0),
    units: perGroup / contrastSize,
    unit: (n) => Array.from({ length: contrastSize }, (_, k) => order((n * groups + group) * contrastSize + k)),
  }))
}

function ofGroups(
  layout: ByGroup,
  count: number,
  within: number | null,
  hasItem: (index: number) => boolean,
): readonly number[] {
  for (let groups = groupsOf(layout, count, within); ; groups *= 2) {
    const taken = partsOf(layout, count, groups).map((part) => ({ part, next: 0, units: [] as number[][] }))
    let items = 0
    const fill = (one: (typeof taken)[number], wanted: number): void => {
      while (one.units.length < wanted && one.next < one.part.units) {
        const unit = one.part.unit(one.next++).filter(hasItem)
        if (unit.length > 0) one.units.push(unit)
        items += unit.length
      }
    }
    // Group by group, since what items of a group share is made once.
    for (const one of taken) fill(one, one.part.wanted)
    // Other groups stand in for those that have too few.
    for (let round = 1; items < count && taken.some(({ part, next }) => next < part.units); round++)
      for (const one of taken) if (items < count) fill(one, round)
    const rounds = Math.max(...taken.map((one) => one.units.length))
    const found = Array.from({ length: rounds }, (_, round) => taken.flatMap((one) => one.units[round] ?? [])).flat()
    if (found.length >= count || within !== null || items === 0) return found.slice(0, count).sort((a, b) => a - b)
  }
}

/** All indices of the first groups, in the order in which parts take them: the k-th is of group k mod `groups`. */
function evenOrder(layout: Layout, perGroup: number, groups: number): (k: number) => number {
  const { label, strata, contrastSize = 1 } = layout
  const answers = label === undefined ? 1 : new Set(strata.map((levels) => levels[label])).size
  const visits = perGroup / answers
  const labelAt = (index: number): unknown => {
    const slot = layout.at(index)
    return label === undefined || 'kind' in slot ? undefined : strata[slot.stratum]?.[label]
  }
  const all = label === undefined ? [] : [...new Set(strata.map((levels) => levels[label]))]
  // Each round continues in the strata where the round before ended, and reaches every visit of a group.
  let step = Math.ceil(groups / answers)
  while (gcd(step, visits) > 1) step++
  return (k) => {
    const unit = Math.floor(k / contrastSize)
    const [group, round] = [unit % groups, Math.floor(unit / groups)]
    const visit = (round * step + Math.floor(group / answers)) % visits
    const first = group * perGroup + visit * answers
    if (contrastSize > 1) return first + (k % contrastSize)
    const wanted = all[(group + (round % visits) + Math.floor(round / visits)) % answers]
    for (let slot = 1; slot < answers; slot++) if (labelAt(first + slot) === wanted) return first + slot
    return first
  }
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** Groups of the first indices of a source. */
interface GroupCoverage {
  readonly groups: number
  /** Groups of the whole source. */
  readonly of: number
}

/** The groups of the first `within` indices, if groups come one after another and not all are among them; else null. */
export function groupCoverage(layout: Layout, within: number | null): GroupCoverage | null {
  const { size } = layout
  if (layout.layout !== 'group-major' || size === null || within === null || within >= size) return null
  const [here, last] = [layout.at(within - 1), layout.at(size - 1)]
  if (!('group' in here && 'group' in last) || here.group === last.group) return null
  return { groups: here.group + 1, of: last.group + 1 }
}

/** How much of a source is planned. */
export interface SourceCoverage {
  readonly task: string
  readonly config: string
  readonly indices: number
  /** null if the indices are taken from all groups, or groups do not come one after another. */
  readonly groups: GroupCoverage | null
}

export const sourceCoverage = ({ task, label, count, within }: GeneratedSource, layout: Layout): SourceCoverage => ({
  task,
  config: label,
  indices: count,
  groups: groupCoverage(layout, within ?? layout.size),
})

/** Of every generated source of a run. */
export const runCoverage = ({ file, context }: Pick<Run, 'file' | 'context'>): readonly SourceCoverage[] =>
  file.sources.flatMap((source) => {
    if (source.kind === 'imported') return []
    const { task, config, split, seed, plan } = source
    return [sourceCoverage(source, requireTask(context.tasks, task).source(config, { split, seed }, plan).layout)]
  })
