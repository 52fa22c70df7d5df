import { type Estimate, type Frame, memoize } from '../../../../core/index.ts'
import { clusteredShare, partition, take } from '../../../../libraries/statistics/index.ts'

/** Lengths per band. */
const WIDTH = 5

/** Rows with strings of similar length. */
interface Band {
  /** `6-10` */
  readonly lengths: string
  /** Their middle, for axes. */
  readonly length: number
  readonly rows: Int32Array
}

export function bands(frame: Frame, rows: Int32Array): readonly Band[] {
  const lengths = frame.number('feature_length')
  const of = Map.groupBy(rows, (row) => Math.floor(((lengths[row] as number) - 1) / WIDTH))
  return [...of]
    .sort(([a], [b]) => a - b)
    .map(([band, inside]) => ({
      lengths: `${band * WIDTH + 1}-${(band + 1) * WIDTH}`,
      length: band * WIDTH + (WIDTH + 1) / 2,
      rows: Int32Array.from(inside),
    }))
}

/** Rows by the model that wrote the response. */
export const byJudgedModel = (
  frame: Frame,
  rows: Int32Array,
): readonly (readonly [judgedModel: string, rows: Int32Array])[] =>
  partition(frame, ['feature_respondent'], rows).map(({ key, rows: inside }) => [
    key['feature_respondent'] ?? 'unknown',
    inside,
  ])

/** One row per judged response, whatever the number of judges. */
export const responseRows = memoize((frame: Frame): Int32Array => {
  const first = new Map<number, number>()
  for (const [row, code] of frame.category('item').codes.entries()) if (!first.has(code)) first.set(code, row)
  return Int32Array.from(first.values())
})

/** A column of numbers; all NaN where no response has any. */
export const numbersIn = (frame: Frame, name: string): Float64Array =>
  frame.has(name) ? frame.number(name) : new Float64Array(frame.length).fill(Number.NaN)

/** The rows that have a number in a column. */
export const rowsWith = (frame: Frame, rows: Int32Array, name: string): Int32Array => {
  const values = numbersIn(frame, name)
  return rows.filter((row) => !Number.isNaN(values[row]))
}

/** The mean of values 0..1 over rows, clustered by grammar. */
export const shareOf = (frame: Frame, values: ArrayLike<number>, rows: Int32Array): Estimate | null =>
  clusteredShare(take(values, rows), Int32Array.from(take(frame.category('group').codes, rows)))
