import type { Learner } from '../../libraries/locality/columns.ts'
import { midranks, normalTwoSided, normalUpper, tQuantile } from '../../libraries/statistics/index.ts'
import type { Feature } from './features.ts'
import { crossFit, type Folds } from './folds.ts'
import { type Permutable, permutable } from './permute.ts'
import type { Test } from './report.ts'
import { type Blocks, type Moments, moments, rowExcess, type Scored, twoClass, zOf } from './statistic.ts'

/** A test before the decision, with the scores of all rows. */
export interface Scores {
  readonly test: Omit<Test, 'pAdjusted' | 'status' | 'declared' | 'minimumDetectable'>
  /** Absent: nothing to permute. */
  readonly keys?: { readonly scored: Scored; readonly blocks: Blocks; readonly oneSided: boolean }
  /** The rows that the gain sums over and their clusters; absent for baseline probes, which cluster by themselves. */
  readonly gained?: { readonly scored: Scored; readonly blocks: Blocks; readonly clusters: Int32Array }
}

/** What becomes of a probe: it decides, it belongs to a declared shortcut, or it is not needed. */
export type Role = 'decides' | 'declared' | 'unused'
export type RoleOf = (probe: string) => Role
export const allDecide: RoleOf = () => 'decides'

/** A test before the decision, without the scores of its rows: sets have hundreds of tests and many rows. */
export interface Measured {
  readonly test: Scores['test']
  readonly role: Role
  /** Absent: nothing to permute, or more rows than the normal tail needs. */
  readonly permutable?: Permutable
  readonly oneSided?: boolean
  /** Of a declared shortcut: the interval of its gain for a population of groups. */
  readonly overGroups?: ReturnType<typeof overGroups>
}

/** Most draws of a permutation: with more rows of uncommon scores and uncommon answers the normal tail holds. */
const MAX_DRAWS = 1000

/** Tests of the probes that have a use, one after the other. */
export class Results {
  readonly measured: Measured[] = []
  private readonly roleOf: RoleOf
  private readonly adjust: (scores: Scores) => Scores

  constructor(roleOf: RoleOf, adjust: (scores: Scores) => Scores = (scores) => scores) {
    this.roleOf = roleOf
    this.adjust = adjust
  }

  /** Tests a probe, if its role asks for it; null: nothing varies. */
  add(probe: string, test: (probe: string) => Scores | null, suffix = ''): void {
    const role = this.roleOf(probe)
    const found = role === 'unused' ? null : test(probe)
    if (found === null) return
    const scores = this.adjust(found)
    const { keys } = scores
    const shape = keys === undefined || scores.test.n === 0 ? null : permutable(keys.scored, keys.blocks, MAX_DRAWS)
    this.measured.push({
      test: { ...scores.test, probe: `${scores.test.probe}${suffix}` },
      role,
      ...(shape === null || shape.draws === 0 ? {} : { permutable: shape, oneSided: keys?.oneSided === true }),
      ...(role === 'declared' ? { overGroups: overGroups(scores) } : {}),
    })
  }
}

const z99 = 2.5758293035489

const around = (gain: number, half: number): { readonly gain: number; readonly ci: [number, number] } => ({
  gain,
  ci: [gain - half, gain + half],
})

/** For rows that are candidates: number of items, and variance of the number that a random choice gets right. */
export interface RowWeights {
  readonly items: number
  readonly spread: number
}

/** A test by the normal tail; what no learner fitted is tested on both sides. */
function byNormal(
  { probe, kind, mode }: Pick<Test, 'probe' | 'kind' | 'mode'>,
  { scored, blocks }: { readonly scored: Scored; readonly blocks: Blocks },
  gained: NonNullable<Scores['gained']>,
  gainOf: (moments: Moments) => Pick<Test, 'accuracy' | 'chance' | 'gain' | 'ci'>,
): Scores {
  const m = moments(scored, blocks)
  const z = zOf(m)
  const oneSided = kind === 'learned'
  const p = m.variance === 0 ? 1 : oneSided ? normalUpper(z) : normalTwoSided(z)
  return {
    test: { probe, kind, mode, n: m.informative, z, p, method: 'normal', ...gainOf(m) },
    keys: { scored, blocks, oneSided },
    gained,
  }
}

/**
 * One feature without fitting: rows scored by midranks, two-sided. Its gain is the accuracy above chance of a choice with
 * the same |z|: |z| / (2 sqrt(n)) on the n informative rows where a row is a yes/no item.
 */
export function testFeature(
  probe: string,
  values: Feature['values'],
  isKey: Uint8Array,
  blocks: Blocks,
  clusters: Int32Array,
  weights?: RowWeights,
): Scores {
  const rows = { scored: twoClass(midranks(values).ranks, isKey), blocks, clusters }
  return byNormal({ probe, kind: 'feature', mode: 'all' }, rows, rows, (m) => {
    const { items, spread } = weights ?? { items: values.length, spread: m.informative / 4 }
    const perZ = items > 0 ? Math.sqrt(spread) / items : 0
    return { accuracy: null, chance: null, ...around(Math.abs(zOf(m)) * perZ, z99 * perZ) }
  })
}

