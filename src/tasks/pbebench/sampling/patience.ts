import { type ComputeBudget, Sfc32 } from '../../../core/index.ts'
import { drawConditional } from './conditional.ts'
import { type EfficiencyRow, efficiencyOf, efficiencyReport } from './efficiency.ts'
import { runPatiences } from './published.ts'
import type { Setting } from './setting.ts'
import { ALL_LETTERS } from './settings.ts'

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
