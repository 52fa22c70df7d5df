import { enc, sha256 } from '../../core/index.ts'
import type { Learner } from '../../libraries/locality/columns.ts'
import { type Blocks, blocksOf, moments, type Scored } from './statistic.ts'

/** Most folds of progressive cross-fitting: a fold is scored by a model fitted on earlier folds (docs/audit.md#method). */
const MAX_FOLDS = 8

/** The rows of each fold. */
export type Folds = readonly Int32Array[]

/** Deals clusters to folds by keyed hash: about equally many clusters per fold. */
export function dealFolds(clusters: readonly (string | number)[], max = MAX_FOLDS): Folds {
  const distinct = [...new Set(clusters)]
  const keyed = distinct.map((cluster) => ({ cluster, key: keyOf(cluster) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const count = Math.min(max, MAX_FOLDS, distinct.length)
  const foldOf = new Map(keyed.map(({ cluster }, i) => [cluster, i % count]))
  const rows: number[][] = Array.from({ length: count }, () => [])
  for (const [row, cluster] of clusters.entries()) (rows[foldOf.get(cluster) as number] as number[]).push(row)
  return rows.map((fold) => Int32Array.from(fold))
}

function keyOf(cluster: string | number): bigint {
  const bytes = sha256(enc('touchstone/folds/1', cluster))
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
}

/** Held-out rows with their scores; blocks do not cross folds. */
export interface CrossFitted {
  /** Scores of each fold times its weight sqrt(n_f / V_f), so that their moments are those of the weighted sum. */
  readonly weighted: Scored
  /** 1 for the likeliest class, 0 for the others. */
  readonly guesses: Scored
  readonly blocks: Blocks
  /** Row number of each. */
  readonly rows: Int32Array
}

/**
 * Fold f is scored by a model fitted on folds before it; fold 0 only trains. Given the past, each fold's T - E has mean 0
 * and a known variance, so the weighted sum is a martingale.
 */
export function crossFit(
  learner: Learner,
  keys: Int32Array,
  classes: number,
  folds: Folds,
  blockOf: Int32Array,
): CrossFitted {
  const limits = learner.limits ?? { train: Number.POSITIVE_INFINITY, test: Number.POSITIVE_INFINITY }
  const parts: { readonly rows: Int32Array; readonly scores: Float64Array }[] = []
  for (const [f, fold] of folds.entries()) {
    const train = thinned(concat(folds.slice(0, f)), limits.train)
    const rows = wholeBlocks(fold, blockOf, limits.test)
    if (train.length > 0 && rows.length > 0)
      parts.push({ rows, scores: scoresOf(learner.fit(train, keys, classes), rows, classes) })
  }
  const total = parts.reduce((sum, { rows }) => sum + rows.length, 0)
  const weighted = new Float64Array(total * classes)
  const guesses = new Float64Array(total * classes)
  const own = new Int32Array(total)
  const labels = new Array<number>(total)
  let at = 0
  for (const [part, { rows, scores }] of parts.entries()) {
    const scored: Scored = { classes, scores, keys: Int32Array.from(rows, (row) => keys[row] as number) }
    const { informative, variance } = moments(scored, blocksOf(Array.from(rows, (row) => blockOf[row] as number)))
    const weight = variance > 0 ? Math.sqrt(informative / variance) : 0
    for (const [i, row] of rows.entries()) {
      for (let k = 0; k < classes; k++) weighted[(at + i) * classes + k] = weight * (scores[i * classes + k] as number)
      guesses[(at + i) * classes + argmax(scores, i * classes, classes)] = 1
      labels[at + i] = (blockOf[row] as number) * MAX_FOLDS + part
    }
    own.set(scored.keys, at)
    at += rows.length
  }
  return {
    weighted: { classes, scores: weighted, keys: own },
    guesses: { classes, scores: guesses, keys: own },
    blocks: blocksOf(labels),
    rows: concat(parts.map((part) => part.rows)),
  }
}

function scoresOf(score: (row: number, out: Float64Array) => void, rows: Int32Array, classes: number): Float64Array {
  const scores = new Float64Array(rows.length * classes)
  for (const [i, row] of rows.entries()) score(row, scores.subarray(i * classes, (i + 1) * classes))
  return scores
}

function argmax(scores: Float64Array, from: number, count: number): number {
  let best = 0
  for (let k = 1; k < count; k++) if ((scores[from + k] as number) > (scores[from + best] as number)) best = k
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

/** At most about `limit` rows, in evenly spaced whole blocks: part of a block tells less than all of it. */
function wholeBlocks(rows: Int32Array, blockOf: Int32Array, limit: number): Int32Array {
  if (rows.length <= limit) return rows
  const { order, start, count } = blocksOf(Array.from(rows, (row) => blockOf[row] as number))
  const chosen = Math.floor((count * limit) / rows.length)
  // With few large blocks, rows are thinned instead.
  if (chosen < 8) return thinned(rows, limit)
  const kept: number[] = []
  for (let i = 0; i < chosen; i++) {
    const block = Math.floor((i * count) / chosen)
    for (let at = start[block] as number; at < (start[block + 1] as number); at++)
      kept.push(rows[order[at] as number] as number)
  }
  return Int32Array.from(kept)
}
