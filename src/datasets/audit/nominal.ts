import { chiSquaredUpper, normalQuantile } from '../../libraries/statistics/index.ts'
import { bisect } from '../../libraries/statistics/numeric.ts'
import type { Fact } from './facts.ts'
import type { RowWeights, Scores } from './measure.ts'
import type { Blocks } from './statistic.ts'

/** A level is its own class if it expects at least this many rows of every answer; else it is pooled. */
const MIN_EXPECTED = 10
/** Most levels, and most cells of a test beyond the margins. */
const MAX_LEVELS = 26
const MAX_CELLS = 100

/**
 * A fact against the answer inside blocks: the generalised Cochran-Mantel-Haenszel test (Landis, Heyman and Koch 1978).
 * The mean and covariance of the table of levels and answers are exact under permutation of the answers inside blocks. Null:
 * nothing varies. The gain is that of a yes/no rule with the same noncentrality.
 */
export function testFact(
  { probe, levels }: Fact,
  keys: Int32Array,
  classes: number,
  blocks: Blocks,
  weights?: RowWeights,
): Scores | null {
  const live = informative(keys, classes, blocks)
  const { of, count } = pooled(levels, keys, classes, live)
  if (count < 2) return null
  const width = (count - 1) * (classes - 1)
  const excess = new Float64Array(width)
  const covariance = new Float64Array(width * width)
  for (const rows of live) addBlock(rows, levels, of, count, keys, classes, excess, covariance)
  const { statistic, df } = quadratic(excess, covariance)
  if (df === 0) return null
  const n = live.reduce((sum, rows) => sum + rows.length, 0)
  const { items, spread } = weights ?? { items: keys.length, spread: n / 4 }
  const perRoot = Math.sqrt(spread) / items
  const p = chiSquaredUpper(statistic, df)
  const gain = (noncentrality: number): number => Math.sqrt(Math.max(0, noncentrality)) * perRoot
  return {
    test: {
      probe,
      kind: 'fact',
      mode: 'all',
      n,
      z: equivalentZ(statistic, df),
      p,
      method: 'chi-squared',
      df,
      perRoot,
      accuracy: null,
      chance: null,
      gain: gain(statistic - df),
      ci: [gain(noncentralityAt(statistic, df, 0.005)), gain(noncentralityAt(statistic, df, 0.995))],
    },
  }
}

/** Blocks with different answers. */
function informative(keys: Int32Array, classes: number, { count, order, start }: Blocks): Int32Array[] {
  const live: Int32Array[] = []
  for (let b = 0; b < count; b++) {
    const rows = order.subarray(start[b], start[b + 1])
    if (classes > 1 && rows.some((row) => keys[row] !== keys[rows[0] as number])) live.push(rows)
  }
  return live
}

/** The most frequent levels that expect enough rows of every answer, the others as one. */
function pooled(levels: Fact['levels'], keys: Int32Array, classes: number, live: readonly Int32Array[]) {
  const sizes = new Map<number, number>()
  const answers = new Float64Array(classes)
  let n = 0
  for (const rows of live)
    for (const row of rows) {
      sizes.set(levels[row] as number, (sizes.get(levels[row] as number) ?? 0) + 1)
      answers[keys[row] as number] = (answers[keys[row] as number] as number) + 1
      n++
    }
  const rarest = answers.reduce((least, size) => (size > 0 && size < least ? size : least), n)
  const least = (MIN_EXPECTED * n) / Math.max(1, rarest)
  const max = Math.min(MAX_LEVELS, Math.floor(MAX_CELLS / Math.max(1, classes - 1)) + 1)
  const ranked = [...sizes].sort(([a, x], [b, y]) => y - x || a - b)
  const own = ranked.slice(0, max - 1).filter(([, size]) => size >= least)
  const rest = ranked.slice(own.length).reduce((sum, [, size]) => sum + size, 0)
  const of = new Map(own.map(([level], i) => [level, i] as const))
  // Too few rows for a separate class: they join the smallest.
  const restClass = rest >= least ? own.length : own.length - 1
  for (const [level] of ranked.slice(own.length)) of.set(level, restClass)
  return { of, count: rest >= least ? own.length + 1 : own.length }
}

