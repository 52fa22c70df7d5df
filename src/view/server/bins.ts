import type { ByFeature } from '../api/index.ts'

/** Most values of a feature that are shown one by one; more are binned. */
export const MAX_VALUES = 8
/** Most bins, and items in each at least. */
const [BINS, LEAST] = [6, 10]

/** Stretches of about equal count over the values of a feature, each standing at the value in its middle. Equal values stay together. */
export function equalCountBins(counts: ReadonlyMap<number, number>): ByFeature['bins'] {
  const values = [...counts].sort(([a], [b]) => a - b)
  const target = Math.max(LEAST, values.reduce((sum, [, n]) => sum + n, 0) / BINS)
  const found: (readonly [number, number])[][] = []
  let inside = target
  for (const [value, n] of values) {
    if (inside >= target) {
      found.push([])
      inside = 0
    }
    found.at(-1)?.push([value, n])
    inside += n
  }
  // What is left at the end belongs to the bin before.
  if (inside < LEAST && found.length > 1) found.at(-2)?.push(...(found.pop() ?? []))
  return found.map((inside) => ({
    at: middle(inside),
    low: inside[0]?.[0] ?? 0,
    high: inside.at(-1)?.[0] ?? 0,
  }))
}

/** The value up to which half of the rows lie. */
function middle(inside: readonly (readonly [number, number])[]): number {
  const half = inside.reduce((sum, [, n]) => sum + n, 0) / 2
  let before = 0
  for (const [value, n] of inside) {
    before += n
    if (before >= half) return value
  }
  return inside.at(-1)?.[0] ?? 0
}
