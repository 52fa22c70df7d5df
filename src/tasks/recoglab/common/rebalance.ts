/**
 * The published rebalancing rule ("heuristic rejection", appendix of the paper and its code): of a stream of examples
 * with one metadata value each, which are kept. Keeps the first tenth; then a value with fewer than 20 kept; then a
 * value kept less than twice as often as the least kept among the values that make up at least 1 % of what was seen.
 * It loops once and does not draw again, so the set gets smaller than asked for.
 */
export function publishedRebalance(values: readonly string[]): boolean[] {
  const seen = new Map<string, number>()
  const kept = new Map<string, number>()
  const warmUp = Math.floor(values.length / 10)
  return values.map((value, i) => {
    seen.set(value, (seen.get(value) ?? 0) + 1)
    const mine = kept.get(value) ?? 0
    let keep = i < warmUp || mine < 20
    if (!keep) {
      let least = Number.POSITIVE_INFINITY
      for (const [other, count] of kept) {
        if (100 * (seen.get(other) as number) >= i + 1) least = Math.min(least, count)
      }
      keep = mine < 2 * least
    }
    if (keep) kept.set(value, mine + 1)
    return keep
  })
}
