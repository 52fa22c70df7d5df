import { normalTwoSided, normalUpper } from '../../stats/index.ts'
import { crossFit, type dealFolds } from './folds.ts'
import type { Learner } from './learned/learner.ts'
import type { Test } from './report.ts'
import { type Blocks, type Moments, midranks, moments, type Scored, twoClass, zOf } from './statistic.ts'

/** A test before the decision: what was measured, and how to replace its normal tail. */
export interface Measured {
  readonly test: Omit<Test, 'pAdjusted' | 'status' | 'cue'>
  /** What a permutation test needs; absent where there is nothing to permute. */
  readonly permutable?: { readonly scored: Scored; readonly blocks: Blocks; readonly oneSided: boolean }
}

const z99 = 2.5758293035489

/**
 * The gain in accuracy, over all n rows, of a balanced yes/no rule that would give this z on the live ones:
 * z / (2 sqrt(live)) there, nothing elsewhere.
 */
export const gainOfZ = (z: number, live: number, n: number): number => (n > 0 ? (z * Math.sqrt(live)) / (2 * n) : 0)

/** One feature, no fitting: rows scored by their midranks, two-sided. */
export function direct(probe: string, values: Float64Array, isKey: Uint8Array, blocks: Blocks): Measured {
  const scored = twoClass(midranks(values), isKey)
  const m = moments(scored, blocks)
  const z = zOf(m)
  const gain = gainOfZ(z, m.live, values.length)
  const half = gainOfZ(z99, m.live, values.length)
  return {
    test: {
      probe,
      kind: 'direct',
      mode: 'all',
      n: m.live,
      z,
      p: m.variance > 0 ? normalTwoSided(z) : 1,
      method: 'normal',
      accuracy: null,
      chance: null,
      gain,
      ci: [gain - half, gain + half],
    },
    permutable: { scored, blocks, oneSided: false },
  }
}

/** A guess a row, right or wrong; two-sided, for a rule that is always wrong is a shortcut as well. */
export function rule(probe: string, scored: Scored, blocks: Blocks): Measured {
  const { classes, scores, keys } = scored
  const m = moments(scored, blocks)
  const z = zOf(m)
  let hits = 0
  for (const [row, key] of keys.entries()) hits += scores[row * classes + key] as number
  const n = keys.length
  const gain = m.excess / n
  const half = (z99 * Math.sqrt(m.variance)) / n
  return {
    test: {
      probe,
      kind: 'rule',
      mode: 'all',
      n: m.live,
      z,
      p: m.variance > 0 ? normalTwoSided(z) : 1,
      method: 'normal',
      accuracy: hits / n,
      chance: hits / n - m.excess / n,
      gain,
      ci: [gain - half, gain + half],
    },
    permutable: { scored, blocks, oneSided: false },
  }
}

/** A fitted probe, one-sided: only its own direction is a finding. */
export function learned(
  learner: Learner,
  keys: Int32Array,
  classes: number,
  folds: ReturnType<typeof dealFolds>,
  blockLabels: readonly string[],
  mode: 'across' | 'within',
): Measured {
  const fitted = crossFit(learner, keys, classes, folds, blockLabels)
  const m: Moments = fitted.moments
  const z = zOf(m)
  const { scored, hits, expected, variance } = fitted
  const gain = scored > 0 ? expected / scored : 0
  const half = scored > 0 ? (z99 * Math.sqrt(variance)) / scored : 0
  return {
    test: {
      probe: learner.probe,
      kind: 'learned',
      mode,
      n: m.live,
      z,
      p: m.variance > 0 ? normalUpper(z) : 1,
      method: 'normal',
      accuracy: scored > 0 ? hits / scored : null,
      chance: scored > 0 ? (hits - expected) / scored : null,
      gain,
      ci: [gain - half, gain + half],
    },
  }
}
