/** A vector of n zeros. */
export const zeros = (n: number): number[] => Array.from({ length: n }, () => 0)

/** Solves A x = b by elimination with partial pivoting; null where A is singular. Small dense systems only. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const n = right.length
  const rows = matrix.map((row, i) => [...row, right[i] as number])
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let r = column + 1; r < n; r++) if (Math.abs(rows[r]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = r
    const top = rows[pivot] as number[]
    if (Math.abs(top[column] as number) < 1e-12) return null
    rows[pivot] = rows[column] as number[]
    rows[column] = top
    for (let r = column + 1; r < n; r++) {
      const row = rows[r] as number[]
      const factor = row[column]! / top[column]!
      if (factor !== 0) for (let c = column; c <= n; c++) row[c]! -= factor * top[c]!
    }
  }
  const x = zeros(n)
  for (let r = n - 1; r >= 0; r--) {
    const row = rows[r] as number[]
    let sum = row[n] as number
    for (let c = r + 1; c < n; c++) sum -= row[c]! * x[c]!
    x[r] = sum / row[r]!
  }
  return x
}

/** The inverse of a small matrix; null where it is singular. */
export function invert(matrix: readonly (readonly number[])[]): number[][] | null {
  const columns = matrix.map((_, j) =>
    solve(
      matrix,
      matrix.map((__, i) => (i === j ? 1 : 0)),
    ),
  )
  if (columns.some((column) => column === null)) return null
  return matrix.map((_, i) => columns.map((column) => (column as number[])[i] as number))
}
