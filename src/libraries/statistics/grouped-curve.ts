import { clusteredMean } from './clustered-mean.ts'
import { type Clusters, checkLengths } from './clusters.ts'
import type { LevelCounts } from './flat-response.ts'
import { moments } from './moments.ts'
import { type Psychometric, psychometric } from './psychometric.ts'

/** Single answers in groups: parameter value, and 1 if correct, else 0. */
export interface GroupedAnswers {
  readonly at: ArrayLike<number>
  readonly right: ArrayLike<number>
  readonly clusters: Clusters
  /** Accuracy of guessing at a value. */
  readonly chance: (at: number) => number
  /** Lower bound of the design effect. Default: 1. */
  readonly least?: number
}

/** A curve of answers in groups, with its design effect. */
export interface GroupedCurve {
  readonly curve: Psychometric
  /** In ascending order of the parameter. */
  readonly levels: readonly LevelCounts[]
  /** Design effect: variance of the answers over that of independent ones; `least` for a single group. */
  readonly design: number
}

/**
 * The psychometric curve of answers in groups, fitted twice: the residuals of the first fit give the design effect that
 * widens the intervals of the second.
 *
 * @example
 * import { groupedPsychometric } from '@touchstone-eval/touchstone/statistics'
 *
 * const at = [1, 1, 2, 2, 3, 3, 4, 4]
 * const { levels } = groupedPsychometric({ at, right: [1, 1, 1, 1, 0, 1, 0, 0], clusters: [0, 1, 0, 1, 0, 1, 0, 1], chance: () => 0 })
 * console.log(levels.length) // 4
 */
export function groupedPsychometric({ at, right, clusters, chance, least = 1 }: GroupedAnswers): GroupedCurve {
  checkLengths('parameter values and answers', at, right)
  const levels = levelsOf(at, right, chance)
  const first = psychometric(levels, { design: least })
  if (first.kind === 'none') return { curve: first, levels, design: least }
  const left = Float64Array.from(right, (value, i) => value - first.share(at[i] as number, chance(at[i] as number)))
  const { standardError, n } = clusteredMean(left, clusters)
  const { variance } = moments(left)
  if (standardError === null || variance === 0) return { curve: first, levels, design: least }
  const design = least * Math.max(1, (standardError * standardError * n) / variance)
  return { curve: psychometric(levels, { design }), levels, design }
}

function levelsOf(
  at: ArrayLike<number>,
  right: ArrayLike<number>,
  chance: (at: number) => number,
): readonly LevelCounts[] {
  const counts = new Map<number, { n: number; right: number }>()
  for (let i = 0; i < at.length; i++) {
    const value = at[i] as number
    const level = counts.get(value) ?? { n: 0, right: 0 }
    counts.set(value, { n: level.n + 1, right: level.right + (right[i] as number) })
  }
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([value, level]) => ({ at: value, ...level, chance: chance(value) }))
}
