/**
 * The least weight of what is possible, 2^-900 of the whole: doubles end near 2^-1074, and what is rounded to 0 would
 * leave the language.
 */
export const MIN_PROBABILITY = 1.1830521861667747e-271

const step = 1.157920892373162e77

/**
 * A probability that does not underflow: mantissa / 2^(256 steps), with 2^-256 < mantissa <= 1, or mantissa 0 for the
 * impossible. Powers of two are exact, so products and comparisons are those of doubles without bounds. It is changed in
 * place: charts make millions of products.
 */
export class ScaledProbability {
  mantissa = 1
  steps = 0

  set(mantissa: number, steps: number): this {
    this.mantissa = mantissa
    this.steps = steps
    return this
  }

  /** Multiplies by a probability, a plain one or the parts of another. */
  times(mantissa: number, steps = 0): this {
    const product = this.mantissa * mantissa
    if (product === 0) return this.set(0, 0)
    return product * step > 1 ? this.set(product, this.steps + steps) : this.set(product * step, this.steps + steps + 1)
  }
}

/** Probabilities by place. */
export class ScaledProbabilities {
  private readonly mantissa: Float64Array
  private readonly steps: Int32Array

  constructor(size: number) {
    this.mantissa = new Float64Array(size)
    this.steps = new Int32Array(size)
  }

  has(at: number): boolean {
    return this.mantissa[at] !== 0
  }

  set(at: number, value: ScaledProbability): void {
    this.mantissa[at] = value.mantissa
    this.steps[at] = value.steps
  }

  /** Sets `value` to the one at a place. */
  get(at: number, value: ScaledProbability): ScaledProbability {
    return value.set(this.mantissa[at]!, this.steps[at]!)
  }

  /** Multiplies `value` by the one at a place. */
  times(at: number, value: ScaledProbability): ScaledProbability {
    return value.times(this.mantissa[at]!, this.steps[at]!)
  }

  /** Whether `value` is more than the one at a place. */
  isLess(at: number, value: ScaledProbability): boolean {
    if (value.mantissa === 0) return false
    const own = this.mantissa[at]!
    const steps = this.steps[at]!
    return own === 0 || value.steps < steps || (value.steps === steps && value.mantissa > own)
  }

  clear(size: number): void {
    this.mantissa.fill(0, 0, size)
  }
}