/** Adds a block's table less its mean, and the covariance of the table, both without the last level and the last answer. */
function addBlock(
  rows: Int32Array,
  levels: Fact['levels'],
  of: ReadonlyMap<number, number>,
  count: number,
  keys: Int32Array,
  classes: number,
  excess: Float64Array,
  covariance: Float64Array,
): void {
  const n = rows.length
  const level = new Float64Array(count)
  const answer = new Float64Array(classes)
  for (const row of rows) {
    const l = of.get(levels[row] as number) as number
    const k = keys[row] as number
    level[l] = (level[l] as number) + 1
    answer[k] = (answer[k] as number) + 1
    if (l < count - 1 && k < classes - 1) excess[l * (classes - 1) + k] = (excess[l * (classes - 1) + k] as number) + 1
  }
  const width = excess.length
  for (let l = 0; l < count - 1; l++) {
    const ofL = level[l] as number
    if (ofL === 0) continue
    for (let k = 0; k < classes - 1; k++) {
      const ofK = answer[k] as number
      if (ofK === 0) continue
      const cell = l * (classes - 1) + k
      excess[cell] = (excess[cell] as number) - (ofL * ofK) / n
      for (let m = 0; m < count - 1; m++) {
        const spread = ofL * ((l === m ? n : 0) - (level[m] as number))
        if (spread === 0) continue
        for (let j = 0; j < classes - 1; j++) {
          const at = cell * width + m * (classes - 1) + j
          covariance[at] =
            (covariance[at] as number) +
            (spread * ofK * ((k === j ? n : 0) - (answer[j] as number))) / (n * n * (n - 1))
        }
      }
    }
  }
}

/** x' V^-1 x over the directions that vary, and their number. */
function quadratic(x: Float64Array, v: Float64Array): { readonly statistic: number; readonly df: number } {
  const width = x.length
  const rest = v.slice()
  const left = x.slice()
  let [statistic, df] = [0, 0]
  const largest = Math.max(...Array.from({ length: width }, (_, i) => v[i * width + i] as number))
  for (let i = 0; i < width; i++) {
    const pivot = rest[i * width + i] as number
    if (pivot <= 1e-9 * largest) continue
    statistic += (left[i] as number) ** 2 / pivot
    df++
    for (let r = i + 1; r < width; r++) {
      const factor = (rest[r * width + i] as number) / pivot
      if (factor === 0) continue
      left[r] = (left[r] as number) - factor * (left[i] as number)
      for (let c = i + 1; c < width; c++)
        rest[r * width + c] = (rest[r * width + c] as number) - factor * (rest[i * width + c] as number)
    }
  }
  return { statistic, df }
}

/** Wilson and Hilferty's normal deviate of a chi-squared value. */
const equivalentZ = (statistic: number, df: number): number =>
  (Math.cbrt(statistic / df) - (1 - 2 / (9 * df))) / Math.sqrt(2 / (9 * df))

/** Upper quantile point of a noncentral chi-squared variable (Abdel-Aty 1954): P(X > value) as a normal deviate. */
function deviate(value: number, df: number, noncentrality: number): number {
  const mean = df + noncentrality
  const variance = (2 * (df + 2 * noncentrality)) / (9 * mean * mean)
  return (1 - variance - Math.cbrt(value / mean)) / Math.sqrt(variance)
}

/** The noncentrality with which a value is exceeded with this probability; 0 if even none exceeds it more often. */
export function noncentralityAt(value: number, df: number, exceeded: number): number {
  const wanted = normalQuantile(exceeded)
  if (deviate(value, df, 0) >= wanted) return 0
  const below = (noncentrality: number): boolean => deviate(value, df, noncentrality) < wanted
  let high = 1
  while (below(high) && high < 1e9) high *= 2
  return bisect(below, 0, high, 60)[1]
}
