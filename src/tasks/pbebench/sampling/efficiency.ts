import { type AnalysisResult, type Column, type ComputeBudget, column, Sfc32 } from '../../../core/index.ts'
import { kl, smoothed, uniform } from '../../../libraries/statistics/index.ts'
import { drawConditional } from './conditional.ts'
import { runPatiences } from './published.ts'
import { ALL_LETTERS, type Setting } from './settings.ts'

interface Efficiency {
  readonly efficiencyPercent: number
  /** KL(uniform || accepted categories) in nats with the published smoothing (1e-8 a category): large values are mostly it. */
  readonly klPublished: number
  /** The same with half a count a category. */
  readonly kl: number
  readonly empty: number
}

/** Efficiency and balance of a sampling run, as the paper's Figures 13 to 17 define them. */
export function efficiencyOf(run: {
  readonly counts: readonly number[]
  readonly steps: number
  readonly accepted: number | readonly unknown[]
}): Efficiency {
  const accepted = typeof run.accepted === 'number' ? run.accepted : run.accepted.length
  const even = uniform(run.counts.length)
  return {
    efficiencyPercent: run.steps === 0 ? 0 : (100 * accepted) / run.steps,
    klPublished: kl(even, smoothed(run.counts, 1e-8)),
    kl: kl(even, smoothed(run.counts, 0.5)),
    empty: run.counts.filter((count) => count === 0).length,
  }
}

/** One sampler at one length and patience. */
export interface EfficiencyRow extends Efficiency {
  readonly sampler: string
  readonly length: number
  readonly patience: number | null
  readonly steps: number
  readonly accepted: number
}

const { number } = column

/** The columns of a row, in order. */
export const efficiencyColumns: readonly Column[] = [
  column.text('sampler', 'Sampler'),
  number('length', 'Cascade length', 'rules'),
  number('patience', 'Patience', 'steps'),
  number('steps', 'Steps'),
  number('accepted', 'Accepted'),
  number('efficiencyPercent', 'Efficiency', 'percent'),
  number('klPublished', 'KL, published smoothing', 'nats'),
  number('kl', 'KL, half a count', 'nats'),
  number('empty', 'Empty categories'),
]

/** One of Figures 13 to 17, with the KL divergence at every point; the conditional sampler stands in the table only. */
function efficiencyReport(id: string, length: number, rows: readonly EfficiencyRow[]): AnalysisResult {
  const title = `Efficiency of sampling against patience, cascades of ${length} rules`
  return {
    tables: [{ id, title, columns: efficiencyColumns, rows: rows.map((row) => ({ ...row })) }],
    figures: [
      {
        id,
        title,
        table: id,
        x: { key: 'patience', label: 'Patience', unit: 'steps', scale: 'log' },
        y: { key: 'efficiencyPercent', label: 'Efficiency', unit: 'percent', scale: 'log' },
        marks: [
          { kind: 'point', x: 'patience', y: 'efficiencyPercent', series: 'sampler' },
          { kind: 'line', x: 'patience', y: 'efficiencyPercent', series: 'sampler' },
          { kind: 'text', x: 'patience', y: 'efficiencyPercent', series: 'klPublished' },
        ],
      },
    ],
  }
}

/** The hard setting, in which Figures 13 to 17 of the paper are drawn. */
const setting: Setting = {
  words: 50,
  wordLength: [2, 6],
  letters: [...ALL_LETTERS],
  side: [1, 3],
  emptyRight: false,
  leftSides: 'intermediate',
  changed: { min: 1, max: null },
  classifier: 'paper',
  minimal: false,
}
/** Instances a set has, four a category. */
const SIZE = 64
/** The paper's grid, from its third on, and two shorter ones, at which patience begins to tell. */
const PATIENCES = [1000, 10_000, 100_000, 250_000, 500_000, 750_000, 1_000_000] as const
const categories = Array.from({ length: 16 }, (_, k) => k)

/** The rejection sampler with all patiences up to `most` on one sequence of proposals: rows differ by patience only. */
export function releasedRows(length: number, most: number): readonly EfficiencyRow[] {
  const [shortest] = PATIENCES
  const asked: readonly number[] = PATIENCES.filter((patience) => patience <= Math.max(most, shortest))
  const rules = { size: SIZE, lengths: [length], categories, maxSteps: Math.max(...asked) + 10_000 }
  const runs = runPatiences(new Sfc32(length, 1, 1, 1), setting, rules, asked)
  return runs.map((run, k) => ({
    sampler: 'released',
    length,
    patience: asked[k] ?? shortest,
    steps: run.steps,
    accepted: run.accepted.length,
    ...efficiencyOf(run),
  }))
}

/** The sampler that conditions every rule on its category: no patience, one attempt a step. */
export function conditionalRow(length: number): EfficiencyRow {
  const tally = { attempts: 0 }
  const each = Array.from({ length: SIZE / categories.length }, (_, k) => k)
  const counts = categories.map(
    (category) =>
      each.filter(
        (k) => drawConditional(new Sfc32(length, category, k, 2), setting, length, category, 5000, tally) !== null,
      ).length,
  )
  const accepted = counts.reduce((sum, count) => sum + count, 0)
  const run = { counts, steps: tally.attempts, accepted }
  return { sampler: 'conditional', length, patience: null, steps: tally.attempts, accepted, ...efficiencyOf(run) }
}

/** One of Figures 13 to 17: efficiency against patience for cascades of `length` rules. A step is one proposed instance. */
export const efficiencyFigure = (figure: string, length: number, { steps }: ComputeBudget) =>
  efficiencyReport(figure, length, [...releasedRows(length, steps ?? Math.max(...PATIENCES)), conditionalRow(length)])
