import { figure, table } from '../core/index.ts'
import { type LevelCounts, psychometric, type Threshold, wilson } from '../libraries/statistics/index.ts'
import { count, estimate, model, share, text } from './analyses/conditions.ts'
import { curveFigure } from './analyses/psychometric.ts'
import {
  curveColumns,
  curvePoints,
  thresholdCells,
  thresholdColumns,
  thresholdEstimate,
} from './analyses/thresholds.ts'
import type { ReportedAnalysis } from './report.ts'

/** The choices of an adaptive run, as the ledger has them. */
export interface AdaptiveRun {
  readonly parameter: string
  readonly until?: string | undefined
  readonly checkEvery: number
  readonly maxItems: number
  readonly models: readonly {
    readonly model: string
    readonly end: 'precise' | 'max-items' | 'no-items-left' | null
    readonly levels: readonly LevelCounts[]
    readonly design: number
    readonly steps: readonly {
      readonly at: number
      readonly items: number
      readonly estimate: { readonly answers: number; readonly threshold: Threshold | null } | null
    }[]
  }[]
}

const ID = 'core/adaptive'

/** The threshold of each model of an adaptive run, the curves, and every step. */
export function adaptiveTables({ parameter, until, checkEvery, maxItems, models }: AdaptiveRun): ReportedAnalysis {
  const fits = models.map((one) => ({ ...one, curve: psychometric(one.levels, { design: one.design }) }))
  const precise = fits.filter(({ end }) => end === 'precise').length
  const thresholds = table(
    ID,
    `Thresholds over ${parameter}`,
    [model, ...thresholdColumns(parameter), count('answers', 'Responses'), text('end', 'Ended with')],
    fits.map(({ model: name, levels, curve, end }) => ({
      model: name,
      ...thresholdCells(curve, levels),
      answers: levels.reduce((sum, { n }) => sum + n, 0),
      end: end?.replaceAll('-', ' ') ?? 'not finished',
    })),
  )
  const curves = table(
    `${ID}/curve`,
    `Curves over ${parameter}`,
    [...curveColumns(count('at', parameter)), share('chance', 'Chance'), count('n', 'Responses')],
    fits.flatMap(({ model: name, levels, curve }) => {
      const answered = levels.map((level) => ({
        ...level,
        accuracy: level.n === 0 ? null : wilson(level.right, level.n),
      }))
      const sizes = new Map(levels.map(({ at, n }) => [at, n]))
      return curvePoints(name, answered, curve, true).map((row) => ({ ...row, n: sizes.get(row.at) ?? null }))
    }),
  )
  const steps = table(
    `${ID}/path`,
    'Steps, and the estimate after each',
    [
      model,
      count('step', 'Step'),
      count('at', parameter),
      count('items', 'Items'),
      count('answers', 'Responses so far'),
      estimate('threshold', `${until?.includes('x75') === true ? 75 : 50} % threshold`, parameter),
    ],
    models.flatMap(({ model: name, steps: own }) =>
      own.map(({ at, items, estimate: estimated }, k) => ({
        model: name,
        step: k + 1,
        at,
        items,
        answers: estimated?.answers ?? null,
        threshold: estimated?.threshold == null ? null : thresholdEstimate(estimated.threshold, estimated.answers),
      })),
    ),
  )
  const outcome =
    until === undefined
      ? `at most ${maxItems} items per model`
      : `${precise} of ${models.length} ${models.length === 1 ? 'model' : 'models'} as precise as requested`
  return {
    id: ID,
    title: `Adaptive run over ${parameter}: ${outcome}`,
    question: 'comparison',
    task: null,
    source: null,
    notes: [
      `Planned before the first call: ${checkEvery} items per step at the most informative ${parameter}, ${until === undefined ? '' : `until "${until}" and `}at most ${maxItems} items per model.`,
      'Items were chosen from the answers; the likelihood is unaffected. CIs are widened by 1.75 in variance (simulated coverage 95 to 98 %).',
      'Accuracies elsewhere in this report are on the items chosen for each model, so models are not compared on the same items.',
    ],
    tables: [thresholds, curves, steps],
    figures: [
      curveFigure(ID, thresholds.title, curves, models.length),
      figure(steps, {
        title: 'Estimate by number of responses',
        x: { key: 'answers', label: 'Responses', scale: 'linear' },
        y: { key: 'threshold', label: parameter },
        facet: models.length > 1 ? 'model' : undefined,
        marks: [{ kind: 'point', y: 'at' }, { kind: 'interval' }, { kind: 'line' }],
      }),
    ],
  }
}
