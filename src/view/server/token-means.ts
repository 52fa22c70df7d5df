import type { Frame } from '../../core/index.ts'
import {
  clusterCodes,
  clusteredMeanEstimate,
  correctness,
  partition,
  rowsWhere,
  scores,
  take,
} from '../../libraries/statistics/index.ts'
import type { RunFrames } from '../../store/index.ts'
import { type TokenMeasure, type TokensDocument, tokenMeasures, tokenOutcomes } from '../api/index.ts'
import { measureOf } from './response-metrics.ts'

/** Means that are shown over one feature. */
const CELLS = 2000

/** Groups of the rows of which the measure is known. */
function groupsOf(frame: Frame, amounts: Float64Array, rows: Int32Array): number {
  return new Set(clusterCodes(frame, knownOf(amounts, rows))).size
}

const knownOf = (amounts: Float64Array, rows: Int32Array): Int32Array =>
  rowsWhere(rows, (row) => Number.isFinite(amounts[row]))

/** A mean over some rows with its interval over groups, which ends at 0 as what is counted does; null where the measure is known of fewer than two groups. */
function meanOf(frame: Frame, amounts: Float64Array, rows: Int32Array, level: number) {
  const used = knownOf(amounts, rows)
  const clusters = clusterCodes(frame, used)
  const mean = clusteredMeanEstimate(take(amounts, used), clusters, level)
  return mean === null ? null : { mean: { ...mean, low: Math.max(0, mean.low) }, groups: new Set(clusters).size }
}

/** The mean of each model at each level of a feature, with an interval over groups; none where they are too many to be seen. */
export function levelsOf(
  frames: Pick<RunFrames, 'frame'>,
  measure: TokenMeasure,
  x: string,
  level = 0.95,
): Pick<TokensDocument, 'levels' | 'crowded'> {
  const frame = frames.frame('strict')
  if (frame === null || !frame.has(`feature_${x}`)) return { levels: [], crowded: null }
  const amounts = measureOf(frame, measure)
  const parts = partition(frame, ['model', `feature_${x}`])
  if (parts.length > CELLS) return { levels: [], crowded: parts.length }
  const levels = parts.flatMap(({ key, rows }) => {
    const at = key[`feature_${x}`] ?? null
    const found = at === null ? null : meanOf(frame, amounts, rows, level)
    return found === null ? [] : [{ model: String(key['model']), x: at, ...found }]
  })
  return { levels, crowded: null }
}

/** Mean of each model by outcome: correct, incorrect, or without prediction. */
export function byOutcome(
  frames: RunFrames,
  measure: TokenMeasure,
  parser: string,
  level: number,
): TokensDocument['outcomes'] {
  const frame = frames.frame(parser)
  if (frame === null) return []
  const amounts = measureOf(frame, measure)
  const right = correctness(scores(frame))
  const { codes, levels } = frame.category('status')
  const graded = levels.indexOf('graded')
  const outcomeOf = (row: number): (typeof tokenOutcomes)[number] | null => {
    if (Number.isNaN(right[row])) return null
    if (codes[row] !== graded) return 'no prediction'
    return right[row] === 1 ? 'correct' : 'incorrect'
  }
  return partition(frame, ['model']).flatMap(({ key, rows }) =>
    tokenOutcomes.flatMap((outcome) => {
      const found = meanOf(
        frame,
        amounts,
        rowsWhere(rows, (row) => outcomeOf(row) === outcome),
        level,
      )
      return found === null ? [] : [{ model: String(key['model']), outcome, ...found }]
    }),
  )
}

const CONFIG = ['task', 'config', 'style', 'model'] as const
/** Configs that are shown. */
const CONFIGS = 500

/** Counts, money and the means of every measure by task, config, style and model. */
export function configsOf(frame: Frame, level: number): TokensDocument['configs'] {
  const measured = tokenMeasures.map((measure) => [measure, measureOf(frame, measure)] as const)
  const output = frame.has('output_tokens') ? frame.number('output_tokens') : null
  const paid = measureOf(frame, 'usd')
  const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
  return partition(frame, [...CONFIG])
    .map(({ key, rows }) => ({ at: CONFIG.map((name) => String(key[name])), rows }))
    .sort((x, y) => {
      const [one, two, three] = [0, 1, 2].map((i) => byText(x.at[i] as string, y.at[i] as string))
      return one || two || three || (x.rows[0] as number) - (y.rows[0] as number)
    })
    .slice(0, CONFIGS)
    .map(({ at, rows }) => {
      const [task, config, style, model] = at as [string, string, string, string]
      const money = rowsWhere(rows, (row) => !Number.isNaN(paid[row]))
      const means = measured.map(([measure, all]) => [measure, meanOf(frame, all, rows, level)?.mean ?? null] as const)
      return {
        task,
        config,
        style,
        model,
        cells: rows.length,
        known: output === null ? 0 : rowsWhere(rows, (row) => !Number.isNaN(output[row])).length,
        paid: money.length === 0 ? null : take(paid, money).reduce((sum, one) => sum + one, 0),
        groups: Math.max(0, ...measured.map(([, all]) => groupsOf(frame, all, rows))),
        means: Object.fromEntries(means) as TokensDocument['configs'][number]['means'],
      }
    })
}
