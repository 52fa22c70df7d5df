import { logistic, softplus } from '../numeric.ts'
import type { Layout } from './layout.ts'

/** The log-likelihood by Laplace's approximation, and its derivative in (models, log sigma_item, log sigma_group). */
export interface LogLikelihood {
  readonly value: number
  readonly gradient: Float64Array
}

/**
 * sum over groups of log p(data, mode) - log sigma_group - (items) log sigma_item - 1/2 log |H|, with H the negative second derivative at the mode of
 * (group, its items). The derivative counts that the mode moves with the parameters: with w' = n p (1-p) (1-2p) of a row, q_i the variance
 * of its predictor and t = H^-1 sum_r w'_r q_i z_r, that of log |H| in the effect of a model is sum_r (w'_r q_i - w_r z_r' t) over its rows.
 * Groups with the same rows are worked out once: of them, only the first has its mode in `modes` then ({@link spreadModes}).
 */
export function laplace(layout: Layout, parameters: Parameters, modes: Modes): LogLikelihood {
  const gradient = new Float64Array(layout.models + (parameters.group === null ? 1 : 2))
  let value = 0
  for (const [g, count] of layout.kinds) {
    const terms = termsOf(layout, g, parameters, modes)
    value += count * terms.value
    addGradient(layout, g, count, terms, gradient)
  }
  return { value, gradient }
}

/** Gives all groups the mode of the first with the same rows. */
export function spreadModes({ alike, groupStart }: Layout, { groups, items }: Modes): void {
  for (const [to, from] of alike.entries()) {
    groups[to] = groups[from] as number
    items.copyWithin(groupStart[to] as number, groupStart[from] as number, groupStart[from + 1] as number)
  }
}

/** What one group adds to the log-likelihood and its derivative. */
interface Terms {
  readonly value: number
  readonly rows: Rows
  /** 1/2 of the derivative of log |H| by the predictor of each row. */
  readonly bent: Float64Array
  readonly byItem: number
  readonly byGroup: number | null
}

function addGradient(layout: Layout, g: number, count: number, terms: Terms, gradient: Float64Array): void {
  const { rows, bent, byItem, byGroup } = terms
  const from = firstRow(layout, g)
  for (let r = 0; r < bent.length; r++) {
    const model = layout.model[from + r] as number
    gradient[model] = (gradient[model] as number) + count * ((rows.residual[r] as number) - (bent[r] as number))
  }
  const { models } = layout
  gradient[models] = (gradient[models] as number) + count * byItem
  if (byGroup !== null) gradient[models + 1] = (gradient[models + 1] as number) + count * byGroup
}

function termsOf(layout: Layout, g: number, parameters: Parameters, modes: Modes): Terms {
  const arrow = findMode(layout, g, parameters, modes)
  let value = logJoint(layout, g, parameters, modes) - arrow.items.length * Math.log(parameters.item)
  for (const d of arrow.items) value -= 0.5 * Math.log(d)
  if (parameters.group !== null && arrow.corner !== null)
    value -= Math.log(parameters.group) + 0.5 * Math.log(arrow.corner)
  const from = layout.groupStart[g] as number
  const count = arrow.items.length
  const variances = arrow.items.map((d, i) => {
    const alone = 1 / d
    return arrow.corner === null ? alone : alone + (1 - (arrow.shared[i] as number) / d) ** 2 / arrow.corner
  })
  const rows = rowsOf(layout, g, parameters, modes)
  const { item, weight, bend } = rows
  const bends = new Float64Array(count)
  for (let r = 0; r < item.length; r++) {
    const i = item[r] as number
    bends[i] = (bends[i] as number) + (bend[r] as number) * (variances[i] as number)
  }
  const moved = solveArrow(
    arrow,
    bends.reduce((a, b) => a + b, 0),
    bends,
  )
  const bent = new Float64Array(item.length)
  for (let r = 0; r < item.length; r++) {
    const i = item[r] as number
    const along = moved.first + (moved.rest[i] as number)
    bent[r] = 0.5 * ((bend[r] as number) * (variances[i] as number) - (weight[r] as number) * along)
  }
  const narrow = 1 / parameters.item ** 2
  let byItem = -count
  for (let i = 0; i < count; i++) {
    const v = modes.items[from + i] as number
    const d = arrow.items[i] as number
    const own = 1 / d + (arrow.corner === null ? 0 : ((arrow.shared[i] as number) / d) ** 2 / arrow.corner)
    byItem += narrow * (v * v + own - (moved.rest[i] as number) * v)
  }
  if (parameters.group === null || arrow.corner === null) return { value, rows, bent, byItem, byGroup: null }
  const u = modes.groups[g] as number
  const byGroup = (1 / parameters.group ** 2) * (u * u + 1 / arrow.corner - moved.first * u) - 1
  return { value, rows, bent, byItem, byGroup }
}

/** Of the rows of one group, at its mode. */
interface Rows {
  /** Which item of the group. */
  readonly item: Int32Array
  /** right - n p */
  readonly residual: Float64Array
  /** n p (1 - p) */
  readonly weight: Float64Array
  /** n p (1 - p) (1 - 2 p) */
  readonly bend: Float64Array
}

function rowsOf(layout: Layout, g: number, parameters: Parameters, modes: Modes): Rows {
  const [from, first] = [layout.groupStart[g] as number, firstRow(layout, g)]
  const length = firstRow(layout, g + 1) - first
  const item = new Int32Array(length)
  const [residual, weight, bend] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)]
  const u = parameters.group === null ? 0 : (modes.groups[g] as number)
  for (let i = from; i < (layout.groupStart[g + 1] as number); i++) {
    const v = modes.items[i] as number
    for (let r = layout.itemStart[i] as number; r < (layout.itemStart[i + 1] as number); r++) {
      const n = layout.trials[r] as number
      const p = logistic((parameters.models[layout.model[r] as number] as number) + u + v)
      const w = n * p * (1 - p)
      item[r - first] = i - from
      residual[r - first] = (layout.right[r] as number) - n * p
      weight[r - first] = w
      bend[r - first] = w * (1 - 2 * p)
    }
  }
  return { item, residual, weight, bend }
}

const firstRow = (layout: Layout, g: number): number => layout.itemStart[layout.groupStart[g] as number] as number

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
const MIN_STEP = 2 ** -30

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
  while (!(now >= value - 1e-9 * (1 + Math.abs(value))) && length > MIN_STEP) {
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
