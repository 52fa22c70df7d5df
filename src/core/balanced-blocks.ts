import { interleave } from './interleave.ts'
import { LruCache } from './memo.ts'
import { shuffle } from './random.ts'
import type { Layout, RandomStreams, StratumLevels } from './task.ts'

/** Strata that differ only in the label. */
export interface AnswerBlock {
  /** A level of every factor but the label. */
  readonly levels: StratumLevels
  /** Items per round (default: 1). */
  readonly weight?: number
  /** Distinct contents per label: an integer, or Infinity (default). */
  readonly capacity?: number
}

/** A balanced design: factors, and answer blocks in which all labels are equally frequent. */
export interface BlockDesign {
  /** Names of the factors in order of importance (the label is not among them). */
  readonly factors: readonly string[]
  readonly units: readonly AnswerBlock[]
  /** The answer: each visit of a block serves every label once, so labels stay equal within a block. */
  readonly label?: { readonly name: string; readonly levels: readonly (string | number | boolean)[] }
  /**
   * `none`: each index is its own group. `group-major`: index = group * M + j, rounds run within the group.
   * `interleaved`: the group is the last factor.
   */
  readonly groups?:
    | { readonly layout: 'none' }
    | { readonly layout: 'group-major'; readonly count: number | null }
    | { readonly layout: 'interleaved'; readonly count: number }
  /** The items of one visit, one per label, form a contrast set: one draw, asked together. Needs a label. */
  readonly twins?: boolean
  /** Default: the sum of capacities. */
  readonly size?: number
}

/**
 * Serves blocks in rounds by water-filling: any index gives (stratum, group, ordinal) by arithmetic, so a dataset of N items is a
 * prefix of every larger one and labels within a block are equally frequent.
 *
 * @example
 * import { balancedBlocks, type Layout, type RandomStreams } from '@touchstone-eval/touchstone/task'
 *
 * // Lengths 3 to 6, as many Yes as No of each.
 * export const layout = (draws: RandomStreams): Layout =>
 *   balancedBlocks(
 *     {
 *       factors: ['length'],
 *       units: [3, 4, 5, 6].map((length) => ({ levels: { length } })),
 *       label: { name: 'answer', levels: ['Yes', 'No'] },
 *     },
 *     draws,
 *   )
 */
export function balancedBlocks(design: BlockDesign, draws: RandomStreams): Layout {
  if (design.twins === true && design.label === undefined) throw new RangeError('`twins` needs a label')
  const groups = design.groups ?? { layout: 'none' }
  return groups.layout === 'interleaved'
    ? blocks(withGroups(design, groups.count), 'interleaved', 1, draws)
    : blocks(design, groups.layout, groups.layout === 'group-major' ? groups.count : 1, draws)
}

function strataOf(design: BlockDesign): StratumLevels[] {
  const { label } = design
  if (label === undefined) return design.units.map((unit) => unit.levels)
  return design.units.flatMap((unit) => label.levels.map((level) => ({ ...unit.levels, [label.name]: level })))
}

/** Label of the k-th slot of a visit: one keyed shuffle per visit. */
function labelOrder(design: BlockDesign, draws: RandomStreams): (visit: number, slot: number) => number {
  const count = design.label?.levels.length ?? 1
  if (count === 1) return () => 0
  const slots = Array.from({ length: count }, (_, i) => i)
  const cache = new LruCache<readonly number[]>(4096)
  return (visit, slot) => cache.get(visit, () => shuffle(draws.stream('labels', visit), slots))[slot] as number
}

/** @param count - how often the whole schedule is served: once for each group of a group-major layout; null: without end. */
function blocks(
  design: BlockDesign & { readonly groupOf?: readonly number[] },
  layout: Layout['layout'],
  count: number | null,
  draws: RandomStreams,
): Layout {
  const labels = design.label?.levels.length ?? 1
  const schedule = makeSchedule(design, draws)
  const labelAt = labelOrder(design, draws)
  const isMajor = layout === 'group-major'
  if (isMajor && !Number.isFinite(schedule.total))
    throw new RangeError('a group-major layout needs units of finite capacity')
  const perGroup = schedule.total * labels
  const all = count === null ? Number.POSITIVE_INFINITY : count * perGroup
  const { groupOf } = design
  return {
    size: design.size ?? (Number.isFinite(all) ? all : null),
    strata: strataOf(design),
    ...(design.label === undefined ? {} : { label: design.label.name }),
    ...(design.twins === true ? { contrastSize: labels } : {}),
    layout,
    ...(isMajor ? { perGroup } : {}),
    at(index) {
      if (index >= all)
        return { kind: 'unreachable', proved: true, reason: `exhausted: the cells hold ${all} items in all` }
      const visit = Math.floor(index / labels)
      const { unit, ordinal } = schedule.at(Math.floor((index % perGroup) / labels))
      const stratum = unit * labels + labelAt(visit, index % labels)
      const alone = design.twins === true ? visit * labels : index
      const group = isMajor ? Math.floor(index / perGroup) : (groupOf?.[unit] ?? alone)
      return { stratum, unit, group, ordinal }
    },
  }
}

