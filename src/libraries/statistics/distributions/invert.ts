/** The two tails of a distribution function at a point. */
export interface Tails {
  readonly lower: number
  readonly upper: number
}

/**
 * The x in [low, high] whose tails are `wanted`, by bisection down to the last bit; the smaller tail is compared, so
 * quantiles near 0 and 1 keep their relative precision. `high` may be infinite: it is then found by doubling.
 */
export function invert(tails: (x: number) => Tails, wanted: Tails, low: number, high: number): number {
  const below = (x: number) => {
    const { lower, upper } = tails(x)
    return wanted.lower <= wanted.upper ? lower < wanted.lower : upper > wanted.upper
  }
  let from = low
  let to = high
  if (to === Number.POSITIVE_INFINITY) {
    to = Math.max(1, from * 2)
    while (below(to)) {
      from = to
      to *= 2
      if (to === Number.POSITIVE_INFINITY) return to
    }
  }
  for (let i = 0; i < 1100; i++) {
    // The geometric mean reaches small quantiles in the exponent's bits instead of walking to them.
    const middle = from > 0 && to / from > 4 ? Math.sqrt(from) * Math.sqrt(to) : (from + to) / 2
    if (middle <= from || middle >= to) break
    if (below(middle)) from = middle
    else to = middle
  }
  return to
}
