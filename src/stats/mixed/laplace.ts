import { type Arrow, findMode, logistic, logJoint, type Modes, type Parameters, solveArrow } from './group-mode.ts'
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
 */
export function laplace(layout: Layout, parameters: Parameters, modes: Modes): LogLikelihood {
  const { models } = layout
  const gradient = new Float64Array(models + (parameters.group === null ? 1 : 2))
  let value = 0
  for (let g = 0; g < layout.groupIds.length; g++) {
    const arrow = findMode(layout, g, parameters, modes)
    value += logJoint(layout, g, parameters, modes) - arrow.items.length * Math.log(parameters.item)
    for (const d of arrow.items) value -= 0.5 * Math.log(d)
    if (parameters.group !== null && arrow.corner !== null)
      value -= Math.log(parameters.group) + 0.5 * Math.log(arrow.corner)
    addGradient(layout, g, parameters, modes, arrow, gradient)
  }
  return { value, gradient }
}

function addGradient(
  layout: Layout,
  g: number,
  parameters: Parameters,
  modes: Modes,
  arrow: Arrow,
  gradient: Float64Array,
): void {
  const from = layout.groupStart[g] as number
  const count = arrow.items.length
  const u = parameters.group === null ? 0 : (modes.groups[g] as number)
  const variances = arrow.items.map((d, i) => {
    const alone = 1 / d
    return arrow.corner === null ? alone : alone + (1 - (arrow.shared[i] as number) / d) ** 2 / arrow.corner
  })
  const bends = new Float64Array(count)
  eachRow(layout, from, count, parameters, modes, u, (i, _model, { bend }) => {
    bends[i] = (bends[i] as number) + bend * (variances[i] as number)
  })
  const moved = solveArrow(
    arrow,
    bends.reduce((a, b) => a + b, 0),
    bends,
  )
  eachRow(layout, from, count, parameters, modes, u, (i, model, { residual, weight, bend }) => {
    const along = moved.first + (moved.rest[i] as number)
    gradient[model] = (gradient[model] as number) + residual - 0.5 * (bend * (variances[i] as number) - weight * along)
  })
  const narrow = 1 / parameters.item ** 2
  let byItem = -count
  for (let i = 0; i < count; i++) {
    const v = modes.items[from + i] as number
    const d = arrow.items[i] as number
    const own = 1 / d + (arrow.corner === null ? 0 : ((arrow.shared[i] as number) / d) ** 2 / arrow.corner)
    byItem += narrow * (v * v + own - (moved.rest[i] as number) * v)
  }
  gradient[layout.models] = (gradient[layout.models] as number) + byItem
  if (parameters.group === null || arrow.corner === null) return
  const wide = 1 / parameters.group ** 2
  const byGroup = wide * (u * u + 1 / arrow.corner - moved.first * u) - 1
  gradient[layout.models + 1] = (gradient[layout.models + 1] as number) + byGroup
}

interface Row {
  /** right - n p */
  readonly residual: number
  /** n p (1 - p) */
  readonly weight: number
  /** n p (1 - p) (1 - 2 p) */
  readonly bend: number
}

function eachRow(
  layout: Layout,
  from: number,
  count: number,
  parameters: Parameters,
  modes: Modes,
  u: number,
  visit: (item: number, model: number, row: Row) => void,
): void {
  for (let i = 0; i < count; i++) {
    const v = modes.items[from + i] as number
    for (let r = layout.itemStart[from + i] as number; r < (layout.itemStart[from + i + 1] as number); r++) {
      const model = layout.model[r] as number
      const n = layout.trials[r] as number
      const p = logistic((parameters.models[model] as number) + u + v)
      const weight = n * p * (1 - p)
      visit(i, model, { residual: (layout.right[r] as number) - n * p, weight, bend: weight * (1 - 2 * p) })
    }
  }
}
