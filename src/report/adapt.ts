import type { Column, Estimate, Figure, Table } from '../core/index.ts'
import {
  type LevelCounts,
  type Psychometric,
  psychometric,
  type Threshold,
  wilson,
} from '../libraries/statistics/index.ts'
import { count, estimate, share, text } from './analyses/columns.ts'
import { curvePoints, thresholdCells, thresholdColumns, thresholdEstimate } from './analyses/curve-cells.ts'
import type { ReportedAnalysis } from './report.ts'

/** What an adaptive run chose and saw, as the ledger holds it. */
export interface AdaptedRun {
  readonly parameter: string
  readonly until?: string | undefined
  readonly checkEvery: number
  readonly maxItems: number
  readonly models: readonly {
    readonly model: string
    readonly end: 'known' | 'most' | 'exhausted' | null
    readonly levels: readonly LevelCounts[]
    readonly design: number
    readonly steps: readonly {
      readonly at: number
      readonly items: number
      readonly estimate: { readonly answers: number; readonly threshold: Threshold | null } | null
    }[]
  }[]
}

const ID = 'core/adapt'

const ENDS = {
  known: 'known as closely as was asked for',
  most: 'all items that it might take',
  exhausted: 'no items left',
} as const

const outcome = (known: number, all: number): string =>
  `${known === 0 ? 'no model' : known === all ? 'every model' : `${known} of ${all} models`} known as closely as was asked for`

/** Where each model breaks along the knob of an adaptive run, by what it was asked, and every choice. */
export function adaptTables({ parameter, until, checkEvery, maxItems, models }: AdaptedRun): ReportedAnalysis {
  const found = models.map((one) => ({ ...one, curve: psychometric(one.levels, { design: one.design }) }))
  const known = found.filter(({ end }) => end === 'known').length
  const thresholds: Table = {
    id: ID,
    title: `Where ${parameter} breaks each model`,
    columns: [
      text('model', 'Model'),
      ...thresholdColumns(parameter),
      count('answers', 'Answers'),
      text('end', 'Ended with'),
    ],
    rows: found.map(({ model, levels, curve, end }) => ({
      model,
      ...thresholdCells(curve, levels),
      answers: levels.reduce((sum, { n }) => sum + n, 0),
      end: end === null ? 'not over' : ENDS[end],
    })),
  }
  const curves: Table = {
    id: `${ID}/curve`,
    title: `The curves over ${parameter}`,
    columns: curveColumns(parameter),
    rows: found.flatMap(({ model, levels, curve }) => pointsOf(model, levels, curve)),
  }
  const path: Table = {
    id: `${ID}/path`,
    title: 'What was chosen, and what was known by then',
    columns: [
      text('model', 'Model'),
      count('choice', 'Choice'),
      count('at', parameter),
      count('items', 'Items'),
      count('answers', 'Answers so far'),
      {
        key: 'threshold',
        label: until?.includes('x75') === true ? '75 % solved at' : '50 % solved at',
        kind: 'estimate',
        unit: parameter,
      },
    ],
    rows: models.flatMap(({ model, steps }) =>
      steps.map(({ at, items, estimate }, k) => ({
        model,
        choice: k + 1,
        at,
        items,
        answers: estimate?.answers ?? null,
        threshold: estimate?.threshold == null ? null : thresholdEstimate(estimate.threshold, estimate.answers),
      })),
    ),
  }
  return {
    id: ID,
    title: `An adaptive run along ${parameter}: ${until === undefined ? `at most ${maxItems} items of each model` : outcome(known, models.length)}`,
    task: null,
    source: null,
    notes: [
      `Written down before the first call: of each model ${checkEvery} items at a time, at the value of ${parameter} at which they are expected to tell most for their cost, ${until === undefined ? '' : `until "${until}" and `}at most ${maxItems} items.`,
      'What is asked follows from the answers and nothing else, and so does the end; the curve takes them as they are. Chance is that of the items, by construction; lapses have a weak prior. Intervals are profile-likelihood ones, widened for items in groups, and for that they were chosen and ended by the answers.',
      'Accuracies elsewhere in this report are of the items that were chosen for each model: of other items for every model, and not of the set.',
    ],
    tables: [thresholds, curves, path],
    figures: [curveFigure(parameter, models.length), pathFigure(parameter, models.length)],
  }
}

const curveColumns = (knob: string): readonly Column[] => [
  text('model', 'Model'),
  count('at', knob),
  estimate('accuracy', 'Accuracy'),
  share('curve', 'Curve'),
  count('residual', 'Off the curve (standard errors)'),
  share('chance', 'Chance'),
  count('n', 'Answers'),
]

function pointsOf(model: string, levels: readonly LevelCounts[], curve: Psychometric) {
  const answered = levels.map((level) => ({ ...level, accuracy: shareOf(level) }))
  const sizes = new Map(levels.map(({ at, n }) => [at, n]))
  return curvePoints(model, answered, curve, true).map((row) => ({ ...row, n: sizes.get(row.at) ?? null }))
}

function shareOf({ n, right }: LevelCounts): Estimate | null {
  if (n === 0) return null
  return wilson(right, n)
}

/** More models than this are drawn side by side. */
const MAX_TOGETHER = 4

const curveFigure = (knob: string, models: number): Figure => {
  const series = models > MAX_TOGETHER ? {} : { series: 'model' }
  return {
    id: ID,
    title: `Where ${knob} breaks each model`,
    table: `${ID}/curve`,
    x: { key: 'at', label: knob, scale: 'linear' },
    y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
    ...(models > MAX_TOGETHER ? { facet: 'model' } : {}),
    marks: [
      { kind: 'reference', y: 'chance' },
      { kind: 'line', y: 'curve', ...series },
      { kind: 'interval', ...series },
      { kind: 'point', ...series },
    ],
  }
}

const pathFigure = (knob: string, models: number): Figure => ({
  id: `${ID}/path`,
  title: 'What was known after so many answers',
  table: `${ID}/path`,
  x: { key: 'answers', label: 'Answers', scale: 'linear' },
  y: { key: 'threshold', label: knob },
  ...(models > 1 ? { facet: 'model' } : {}),
  marks: [{ kind: 'point', y: 'at' }, { kind: 'interval' }, { kind: 'line' }],
})
