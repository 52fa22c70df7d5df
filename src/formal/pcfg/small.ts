/**
 * A probability that does not underflow: mantissa / 2^(256 steps), with 2^-256 < mantissa <= 1, or mantissa 0 for the
 * impossible. Powers of two are exact, so products and comparisons are those of doubles without bounds.
 */
export interface Small {
  readonly mantissa: number
  readonly steps: number
}

export const sure: Small = { mantissa: 1, steps: 0 }
export const impossible: Small = { mantissa: 0, steps: 0 }

const step = 1.157920892373162e77

/** `value` times a probability, a plain one or the parts of a `Small`. */
export function times(value: Small, mantissa: number, steps = 0): Small {
  const product = value.mantissa * mantissa
  if (product === 0) return impossible
  return product * step > 1
    ? { mantissa: product, steps: value.steps + steps }
    : { mantissa: product * step, steps: value.steps + steps + 1 }
}

export const isMore = (a: Small, b: Small): boolean =>
  a.mantissa > 0 && (b.mantissa === 0 || a.steps < b.steps || (a.steps === b.steps && a.mantissa > b.mantissa))
