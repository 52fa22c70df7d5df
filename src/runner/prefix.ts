import type { Layout } from '../core/index.ts'

/** How many groups the first indices of a set are of. */
export interface Prefix {
  readonly groups: number
  /** Of the whole set. */
  readonly of: number
}

/** The groups that the first `count` indices cover, where groups come one after another and not all are reached; else null. */
export function prefixOf(layout: Layout, count: number): Prefix | null {
  const { size } = layout
  if (layout.layout !== 'group-major' || size === null || count >= size) return null
  const [here, last] = [layout.at(count - 1), layout.at(size - 1)]
  if (!('group' in here && 'group' in last) || here.group === last.group) return null
  return { groups: here.group + 1, of: last.group + 1 }
}
