/** Correct answers of one model on one item. */
export interface Trials {
  readonly model: number
  readonly item: number
  /** Group of the item, if any. */
  readonly group?: number
  /** 0..trials; may be fractional (a sum of scores). */
  readonly right: number
  readonly trials: number
}

/** Trials in the order of groups and, in them, of items: `items` are ranges of rows, `groups` ranges of items. */
export interface Layout {
  readonly models: number
  readonly model: Int32Array
  readonly right: Float64Array
  readonly trials: Float64Array
  readonly itemStart: Int32Array
  readonly groupStart: Int32Array
  /** The caller's numbers of the items, in this order. */
  readonly itemIds: readonly number[]
  readonly groupIds: readonly number[]
  /** The first group with the same rows, of each group: what holds of it holds of all of them. */
  readonly alike: Int32Array
  /** Those first groups, and how many have the rows of each. */
  readonly kinds: readonly (readonly [first: number, count: number])[]
}

/** Items without a group form their own. */
export function layoutOf(trials: readonly Trials[]): Layout {
  const groups = [...Map.groupBy(trials, ({ group, item }) => (group === undefined ? -1 - item : group)).values()]
  const ordered: Trials[] = []
  const [itemStart, groupStart, itemIds, groupIds]: [number[], number[], number[], number[]] = [[0], [0], [], []]
  const known = new Map<string, number>()
  const alike: number[] = []
  for (const group of groups) {
    const items = [...Map.groupBy(group, (row) => row.item)]
    const key = items
      .map(([, rows]) => rows.map(({ model, right, trials: n }) => `${model},${right},${n}`).join(' '))
      .join(';')
    const first = known.get(key) ?? alike.length
    known.set(key, first)
    alike.push(first)
    for (const [item, rows] of items) {
      for (const row of rows) ordered.push(row)
      itemStart.push(ordered.length)
      itemIds.push(item)
    }
    groupStart.push(itemIds.length)
    groupIds.push(group[0]?.group ?? -1)
  }
  return {
    models: trials.reduce((most, { model }) => Math.max(most, model + 1), 0),
    model: Int32Array.from(ordered, ({ model }) => model),
    right: Float64Array.from(ordered, ({ right }) => right),
    trials: Float64Array.from(ordered, (row) => row.trials),
    itemStart: Int32Array.from(itemStart),
    groupStart: Int32Array.from(groupStart),
    itemIds,
    groupIds,
    alike: Int32Array.from(alike),
    kinds: [...counted(alike)],
  }
}

function counted(values: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
