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
  const amounts = amountsOf(frame, measure)
  const parts = partition(frame, ['model', `feature_${x}`])
  if (parts.length > CELLS) return { levels: [], crowded: parts.length }
  const levels = parts.flatMap(({ key, rows }) => {
    const at = key[`feature_${x}`] ?? null
    const found = at === null ? null : meanOf(frame, amounts, rows, level)
    return found === null ? [] : [{ model: String(key['model']), x: at, ...found }]
  })
  return { levels, crowded: null }
}

/** The mean of each model over the answers that came out right, wrong, or could not be read. */
export function byOutcome(
  frames: RunFrames,
  measure: TokenMeasure,
  parser: string,
  level: number,
): TokensDocument['outcomes'] {
  const frame = frames.frame(parser)
  if (frame === null) return []
  const amounts = amountsOf(frame, measure)
  const right = correctness(scores(frame))
  const { codes, levels } = frame.category('state')
  const graded = levels.indexOf('graded')
  const came = (row: number): (typeof tokenOutcomes)[number] | null => {
    if (Number.isNaN(right[row])) return null
    if (codes[row] !== graded) return 'unread'
    return right[row] === 1 ? 'right' : 'wrong'
  }
  return partition(frame, ['model']).flatMap(({ key, rows }) =>
    tokenOutcomes.flatMap((outcome) => {
      const found = meanOf(
        frame,
        amounts,
        rowsWhere(rows, (row) => came(row) === outcome),
        level,
      )
      return found === null ? [] : [{ model: String(key['model']), outcome, ...found }]
    }),
  )
}

interface ConfigMeans extends ReturnType<typeof unknownMeans> {
  readonly groups: number
}
const unknownMeans = (): TokensDocument['configs'][number]['means'] => ({
  prompt: null,
  answer: null,
  reasoning: null,
  seconds: null,
  usd: null,
})

const CONFIG = ['task', 'config', 'style', 'model'] as const

/** The means of every measure by task, config, style and model. */
export function meansByConfig(
  frames: Pick<RunFrames, 'frame'>,
  level: number,
): (at: { readonly [K in (typeof CONFIG)[number]]: string }) => ConfigMeans {
  const frame = frames.frame('strict')
  const found = new Map<string, ConfigMeans>()
  if (frame !== null) {
    const amounts = tokenMeasures.map((measure) => [measure, amountsOf(frame, measure)] as const)
    for (const { key, rows } of partition(frame, [...CONFIG])) {
      const own = amounts.map(([measure, all]) => [measure, meanOf(frame, all, rows, level)] as const)
      found.set(JSON.stringify(CONFIG.map((name) => key[name])), {
        ...unknownMeans(),
        ...Object.fromEntries(own.map(([measure, one]) => [measure, one?.mean ?? null])),
        groups: Math.max(0, ...amounts.map(([, all]) => groupsOf(frame, all, rows))),
      })
    }
  }
  return (at) => found.get(JSON.stringify(CONFIG.map((name) => at[name]))) ?? { ...unknownMeans(), groups: 0 }
}

function amountsOf(frame: Frame, measure: TokenMeasure): Float64Array {
  const column = (name: string): Float64Array =>
    frame.has(name) ? Float64Array.from(frame.number(name)) : new Float64Array(frame.length).fill(Number.NaN)
  switch (measure) {
    case 'prompt':
      return column('inputTokens')
    case 'reasoning':
      return column('reasoningTokens')
    case 'answer': {
      const thought = column('reasoningTokens')
      return column('outputTokens').map((all, row) => {
        const own = thought[row] ?? Number.NaN
        return Number.isNaN(own) ? all : all >= own ? all - own : Number.NaN
      })
    }
    case 'seconds':
    case 'usd':
      return column(measure)
  }
}
