import type { Layout } from '../../core/index.ts'

/** The indices of a source that are asked for, ascending. */
export interface SourceIndices {
  readonly count: number
  /** The k-th of them. */
  at(k: number): number
  has(index: number): boolean
}

/** Groups that a part of an endless source is taken from. */
const ENDLESS_GROUPS = 100

/**
 * `count` of the first `within` indices (default: all). Where groups come one after another they are taken evenly from all groups: first
 * one of each group, then a second; neighbouring groups give the different answers of one stratum, and contrast sets stay whole. Else
 * they are the first, whose order is balanced. A smaller part is always within a larger one.
 */
export function sourceIndices(layout: Layout, count: number, within = layout.size): SourceIndices {
  const { perGroup } = layout
  if (layout.layout !== 'group-major' || perGroup === undefined || (within !== null && count >= within))
    return { count, at: (k) => k, has: (index) => index < count }
  const groups = within === null ? Math.max(ENDLESS_GROUPS, Math.ceil(count / perGroup)) : Math.ceil(within / perGroup)
  const order = evenOrder(layout, perGroup, groups)
  const found: number[] = []
  for (let k = 0; found.length < count; k++) {
    const index = order(k)
    if (within === null || index < within) found.push(index)
  }
  found.sort((a, b) => a - b)
  const known = new Set(found)
  return { count, at: (k) => found[k] as number, has: (index) => known.has(index) }
}

/** All indices of the first groups, in the order in which parts take them. */
function evenOrder(layout: Layout, perGroup: number, groups: number): (k: number) => number {
  const { label, strata, contrastSize = 1 } = layout
  const answers = label === undefined ? 1 : new Set(strata.map((levels) => levels[label])).size
  const visits = perGroup / answers
  const labelAt = (index: number): unknown => {
    const slot = layout.at(index)
    return label === undefined || 'kind' in slot ? undefined : strata[slot.stratum]?.[label]
  }
  const all = label === undefined ? [] : [...new Set(strata.map((levels) => levels[label]))]
  // Each round goes on in the strata where the round before ended, and comes to every visit of a group.
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