/** One guess per row. Two-sided: a rule that is always wrong is a shortcut too. */
export function testHeuristic(
  probe: string,
  scored: Scored,
  blocks: Blocks,
  clusters: Int32Array,
  items = scored.keys.length,
): Scores {
  const rows = { scored, blocks, clusters }
  return byNormal({ probe, kind: 'heuristic', mode: 'all' }, rows, rows, (m) => accuracyOf(scored, m, items))
}

/** A fitted probe, one-sided: only predictions better than chance count. */
export function testLearner(
  learner: Learner,
  keys: Int32Array,
  classes: number,
  folds: Folds,
  blockOf: Int32Array,
  clusters: Int32Array,
  mode: 'across' | 'within',
): Scores {
  const { weighted, guesses, blocks, rows } = crossFit(learner, keys, classes, folds, blockOf)
  return byNormal(
    { probe: learner.probe, kind: 'learned', mode },
    { scored: weighted, blocks },
    { scored: guesses, blocks, clusters: rows.map((row) => clusters[row] as number) },
    () => accuracyOf(guesses, moments(guesses, blocks), guesses.keys.length),
  )
}

/**
 * A test on candidates of which an item may accept several. Accepted candidates may lie together in the list, now here,
 * now there, which is no shortcut; then single candidates are not exchangeable. So an item is one observation: the
 * variance is the sum of the squared T - E of items where that is larger, and nothing is permuted.
 */
export function overItems({ test, keys, ...rest }: Scores): Scores {
  if (keys === undefined) return { test, ...rest }
  const { variance } = moments(keys.scored, keys.blocks)
  const excess = rowExcess(keys.scored, keys.blocks)
  const { count, order, start } = keys.blocks
  let square = 0
  for (let b = 0; b < count; b++) {
    const item = order.subarray(start[b], start[b + 1]).reduce((sum, row) => sum + (excess[row] as number), 0)
    square += item * item
  }
  const widening = square > variance ? Math.sqrt(square / variance) : 1
  const z = test.z / widening
  const half = ((test.ci[1] - test.ci[0]) / 2) * widening
  const p = test.n === 0 ? 1 : keys.oneSided ? normalUpper(z) : normalTwoSided(z)
  return { test: { ...test, z, p, ci: [test.gain - half, test.gain + half] }, ...rest }
}

/** A learned test on candidates, with the accuracy of items: is the likeliest candidate accepted? */
export function byItem(entry: Scores): Scores {
  if (entry.keys === undefined) return entry
  const { scores, keys } = entry.keys.scored
  const { count, order, start } = entry.keys.blocks
  let [hits, expected, spread] = [0, 0, 0]
  for (let b = 0; b < count; b++) {
    const rows = order.subarray(start[b], start[b + 1])
    const score = (row: number) => (scores[2 * row + 1] as number) - (scores[2 * row] as number)
    const most = rows.reduce((top, row) => Math.max(top, score(row)), Number.NEGATIVE_INFINITY)
    const top = rows.filter((row) => score(row) === most)
    const share = rows.filter((row) => keys[row] === 1).length / rows.length
    hits += top.filter((row) => keys[row] === 1).length / top.length
    expected += share
    spread += share * (1 - share)
  }
  if (count === 0) return entry
  const [accuracy, chance] = [hits / count, expected / count]
  return {
    ...entry,
    test: { ...entry.test, accuracy, chance, ...around(accuracy - chance, (z99 * Math.sqrt(spread)) / count) },
  }
}

/**
 * The 99 % interval of a gain for a population of groups: cluster-robust over groups, Student's t, never narrower than the
 * interval inside blocks. A declared shortcut is a claim about all groups.
 */
export function overGroups({ test, gained }: Scores): {
  readonly ci: readonly [number, number]
  readonly groups: number
} {
  if (gained === undefined) return { ci: test.ci, groups: Number.POSITIVE_INFINITY }
  const sums = new Map<number, number>()
  const { scored, blocks, clusters } = gained
  for (const [row, excess] of rowExcess(scored, blocks).entries()) {
    const cluster = clusters[row] as number
    sums.set(cluster, (sums.get(cluster) ?? 0) + excess)
  }
  const total = [...sums.values()].reduce((sum, excess) => sum + excess, 0)
  const groups = sums.size
  if (groups < 2 || total === 0) return { ci: test.ci, groups }
  const mean = total / groups
  const square = [...sums.values()].reduce((sum, excess) => sum + (excess - mean) ** 2, 0)
  const se = Math.abs(test.gain / total) * Math.sqrt((square * groups) / (groups - 1))
  const half = Math.max((test.ci[1] - test.ci[0]) / 2, tQuantile(0.995, groups - 1) * se)
  return { ci: [test.gain - half, test.gain + half], groups }
}

/** Accuracy of guesses over n items, its expectation with permuted keys, and the difference. */
function accuracyOf(
  { classes, scores, keys }: Scored,
  { excess, variance }: { readonly excess: number; readonly variance: number },
  n: number,
): Pick<Scores['test'], 'accuracy' | 'chance' | 'gain' | 'ci'> {
  if (n === 0) return { accuracy: null, chance: null, ...around(0, 0) }
  let hits = 0
  for (const [row, key] of keys.entries()) hits += scores[row * classes + key] as number
  return {
    accuracy: hits / n,
    chance: (hits - excess) / n,
    ...around(excess / n, (z99 * Math.sqrt(variance)) / n),
  }
}
