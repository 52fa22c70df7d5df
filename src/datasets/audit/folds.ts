import { enc, sha256 } from '../../core/index.ts'
import type { Learner } from './learned/learner.ts'
import { type Blocks, blocksOf, type Moments, moments, type Scored } from './statistic.ts'

/** Progressive cross-fitting (integrity 3.3). */

const foldCount = 8

/** Deals labels (groups, or items) to folds by keyed hash: about equally many labels a fold. */
export function dealFolds(labels: readonly (string | number)[]): { readonly fold: Int32Array; readonly count: number } {
  const distinct = [...new Set(labels)]
  const keyed = distinct.map((label) => ({ label, key: keyOf(label) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const count = Math.min(foldCount, distinct.length)
  const foldOf = new Map(keyed.map(({ label }, i) => [label, i % count]))
  return { fold: Int32Array.from(labels, (label) => foldOf.get(label) as number), count }
}

function keyOf(label: string | number): bigint {
  const bytes = sha256(enc('touchstone/folds/1', label))
  return bytes.subarray(0, 8).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

export interface FittedScores {
  /** Weighted sum of T - E and its variance, ready for z. */
  readonly moments: Moments
  /** 0/1 hits of the likeliest class, for accuracy. */
  readonly hits: number
  readonly expected: number
  readonly variance: number
  readonly scored: number
  /** Fold by fold, for permutation. */
  readonly parts: readonly { readonly scored: Scored; readonly blocks: Blocks; readonly weight: number }[]
}

/**
 * Fold f is scored by a model fitted on folds before it; fold 0 only trains. Given the past, each fold's T - E has mean 0
 * and a known variance, so the weighted sum is a martingale.
 */
export function crossFit(
  learner: Learner,
  keys: Int32Array,
  classes: number,
  folds: { readonly fold: Int32Array; readonly count: number },
  blockLabels: readonly string[],
): FittedScores {
  const rowsOf = Array.from({ length: folds.count }, (_, f) =>
    Int32Array.from(keys.keys()).filter((row) => folds.fold[row] === f),
  )
  const parts: { scored: Scored; blocks: Blocks; weight: number; own: Moments }[] = []
  let hits = 0
  let expected = 0
  let variance = 0
  let scoredRows = 0
  const limits = learner.limits ?? { train: Number.POSITIVE_INFINITY, test: Number.POSITIVE_INFINITY }
  const buffer = new Float64Array(classes)
  for (let f = 1; f < folds.count; f++) {
    const train = thinned(concat(rowsOf.slice(0, f)), limits.train)
    const test = thinned(rowsOf[f] as Int32Array, limits.test)
    if (train.length === 0 || test.length === 0) continue
    const score = learner.fit(train, keys, classes)
    const scores = new Float64Array(test.length * classes)
    const guesses = new Float64Array(test.length * classes)
    for (const [i, row] of test.entries()) {
      score(row, buffer)
      scores.set(buffer, i * classes)
      guesses[i * classes + argmax(buffer)] = 1
    }
    const own = Int32Array.from(test, (row) => keys[row] as number)
    const blocks = blocksOf(Array.from(test, (row) => blockLabels[row] as string))
    const scored: Scored = { classes, scores, keys: own }
    const m = moments(scored, blocks)
    const right = moments({ classes, scores: guesses, keys: own }, blocks)
    for (const [i, key] of own.entries()) hits += guesses[i * classes + key] as number
    expected += right.excess
    variance += right.variance
    scoredRows += test.length
    const weight = m.variance > 0 ? Math.sqrt(m.live / m.variance) : 0
    parts.push({ scored, blocks, weight, own: m })
  }
  const total = parts.reduce(
    (sum, { weight, own }) => ({
      excess: sum.excess + weight * own.excess,
      variance: sum.variance + weight * weight * own.variance,
      live: sum.live + own.live,
    }),
    { excess: 0, variance: 0, live: 0 },
  )
  return { moments: total, hits, expected, variance, scored: scoredRows, parts }
}

function argmax(scores: Float64Array): number {
  let best = 0
  for (let k = 1; k < scores.length; k++) if ((scores[k] as number) > (scores[best] as number)) best = k
  return best
}

function concat(lists: readonly Int32Array[]): Int32Array {
  const out = new Int32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let at = 0
  for (const list of lists) {
    out.set(list, at)
    at += list.length
  }
  return out
}

/** Evenly spaced rows, at most `limit` of them. */
function thinned(rows: Int32Array, limit: number): Int32Array {
  if (rows.length <= limit) return rows
  return Int32Array.from({ length: limit }, (_, i) => rows[Math.floor((i * rows.length) / limit)] as number)
}
