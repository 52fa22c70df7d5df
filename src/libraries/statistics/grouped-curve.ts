import { clusteredMean } from './clustered-mean.ts'
import { type Clusters, checkLengths } from './clusters.ts'
import type { LevelCounts } from './flat-response.ts'
import { moments } from './moments.ts'
import { type Psychometric, psychometric } from './psychometric.ts'

/** Answers one by one, in groups: each at a value of the knob, 1 where it is right, 0 where not. */
export interface GroupedAnswers {
  readonly at: ArrayLike<number>
  readonly right: ArrayLike<number>
  readonly clusters: Clusters
  /** The share right of who guesses at a value. */
  readonly chance: (at: number) => number
  /** By how much more the answers vary than as independent ones of a plan; 1 where nothing is said. */
  readonly least?: number
}

/** A curve of answers in groups. */
export interface GroupedCurve {
  readonly curve: Psychometric
  /** In ascending order of the knob. */
  readonly levels: readonly LevelCounts[]
  /** Variance of the answers over that of independent ones, at least `least`, and that where one group leaves nothing to compare. */
  readonly design: number
}

/**
 * The psychometric curve of answers whose items come in groups, fitted twice: what the first fit leaves over tells by how much less
 * the items of one group say than independent ones, and the intervals of the second are wider by that.
 *
 * @example
 * import { groupedPsychometric } from '@touchstone-eval/touchstone/statistics'
 *
 * const at = [1, 1, 2, 2, 3, 3, 4, 4]
 * const { levels } = groupedPsychometric({ at, right: [1, 1, 1, 1, 0, 1, 0, 0], clusters: [0, 1, 0, 1, 0, 1, 0, 1], chance: () => 0 })
 * console.log(levels.length) // 4
 */
export function groupedPsychometric({ at, right, clusters, chance, least = 1 }: GroupedAnswers): GroupedCurve {
  checkLengths('values of the knob and answers', at, right)
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
