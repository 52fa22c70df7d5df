import type { ByFeature } from '../api/index.ts'

/** Most values of a feature that are shown one by one; more are binned. */
export const MAX_VALUES = 8
/** Most bins, and items in each at least. */
const [BINS, LEAST] = [6, 10]

/** Stretches of about equal count over the values of a feature, each standing at the value in its middle. Equal values stay together. */
export function equalCountBins(counts: ReadonlyMap<number, number>): ByFeature['bins'] {
  const values = [...counts].sort(([a], [b]) => a - b)
  const whole = values.reduce((sum, [, n]) => sum + n, 0)
  const bins = Math.max(1, Math.min(BINS, Math.floor(whole / LEAST)))
  const found = new Map<number, (readonly [number, number])[]>()
  let before = 0
  for (const [value, n] of values) {
    // Assigned by its middle, so that a value with many rows is not moved to the next bin.
    const at = Math.min(bins - 1, Math.floor(((before + n / 2) / whole) * bins))
    found.set(at, [...(found.get(at) ?? []), [value, n]])
    before += n
  }
  return [...found.values()].map((inside) => ({
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
