/** The `width` numbers from `from` on in each of `rows` rows of `d`. */
export interface RowRange {
  readonly from: number
  readonly width: number
  readonly d: number
  readonly rows: number
}

/** The dot product of a part of `x` with that of each row, four rows at a time so that a number of `x` is loaded once for them. */
export function dotRows(
  to: Float64Array,
  { from, width, d, rows }: RowRange,
  x: Float64Array,
  matrix: Float32Array,
): void {
  let row = 0
  for (; row + 4 <= rows; row += 4) {
    const first = row * d
    const second = first + d
    const third = second + d
    const fourth = third + d
    let a = 0
    let b = 0
    let c = 0
    let e = 0
    for (let i = from; i < from + width; i++) {
      const v = x[i]!
      a += v * matrix[first + i]!
      b += v * matrix[second + i]!
      c += v * matrix[third + i]!
      e += v * matrix[fourth + i]!
    }
    to[row] = a
    to[row + 1] = b
    to[row + 2] = c
    to[row + 3] = e
  }
  for (; row < rows; row++) {
    let sum = 0
    for (let i = from; i < from + width; i++) sum += x[i]! * matrix[row * d + i]!
    to[row] = sum
  }
}
