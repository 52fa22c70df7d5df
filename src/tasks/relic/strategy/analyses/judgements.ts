import { type Frame, memoize } from '../../../../core/index.ts'
import { allRows, bySystem, partition, systems } from '../../../../libraries/statistics/index.ts'

/** Lengths are taken together in bands of so many. */
const WIDTH = 5

/** Rows whose strings are about as long. */
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

/** Rows by who wrote the response. */
export const byRespondent = (
  frame: Frame,
  rows: Int32Array,
): readonly (readonly [respondent: string, rows: Int32Array])[] =>
  partition(frame, ['feature_respondent'], rows).map(({ key, rows: inside }) => [
    key['feature_respondent'] ?? 'unknown',
    inside,
  ])

/** Rows by judge. */
export const byJudge = (frame: Frame) => bySystem(systems(frame), allRows(frame))

/** A row of each judged response, however many judges were asked about it. */
export const responseRows = memoize((frame: Frame): Int32Array => {
  const first = new Map<number, number>()
  for (const [row, code] of frame.category('item').codes.entries()) if (!first.has(code)) first.set(code, row)
  return Int32Array.from(first.values())
})

/** Grammars of rows, which responses about them are clustered by. */
export const grammarsOf = (frame: Frame, rows: ArrayLike<number>): readonly number[] => {
  const { codes } = frame.category('group')
  return Array.from(rows, (row) => codes[row] as number)
}

/** A column of numbers; where no response has any, the rows lack it, and all are missing. */
export const numbersIn = (frame: Frame, name: string): Float64Array =>
  frame.has(name) ? frame.number(name) : new Float64Array(frame.length).fill(Number.NaN)
