import { inverse, Matrix } from 'ml-matrix'
import { checkConfidence, DEFAULT_CONFIDENCE } from '../confidence.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { MIN_MIXED_GROUPS } from '../group-counts.ts'
import type { Modes, Parameters } from './laplace.ts'
import { laplace, spreadModes } from './laplace.ts'
import { type Layout, layoutOf, type Trials } from './layout.ts'
import { type Box, maximize } from './maximize.ts'

/** A model's ability on the scale of log odds; 0 is one half on the typical item. */
export interface Ability {
  readonly value: number
  readonly standardError: number
  readonly low: number
  readonly high: number
}

/** A standard deviation on the scale of log odds; `none` where the likelihood is highest without it. */
export type Spread =
  | { readonly kind: 'seen'; readonly value: number; readonly low: number; readonly high: number }
  | { readonly kind: 'none' }

/** Abilities of models and spreads of items and groups, in log odds, where every model meets every item. */
export interface CrossedFit {
  readonly kind: 'crossed'
  readonly models: readonly Ability[]
  readonly items: Spread
  /** null where items have no groups of several. */
  readonly groups: Spread | null
  /** Shares of the variance of one answer's log odds (logistic noise has pi^2 / 3) by items and by groups. */
  readonly share: { readonly items: number; readonly groups: number }
  /** How much harder than typical, shrunken: minus the effects of item and group. */
  readonly difficulty: readonly { readonly item: number; readonly value: number }[]
  readonly logLikelihood: number
  readonly rows: number
}

/** Why no such model could be fitted: a code for programs, a message for people. */
export interface CrossedUnfit {
  readonly kind: 'unfit'
  readonly code: 'too-few' | 'separated' | 'no-convergence'
  readonly message: string
}

const MIN_ITEMS = 10
/** Mean number of answers per item over all models: with two, the item variance diverges in 1 of 100 sets. */
const MIN_ANSWERS = 2.5
/** Standard deviations of log odds are searched here; at the lower end they are none. */
const [LEAST, MOST] = [1e-3, 20]
const FARTHEST = 15
const STEP = 1e-4

/**
 * Models on the same items in groups: logit P(right) = a_model + u_group + v_item, u ~ N(0, sigma_group^2), v ~ N(0,
 * sigma_item^2), models fixed, by maximum
 * likelihood with Laplace's approximation (Breslow and Clayton, JASA 88, 1993; Pinheiro and Chao, JCGS 15, 2006). Item difficulties are
 * shrunken towards their group, groups towards the mean; standard deviations have Wald intervals of their
 * logarithms. With few answers
 * an item, Laplace's approximation takes the deviation of items for a little smaller than it is. Errors of abilities include
 * the sampling of items and groups. Unfit: too few items, or a model that is always or never correct.
 *
 * @example
 * import { crossed } from '@touchstone-eval/touchstone/statistics'
 *
 * const found = crossed([{ model: 0, item: 0, right: 1, trials: 1 }])
 * console.log(found.kind === 'unfit' ? found.code : found.models.length) // too-few
 */
export function crossed(trials: readonly Trials[], confidence: number = DEFAULT_CONFIDENCE): CrossedFit | CrossedUnfit {
  checkConfidence(confidence)
  checkTrials(trials)
  const layout = layoutOf(trials.filter((row) => row.trials > 0))
  const unfit = whyNot(layout)
  if (unfit !== null) return unfit
  const several = layout.groupIds.length >= MIN_MIXED_GROUPS && layout.groupIds.length < layout.itemIds.length
  const modes: Modes = {
    groups: new Float64Array(layout.groupIds.length),
    items: new Float64Array(layout.itemIds.length),
  }
  const height = (x: Float64Array) => laplace(layout, parametersOf(x, layout.models, several), modes)
  const top = maximize(height, start(layout, several), boxOf(layout, several))
  if (top.kind === 'lost')
    return {
      kind: 'unfit',
      code: 'no-convergence',
      message: `no maximum of the likelihood was found in ${top.steps} steps`,
    }
  const errors = errorsAt((x) => height(x).gradient, top.at, layout.models)
  if (errors === null)
    return {
      kind: 'unfit',
      code: 'no-convergence',
      message: 'the likelihood is flat at its maximum: there are no errors',
    }
  height(top.at)
  spreadModes(layout, modes)
  return described(layout, top.at, top.value, errors, modes, several, normalQuantile(0.5 + confidence / 2))
}

