/** A Householder QR decomposition of a tall matrix given by columns, each scaled to length 1 first. */
export interface Qr {
  /** The solution of least squares for a right-hand side. */
  solve(y: Float64Array): Float64Array
  /** (X'X)^-1, column after column: element (i, j) is at i + j p. */
  inverse(): Float64Array
}

/** A column that the earlier ones already span. */
export interface Dependent {
  readonly kind: 'dependent'
  readonly column: number
}

/** Length of what is new in a column, relative to its own, below which it counts as spanned by the earlier ones; as R's lm. */
const TOLERANCE = 1e-9

export function qr(columns: readonly Float64Array[], rows: number): (Qr & { readonly kind: 'qr' }) | Dependent {
  const p = columns.length
  const scales = columns.map(length)
  const work = columns.map((column, j) => column.map((x) => x / ((scales[j] as number) || 1)))
  const diagonal = new Float64Array(p)
  for (let k = 0; k < p; k++) {
    const column = work[k] as Float64Array
    const norm = k < rows ? length(column.subarray(k)) : 0
    if (!(norm > TOLERANCE)) return { kind: 'dependent', column: k }
    const head = column[k] as number
    const alpha = head > 0 ? -norm : norm
    // v is kept below the diagonal, scaled so that v'v = 2.
    const scale = 1 / Math.sqrt(norm * (norm + Math.abs(head)))
    column[k] = head - alpha
    for (let i = k; i < rows; i++) column[i] = (column[i] as number) * scale
    diagonal[k] = alpha
    for (let j = k + 1; j < p; j++) reflect(column, work[j] as Float64Array, k, rows)
  }
  return {
    kind: 'qr',
    solve(y) {
      const rest = y.slice()
      for (let k = 0; k < p; k++) reflect(work[k] as Float64Array, rest, k, rows)
      const out = backSolve(work, diagonal, rest.subarray(0, p))
      return out.map((x, j) => x / (scales[j] as number))
    },
    inverse() {
      const solved = Array.from({ length: p }, (_, j) => {
        const unit = new Float64Array(p)
        unit[j] = 1
        return backSolve(work, diagonal, unit)
      })
      const out = new Float64Array(p * p)
      for (let i = 0; i < p; i++) {
        for (let j = i; j < p; j++) {
          let sum = 0
          for (let k = j; k < p; k++)
            sum += ((solved[k] as Float64Array)[i] as number) * ((solved[k] as Float64Array)[j] as number)
          const value = sum / ((scales[i] as number) * (scales[j] as number))
          out[i + j * p] = value
          out[j + i * p] = value
        }
      }
      return out
    },
  }
}

/** x minus v (v'x), from row `from` on. */
function reflect(v: Float64Array, x: Float64Array, from: number, rows: number): void {
  let dot = 0
  for (let i = from; i < rows; i++) dot += (v[i] as number) * (x[i] as number)
  for (let i = from; i < rows; i++) x[i] = (x[i] as number) - dot * (v[i] as number)
}

/** R z = y, where R has `diagonal` and, above it, the heads of the worked columns. */
function backSolve(work: readonly Float64Array[], diagonal: Float64Array, y: Float64Array): Float64Array {
  const z = y.slice()
  for (let k = diagonal.length - 1; k >= 0; k--) {
    z[k] = (z[k] as number) / (diagonal[k] as number)
    for (let i = 0; i < k; i++) z[i] = (z[i] as number) - ((work[k] as Float64Array)[i] as number) * (z[k] as number)
  }
  return z
}

function length(x: Float64Array): number {
  let largest = 0
  for (const value of x) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return 0
  let sum = 0
  for (const value of x) sum += (value / largest) * (value / largest)
  return largest * Math.sqrt(sum)
}
