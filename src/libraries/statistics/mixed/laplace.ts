import { findMode, logistic, logJoint, type Modes, type Parameters, solveArrow } from './group-mode.ts'
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
