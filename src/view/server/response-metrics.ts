import type { Frame } from '../../core/index.ts'
import { type TokenMeasure, tokenMeasures } from '../api/index.ts'

/** A metric of each response, NaN if unknown. Output tokens = reasoning + answer. */
export function measureOf(frame: Frame, measure: TokenMeasure): Float64Array {
  const column = (name: string): Float64Array =>
    frame.has(name) ? frame.number(name) : new Float64Array(frame.length).fill(Number.NaN)
  switch (measure) {
    case 'prompt':
      return column('input_tokens')
    case 'reasoning':
      return column('reasoning_tokens')
    case 'answer': {
      const reasoning = column('reasoning_tokens')
      return column('output_tokens').map((all, row) => {
        const own = reasoning[row] as number
        return Number.isNaN(own) ? all : all >= own ? all - own : Number.NaN
      })
    }
    case 'seconds':
    case 'usd':
      return column(measure)
  }
}

/** Metrics of a response by the names that filters use: tokens, time, cost, score, subscores and log-probability metrics. @param columns - of all frames of the run. */
export function responseMetrics(columns: readonly string[], frame: Frame): ReadonlyMap<string, () => Float64Array> {
  const parts = new Set(columns.flatMap((name) => /^subscore_[^@]+/u.exec(name)?.[0] ?? []))
  const named = [...parts, ...columns.filter((name) => name.startsWith('metric_'))].filter((name) => frame.has(name))
  return new Map([
    ...tokenMeasures.map((measure) => [measure, () => measureOf(frame, measure)] as const),
    ['score', () => frame.number('score')] as const,
    ...named.map((name) => [name, () => frame.number(name)] as const),
  ])
}
