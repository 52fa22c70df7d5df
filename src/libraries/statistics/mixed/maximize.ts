/** A function with its derivatives. */
export interface Objective {
  readonly value: number
  readonly gradient: Float64Array
}

/** Where the search may go, coordinate by coordinate, and how. */
export interface Box {
  readonly low: Float64Array
  readonly high: Float64Array
  /** A guess of the variance of each coordinate, had it a likelihood: what a step of the length of the derivative is worth. */
  readonly variance: Float64Array
}

export type Maximum =
  | { readonly kind: 'top'; readonly at: Float64Array; readonly value: number }
  | { readonly kind: 'lost'; readonly steps: number }

const MAX_STEPS = 300
const MAX_HALVINGS = 40
const ARMIJO = 1e-4
const FLAT = 1e-7
/** Where rounding lets no step climb any more. */
const NEARLY_FLAT = 1e-4

/**
 * Maximum of a smooth function in a box: BFGS steps (Nocedal and Wright 2006, algorithm 6.1), clipped to the box and halved
 * until they climb. At the maximum only derivatives that point out of the box remain.
 */
export function maximize(height: (x: Float64Array) => Objective, start: Float64Array, box: Box): Maximum {
  let x = inBox(start, box)
  let here = height(x)
  let inverse = diagonal(box.variance)
  for (let step = 0; step < MAX_STEPS; step++) {
    if (slopeLeft(x, here.gradient, box) < FLAT * (1 + Math.abs(here.value)))
      return { kind: 'top', at: x, value: here.value }
    let direction = times(inverse, here.gradient)
    if (dot(direction, here.gradient) <= 0) {
      inverse = diagonal(box.variance)
      direction = times(inverse, here.gradient)
    }
    let found = climb(height, x, here, direction, box)
    if (found === null) {
      inverse = diagonal(box.variance)
      found = climb(height, x, here, times(inverse, here.gradient), box)
    }
    if (found === null) {
      const close = slopeLeft(x, here.gradient, box) < NEARLY_FLAT * (1 + Math.abs(here.value))
      return close ? { kind: 'top', at: x, value: here.value } : { kind: 'lost', steps: step }
    }
    inverse = updated(inverse, difference(found.x, x), difference(here.gradient, found.there.gradient))
    ;[x, here] = [found.x, found.there]
  }
  return { kind: 'lost', steps: MAX_STEPS }
}

function climb(
  height: (x: Float64Array) => Objective,
  x: Float64Array,
  here: Objective,
  direction: Float64Array,
  box: Box,
): { readonly x: Float64Array; readonly there: Objective } | null {
  const longest = direction.reduce((most, d) => Math.max(most, Math.abs(d)), 0)
  let length = Math.min(1, 2 / longest)
  for (let half = 0; half < MAX_HALVINGS; half++) {
    const next = inBox(
      x.map((value, j) => value + length * (direction[j] as number)),
      box,
    )
    const there = height(next)
    if (there.value > here.value + ARMIJO * dot(difference(next, x), here.gradient)) return { x: next, there }
    length /= 2
  }
  return null
}

/** The largest derivative that does not point out of the box. */
function slopeLeft(x: Float64Array, gradient: Float64Array, { low, high }: Box): number {
  return gradient.reduce((most, slope, j) => {
    const at = x[j] as number
    const out = (slope < 0 && at <= (low[j] as number)) || (slope > 0 && at >= (high[j] as number))
    return out ? most : Math.max(most, Math.abs(slope))
  }, 0)
}

/** The inverse of the negative second derivative, after a step s along which the gradient fell by y. */
function updated(inverse: readonly Float64Array[], s: Float64Array, y: Float64Array): readonly Float64Array[] {
  const curve = dot(s, y)
  if (!(curve > 1e-12)) return inverse
  const hy = times(inverse, y)
  const scale = (1 + dot(y, hy) / curve) / curve
  return inverse.map((row, i) =>
    row.map((value, j) => {
      const [si, sj] = [s[i] as number, s[j] as number]
      return value + scale * si * sj - ((hy[i] as number) * sj + si * (hy[j] as number)) / curve
    }),
  )
}

const inBox = (x: Float64Array, { low, high }: Box): Float64Array =>
  x.map((value, j) => Math.min(high[j] as number, Math.max(low[j] as number, value)))
const diagonal = (values: Float64Array): readonly Float64Array[] =>
  Array.from(values, (value, i) => values.map((_, j) => (i === j ? value : 0)))
const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, j) => sum + x * (b[j] as number), 0)
const difference = (a: Float64Array, b: Float64Array): Float64Array => a.map((x, j) => x - (b[j] as number))
const times = (matrix: readonly Float64Array[], x: Float64Array): Float64Array =>
  Float64Array.from(matrix, (row) => dot(row, x))
