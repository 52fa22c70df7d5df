/** A vector of n zeros. */
export const zeros = (n: number): number[] => Array.from({ length: n }, () => 0)

/** A vector of n zeros but for a 1 at one place. */
export function unit(n: number, at: number): number[] {
  const out = zeros(n)
  out[at] = 1
  return out
}

/** A square matrix of non-negative numbers by rows: column to value, without the zeros. */
export type Rows = readonly ReadonlyMap<number, number>[]

export function transposed(rows: Rows): Rows {
  const out = rows.map(() => new Map<number, number>())
  for (const [i, row] of rows.entries()) for (const [j, value] of row) (out[j] as Map<number, number>).set(i, value)
  return out
}

/** Depth-first postorder from some roots: each node after all that it leads to, but for those on a cycle with it. */
export function postorder(roots: Iterable<number>, next: (node: number) => Iterator<number>): number[] {
  const order: number[] = []
  const seen = new Set<number>()
  const stack: { readonly node: number; readonly children: Iterator<number> }[] = []
  const enter = (node: number) => {
    seen.add(node)
    stack.push({ node, children: next(node) })
  }
  for (const root of roots) {
    if (!seen.has(root)) enter(root)
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const child = top.children.next()
      if (child.done === true) {
        order.push(top.node)
        stack.pop()
      } else if (!seen.has(child.value)) enter(child.value)
    }
  }
  return order
}

/** The rows, each after all that it refers to, but for those on a cycle with it. */
export const childrenFirst = (rows: Rows): number[] =>
  postorder(rows.keys(), (row) => (rows[row] as ReadonlyMap<number, number>).keys())

/** A row on a cycle, or null where there is none. */
export function cyclicRow(rows: Rows): number | null {
  const done = new Set<number>()
  for (const row of childrenFirst(rows)) {
    for (const column of (rows[row] as ReadonlyMap<number, number>).keys()) if (!done.has(column)) return row
    done.add(row)
  }
  return null
}

/** The sum (I + M + M^2 + ...) b of a non-negative matrix M, or a row where it diverges (spectral radius 1 or more). */
export type Series =
  | { readonly kind: 'converges'; of(b: readonly number[]): number[] }
  | { readonly kind: 'diverges'; readonly row: number }

/** The part of a row that is not 0. */
interface Entries {
  readonly places: Int32Array
  readonly values: Float64Array
}

function entriesOf(row: Float64Array, from: number, to: number): Entries {
  const places: number[] = []
  for (let at = from; at < to; at++) if (row[at] !== 0) places.push(at)
  return { places: Int32Array.from(places), values: Float64Array.from(places, (at) => row[at]!) }
}

/**
 * Solves x = M x + b by eliminating one variable after another, children first, so that a matrix without cycles fills in
 * nothing. No entry is ever subtracted from another, so what is 0 stays 0; the series converges just when every pivot is
 * positive, in any order (I - M is then a non-singular M-matrix).
 */
export function series(matrix: Rows): Series {
  const order = childrenFirst(matrix)
  const placeOf = zeros(order.length)
  for (const [place, variable] of order.entries()) placeOf[variable] = place
  const earlier: Entries[] = []
  const later: Entries[] = []
  const pivots: number[] = []
  const row = new Float64Array(order.length)
  for (const [k, variable] of order.entries()) {
    row.fill(0)
    for (const [column, value] of matrix[variable] as ReadonlyMap<number, number>)
      row[placeOf[column] as number] = value
    for (let j = 0; j < k; j++) {
      const factor = row[j]!
      if (factor === 0) continue
      const { places, values } = later[j] as Entries
      for (let i = 0; i < places.length; i++) row[places[i] as number]! += factor * values[i]!
    }
    const pivot = 1 - row[k]!
    if (!(pivot > 1e-12)) return { kind: 'diverges', row: variable }
    earlier.push(entriesOf(row, 0, k))
    for (let j = k + 1; j < row.length; j++) row[j]! /= pivot
    later.push(entriesOf(row, k + 1, row.length))
    pivots.push(pivot)
  }
  return {
    kind: 'converges',
    of: (b) => {
      const x = order.map((variable) => b[variable]!)
      for (const [k, { places, values }] of earlier.entries()) {
        for (let i = 0; i < places.length; i++) x[k]! += values[i]! * x[places[i] as number]!
        x[k]! /= pivots[k]!
      }
      for (let k = x.length - 1; k >= 0; k--) {
        const { places, values } = later[k] as Entries
        for (let i = 0; i < places.length; i++) x[k]! += values[i]! * x[places[i] as number]!
      }
      return placeOf.map((place) => x[place]!)
    },
  }
}
