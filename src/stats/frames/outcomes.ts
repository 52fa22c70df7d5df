import type { Frame } from '../../core/analysis.ts'

/** How many rows ended in each state. */
export interface StateCounts {
  readonly planned: number
  readonly graded: number
  readonly unparsed: number
  readonly truncated: number
  readonly refused: number
  readonly failed: number
}

export function stateCounts(frame: Frame, rows: Int32Array): StateCounts {
  const { codes, levels } = frame.category('state')
  const counts = levels.map(() => 0)
  for (const row of rows) {
    const code = codes[row] as number
    if (code >= 0) counts[code] = (counts[code] as number) + 1
  }
  const of = (state: string) => counts[levels.indexOf(state)] ?? 0
  return {
    planned: rows.length,
    graded: of('graded'),
    unparsed: of('unparsed'),
    truncated: of('truncated'),
    refused: of('refused'),
    failed: of('failed'),
  }
}

/**
 * The score of each row as the headline counts it (0..1): its value where graded, 0 where unparsed, truncated or refused, NaN (no cell of
 * the denominator) where failed or not read by a parser at all.
 */
export function scores(frame: Frame): Float64Array {
  const { codes, levels } = frame.category('state')
  const value = frame.number('value')
  const graded = levels.indexOf('graded')
  const wrong = new Set(['unparsed', 'truncated', 'refused'].map((state) => levels.indexOf(state)))
  return Float64Array.from(codes, (code, i) => {
    if (code >= 0 && code === graded) return value[i] as number
    return code >= 0 && wrong.has(code) ? 0 : Number.NaN
  })
}

/** 1 where a score is full, 0 where it is less, NaN where there is none. */
export const correctness = (values: Float64Array): Float64Array =>
  values.map((value) => (Number.isNaN(value) ? Number.NaN : value >= 1 ? 1 : 0))