function withGroups(design: BlockDesign, count: number): BlockDesign & { readonly groupOf: readonly number[] } {
  const units: AnswerBlock[] = []
  const groupOf: number[] = []
  for (const unit of design.units) {
    for (let group = 0; group < count; group++) {
      units.push({ ...unit, levels: { ...unit.levels, group } })
      groupOf.push(group)
    }
  }
  return { ...design, factors: [...design.factors, 'group'], units, groupOf }
}

interface Schedule {
  /** Number of visits; Infinity if a capacity is. */
  readonly total: number
  at(visit: number): { readonly unit: number; readonly ordinal: number }
}

interface SubUnit {
  readonly unit: number
  /** Position among the sub-units of its block. */
  readonly part: number
  readonly weight: number
  readonly capacity: number
}

/** Above this many sub-units a round is ordered in pages, one per level of the first factor. */
const PAGE_LIMIT = 65536

/**
 * Round r serves every sub-unit with capacity > r once. Between two neighbouring capacities all rounds have one size,
 * so a visit's round is found by binary search over the distinct capacities.
 */
function makeSchedule(design: BlockDesign, draws: RandomStreams): Schedule {
  const subUnits = design.units.flatMap((unit, u) => split(unit, u))
  const capacities = [...new Set(subUnits.map((sub) => sub.capacity))].filter((c) => c > 0).sort((a, b) => a - b)
  const epochs = epochsOf(capacities, subUnits)
  const last = epochs.at(-1)
  const total = last === undefined ? 0 : last.firstVisit + (last.lastRound - last.firstRound) * last.live.length
  const orders = new LruCache<readonly SubUnit[]>(64)
  const pages = new Map<Epoch, readonly (readonly SubUnit[])[]>()

  function pagesOf(epoch: Epoch): readonly (readonly SubUnit[])[] {
    if (epoch.live.length <= PAGE_LIMIT) return [epoch.live]
    let found = pages.get(epoch)
    if (found === undefined) {
      const leading = design.factors[0]
      found = [
        ...Map.groupBy(epoch.live, (sub) =>
          leading === undefined ? 0 : design.units[sub.unit]?.levels[leading],
        ).values(),
      ]
      pages.set(epoch, found)
    }
    return found
  }

  function ordered(live: readonly SubUnit[], round: number, page: number, count: number): readonly SubUnit[] {
    return orders.get(round * count + page, () => {
      const stream = count === 1 ? draws.stream('strata', round) : draws.stream('strata', round, page)
      const cells = live.map((sub) => (design.units[sub.unit] as AnswerBlock).levels)
      return interleave(cells, design.factors, stream).map((i) => live[i] as SubUnit)
    })
  }

  return {
    total,
    at(visit) {
      const epoch = findEpoch(epochs, visit)
      const since = visit - epoch.firstVisit
      const round = epoch.firstRound + Math.floor(since / epoch.live.length)
      let position = since % epoch.live.length
      const parts = pagesOf(epoch)
      let page = 0
      while (position >= (parts[page] as readonly SubUnit[]).length) {
        position -= (parts[page] as readonly SubUnit[]).length
        page++
      }
      const sub = ordered(parts[page] as readonly SubUnit[], round, page, parts.length)[position] as SubUnit
      return { unit: sub.unit, ordinal: round * sub.weight + sub.part }
    },
  }
}

/** A unit of weight w is w sub-units, the j-th of capacity ceil((capacity - j) / w). */
function split(unit: AnswerBlock, index: number): SubUnit[] {
  const weight = unit.weight ?? 1
  const capacity = unit.capacity ?? Number.POSITIVE_INFINITY
  return Array.from({ length: weight }, (_, part) => ({
    unit: index,
    part,
    weight,
    capacity: Math.max(0, Math.ceil((capacity - part) / weight)),
  }))
}

/** A run of rounds that serve the same sub-units. */
interface Epoch {
  readonly firstRound: number
  /** Exclusive. */
  readonly lastRound: number
  readonly firstVisit: number
  readonly live: readonly SubUnit[]
}

function epochsOf(capacities: readonly number[], subUnits: readonly SubUnit[]): Epoch[] {
  const epochs: Epoch[] = []
  let firstRound = 0
  let firstVisit = 0
  for (const capacity of capacities) {
    const live = subUnits.filter((sub) => sub.capacity >= capacity)
    epochs.push({ firstRound, lastRound: capacity, firstVisit, live })
    firstVisit += (capacity - firstRound) * live.length
    firstRound = capacity
  }
  return epochs
}

function findEpoch(epochs: readonly Epoch[], visit: number): Epoch {
  let low = 0
  let high = epochs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((epochs[middle] as Epoch).firstVisit <= visit) low = middle
    else high = middle - 1
  }
  return epochs[low] as Epoch
}
