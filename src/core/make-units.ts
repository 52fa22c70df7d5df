import type { EmptyIndex, Item } from './item.ts'
import type { Source } from './source.ts'

/** Units of a group of which as many are made as it takes to have `wanted` with items. */
export interface GroupJob {
  readonly wanted: number
  readonly units: readonly (readonly number[])[]
}

/** The items of a job, and the empty indices on the way. */
export function makeUnits(source: Source, { wanted, units }: GroupJob): readonly (Item | EmptyIndex)[] {
  const made: (Item | EmptyIndex)[] = []
  let found = 0
  for (const unit of units) {
    if (found === wanted) break
    const items = unit.map((index) => source.item(index))
    made.push(...items)
    if (items.some(({ kind }) => kind === 'item')) found++
  }
  return made
}
