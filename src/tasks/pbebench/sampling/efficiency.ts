import {
  type AnalysisResult,
  type Cell,
  type ComputeBudget,
  column,
  figure,
  Sfc32,
  tableOf,
} from '../../../core/index.ts'
import { kl, smoothed, sum, uniform } from '../../../libraries/statistics/index.ts'
import { drawConditional } from './conditional.ts'
import { runPatiences } from './published.ts'
import { ALL_LETTERS, liteSetting, type Setting } from './settings.ts'

/** One sampler at one length and patience. */
export interface EfficiencyRow {
  readonly sampler: string
  readonly length: number
  readonly patience: number | null
  readonly steps: number
  /** Accepted instances by category. */
  readonly counts: readonly number[]
}

/** KL(uniform || accepted categories) in nats, with so much of a count added to each category. */
export const imbalance = (counts: readonly number[], added: number): number =>
  kl(uniform(counts.length), smoothed(counts, added))

const { number, text } = column

/** Efficiency and balance of a sampling run, as the paper's Figures 13 to 17 define them. */
export const efficiencyCells: readonly Cell<EfficiencyRow>[] = [
  [text('sampler', 'Sampler'), ({ sampler }) => sampler],
  [number('length', 'Cascade length', 'rules'), ({ length }) => length],
  [number('patience', 'Patience', 'steps'), ({ patience }) => patience],
  [number('steps', 'Steps'), ({ steps }) => steps],
  [number('accepted', 'Accepted'), ({ counts }) => sum(counts)],
  [
    number('efficiencyPercent', 'Efficiency', 'percent'),
    ({ counts, steps }) => (steps === 0 ? 0 : (100 * sum(counts)) / steps),
  ],
  // 1e-8 a category, as published: large values are mostly it.
  [number('klPublished', 'KL, published smoothing', 'nats'), ({ counts }) => imbalance(counts, 1e-8)],
  [number('kl', 'KL, half a count', 'nats'), ({ counts }) => imbalance(counts, 0.5)],
  [number('empty', 'Empty categories'), ({ counts }) => counts.filter((count) => count === 0).length],
]

/** The hard setting, in which Figures 13 to 17 of the paper are drawn. */
const setting: Setting = { ...liteSetting, words: 50, letters: [...ALL_LETTERS] }
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
  return runs.map(({ steps, counts }, k) => ({
    sampler: 'released',
    length,
    patience: asked[k] ?? shortest,
    steps,
    counts,
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
  return { sampler: 'conditional', length, patience: null, steps: tally.attempts, counts }
}

/**
 * One of Figures 13 to 17: efficiency against patience for cascades of `length` rules, with the KL divergence at every point; the
 * conditional sampler stands in the table only. A step is one proposed instance.
 */
export function efficiencyFigure(id: string, length: number, { steps }: ComputeBudget): AnalysisResult {
  const rows = [...releasedRows(length, steps ?? Math.max(...PATIENCES)), conditionalRow(length)]
  const title = `Efficiency of sampling against patience, cascades of ${length} rules`
  const keyed = rows.map((row) => ({ key: {}, ...row }))
  const made = tableOf(id, title, [], keyed, efficiencyCells)
  const at = { x: 'patience', y: 'efficiencyPercent' }
  const drawn = figure(made, {
    title: `${title}; at the points: KL divergence from equal categories, nats`,
    x: { key: at.x, scale: 'log' },
    y: { key: at.y, scale: 'log' },
    marks: [
      { kind: 'point', ...at, series: 'sampler' },
      { kind: 'line', ...at, series: 'sampler' },
      { kind: 'text', ...at, series: 'klPublished' },
    ],
  })
  return { tables: [made], figures: [drawn] }
}