function described(
  layout: Layout,
  at: Float64Array,
  value: number,
  errors: Float64Array,
  modes: Modes,
  several: boolean,
  reach: number,
): CrossedFit {
  const m = layout.models
  const spread = (j: number): Spread => {
    const log = at[j] as number
    if (log <= Math.log(LEAST) * (1 - 1e-9)) return { kind: 'none' }
    const wide = reach * (errors[j] as number)
    return { kind: 'seen', value: Math.exp(log), low: Math.exp(log - wide), high: Math.exp(log + wide) }
  }
  const [items, groups] = [spread(m), several ? spread(m + 1) : null]
  const variance = (of: Spread | null): number => (of?.kind === 'seen' ? of.value ** 2 : 0)
  const all = variance(items) + variance(groups) + Math.PI ** 2 / 3
  const groupOf = layout.itemIds.map((_, i) => i)
  for (let g = 0; g < layout.groupIds.length; g++)
    groupOf.fill(g, layout.groupStart[g] as number, layout.groupStart[g + 1] as number)
  return {
    kind: 'crossed',
    models: Array.from({ length: m }, (_, j): Ability => {
      const [ability, standardError] = [at[j] as number, errors[j] as number]
      return {
        value: ability,
        standardError,
        low: ability - reach * standardError,
        high: ability + reach * standardError,
      }
    }),
    items,
    groups,
    share: { items: variance(items) / all, groups: variance(groups) / all },
    difficulty: layout.itemIds.map((item, i) => ({
      item,
      value: 0 - (modes.items[i] as number) - (several ? (modes.groups[groupOf[i] as number] as number) : 0),
    })),
    logLikelihood: value,
    rows: layout.model.length,
  }
}

function checkTrials(trials: readonly Trials[]): void {
  for (const { right, trials: n } of trials) {
    if (!(n >= 0 && right >= 0 && right <= n && Number.isFinite(n)))
      throw new RangeError(`correct trials: expected 0 to ${n}, got ${right}`)
  }
}

function whyNot(layout: Layout): CrossedUnfit | null {
  const items = layout.itemIds.length
  if (items < MIN_ITEMS)
    return {
      kind: 'unfit',
      code: 'too-few',
      message: `expected at least ${MIN_ITEMS} items, got ${items}`,
    }
  const answers = layout.trials.reduce((sum, n) => sum + n, 0) / items
  if (answers < MIN_ANSWERS) {
    const message = `expected at least ${MIN_ANSWERS} answers per item, got ${answers.toFixed(1)}`
    return { kind: 'unfit', code: 'too-few', message }
  }
  const [right, all] = totals(layout)
  for (let m = 0; m < layout.models; m++) {
    if (right[m] === 0 || right[m] === all[m]) {
      const what = all[m] === 0 ? 'has no answers' : right[m] === 0 ? 'is never correct' : 'is always correct'
      return { kind: 'unfit', code: 'separated', message: `model ${m} ${what}: its ability has no estimate` }
    }
  }
  return null
}

function totals(layout: Layout): readonly [Float64Array, Float64Array] {
  const [right, all] = [new Float64Array(layout.models), new Float64Array(layout.models)]
  layout.model.forEach((m, r) => {
    right[m] = (right[m] as number) + (layout.right[r] as number)
    all[m] = (all[m] as number) + (layout.trials[r] as number)
  })
  return [right, all]
}

function start(layout: Layout, several: boolean): Float64Array {
  const [right, all] = totals(layout)
  const abilities = right.map((k, m) => Math.log((k + 0.5) / ((all[m] as number) - k + 0.5)))
  return Float64Array.from([...abilities, Math.log(0.7), ...(several ? [Math.log(0.5)] : [])])
}

function boxOf(layout: Layout, several: boolean): Box {
  const [, all] = totals(layout)
  const spreads = several ? 2 : 1
  const of = (model: number, spread: number): Float64Array =>
    Float64Array.from({ length: layout.models + spreads }, (_, j) => (j < layout.models ? model : spread))
  const variance = Float64Array.from([
    ...all.map((n) => 6 / n),
    2 / layout.itemIds.length,
    ...(several ? [2 / layout.groupIds.length] : []),
  ])
  return { low: of(-FARTHEST, Math.log(LEAST)), high: of(FARTHEST, Math.log(MOST)), variance }
}

const parametersOf = (x: Float64Array, models: number, several: boolean): Parameters => ({
  models: x.subarray(0, models),
  item: Math.exp(x[models] as number),
  group: several ? Math.exp(x[models + 1] as number) : null,
})

/** Standard errors from differences of the gradient; deviations that are none are held fixed. null where the likelihood is flat. */
function errorsAt(gradient: (x: Float64Array) => Float64Array, at: Float64Array, models: number): Float64Array | null {
  const free = [...at.keys()].filter((j) => j < models || (at[j] as number) > Math.log(LEAST) * (1 - 1e-9))
  const rows = free.map((j) => {
    const moved = (by: number): Float64Array => gradient(at.map((x, k) => (k === j ? x + by : x)))
    const [up, down] = [moved(STEP), moved(-STEP)]
    return free.map((k) => ((down[k] as number) - (up[k] as number)) / (2 * STEP))
  })
  const curvature = new Matrix(rows)
  const covariance = inverse(curvature.clone().add(curvature.transpose()).mul(0.5), true)
  const errors = new Float64Array(at.length)
  for (const [place, j] of free.entries()) {
    const variance = covariance.get(place, place)
    if (!(variance > 0 && Number.isFinite(variance))) return null
    errors[j] = Math.sqrt(variance)
  }
  return errors
}
