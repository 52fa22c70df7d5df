import type { Layout } from './layout.ts'

/** Fixed effects of models, and the standard deviations of groups (null: there are none) and of items. */
export interface Parameters {
  readonly models: Float64Array
  readonly group: number | null
  readonly item: number
}

/** The most probable effects of all groups and items given the parameters; starts of the next search, changed in place. */
export interface Modes {
  readonly groups: Float64Array
  readonly items: Float64Array
}

/** The negative second derivative at a mode: an arrow, `items` on the diagonal, `shared` beside the corner `corner` of the group. */
export interface Arrow {
  /** S_i: sum of n p (1 - p) over the rows of an item. */
  readonly shared: Float64Array
  /** D_i = S_i + 1 / sigma_item^2. */
  readonly items: Float64Array
  /** What is left of the corner when items are eliminated; null without group effects. */
  readonly corner: number | null
}

const MAX_STEPS = 100
const CLOSE = 1e-9
const SHORT = 0.3
const SMALLEST_STEP = 2 ** -30

export function logistic(x: number): number {
  const e = Math.exp(-Math.abs(x))
  return x >= 0 ? 1 / (1 + e) : e / (1 + e)
}
/** log(1 + e^x), without overflow. */
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))

/** log p(data, effects) of one group, without constants of the normal densities. */
export function logJoint(layout: Layout, g: number, parameters: Parameters, modes: Modes): number {
  const u = parameters.group === null ? 0 : (modes.groups[g] as number)
  let total = parameters.group === null ? 0 : -0.5 * (u / parameters.group) ** 2
  for (let i = layout.groupStart[g] as number; i < (layout.groupStart[g + 1] as number); i++) {
    const v = modes.items[i] as number
    total -= 0.5 * (v / parameters.item) ** 2
    for (let r = layout.itemStart[i] as number; r < (layout.itemStart[i + 1] as number); r++) {
      const eta = (parameters.models[layout.model[r] as number] as number) + u + v
      total += (layout.right[r] as number) * eta - (layout.trials[r] as number) * softplus(eta)
    }
  }
  return total
}

/** Finds the mode of one group by Newton steps, halved where they overshoot (the function is concave), and the arrow there. */
export function findMode(layout: Layout, g: number, parameters: Parameters, modes: Modes): Arrow {
  const from = layout.groupStart[g] as number
  const count = (layout.groupStart[g + 1] as number) - from
  const step = new Float64Array(count)
  let value: number | null = null
  for (let n = 0; n < MAX_STEPS; n++) {
    const { arrow, slopes, slope } = derivatives(layout, g, parameters, modes)
    const first = arrow.corner === null ? 0 : solveCorner(arrow, slopes, slope)
    let largest = Math.abs(first)
    for (let i = 0; i < count; i++) {
      step[i] = ((slopes[i] as number) - (arrow.shared[i] as number) * first) / (arrow.items[i] as number)
      largest = Math.max(largest, Math.abs(step[i] as number))
    }
    if (largest < CLOSE) return arrow
    // So short a step cannot overshoot.
    if (largest < SHORT) {
      move(modes, g, from, first, step, 1)
      value = null
    } else
      value = walk(layout, g, parameters, modes, {
        first,
        step,
        value: value ?? logJoint(layout, g, parameters, modes),
      })
  }
  return derivatives(layout, g, parameters, modes).arrow
}

interface Step {
  readonly first: number
  readonly step: Float64Array
  readonly value: number
}

function walk(layout: Layout, g: number, parameters: Parameters, modes: Modes, { first, step, value }: Step): number {
  const from = layout.groupStart[g] as number
  move(modes, g, from, first, step, 1)
  let length = 1
  let now = logJoint(layout, g, parameters, modes)
  // Rounding may make a converged step a little worse.
  while (!(now >= value - 1e-9 * (1 + Math.abs(value))) && length > SMALLEST_STEP) {
    move(modes, g, from, first, step, -length / 2)
    length /= 2
    now = logJoint(layout, g, parameters, modes)
  }
  return now
}

function move(modes: Modes, g: number, from: number, first: number, step: Float64Array, by: number): void {
  modes.groups[g] = (modes.groups[g] as number) + by * first
  for (let i = 0; i < step.length; i++)
    modes.items[from + i] = (modes.items[from + i] as number) + by * (step[i] as number)
}

const solveCorner = ({ shared, items, corner }: Arrow, slopes: Float64Array, slope: number): number => {
  let rest = slope
  for (let i = 0; i < slopes.length; i++) rest -= ((shared[i] as number) * (slopes[i] as number)) / (items[i] as number)
  return rest / (corner as number)
}

/** H^-1 times a vector over (group, items of the group). */
export function solveArrow(arrow: Arrow, first: number, rest: Float64Array): { first: number; rest: Float64Array } {
  const u = arrow.corner === null ? 0 : solveCorner(arrow, rest, first)
  return {
    first: u,
    rest: rest.map((x, i) => (x - (arrow.shared[i] as number) * u) / (arrow.items[i] as number)),
  }
}

function derivatives(layout: Layout, g: number, parameters: Parameters, modes: Modes) {
  const from = layout.groupStart[g] as number
  const count = (layout.groupStart[g + 1] as number) - from
  const [shared, items, slopes] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  const u = parameters.group === null ? 0 : (modes.groups[g] as number)
  const narrow = 1 / parameters.item ** 2
  let [slope, corner] = [0, 0]
  for (let i = 0; i < count; i++) {
    const v = modes.items[from + i] as number
    let [s, d] = [0, 0]
    for (let r = layout.itemStart[from + i] as number; r < (layout.itemStart[from + i + 1] as number); r++) {
      const n = layout.trials[r] as number
      const p = logistic((parameters.models[layout.model[r] as number] as number) + u + v)
      d += (layout.right[r] as number) - n * p
      s += n * p * (1 - p)
    }
    shared[i] = s
    items[i] = s + narrow
    slopes[i] = d - v * narrow
    slope += d
    // S_i - S_i^2 / D_i, written so that nothing cancels.
    corner += (s * narrow) / (s + narrow)
  }
  if (parameters.group === null) return { arrow: { shared, items, corner: null }, slopes, slope: 0 }
  const wide = 1 / parameters.group ** 2
  return { arrow: { shared, items, corner: corner + wide }, slopes, slope: slope - u * wide }
}
