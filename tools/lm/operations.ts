/**
 * The operations of the tiny transformer over all positions of a text at once, each with its pull-back (reverse-mode
 * differentiation: given d loss / d output it gives d loss / d input). Matrices are flat rows, one a position.
 */
export interface Pulled {
  readonly value: Float64Array
  /** d loss / d input from d loss / d value; gradients of parameters are added up on the way. Call it once. */
  back(given: Float64Array): Float64Array
}

/** A parameter and the place where its gradient is added up. */
export interface Parameter {
  readonly values: Float64Array
  readonly gradient: Float64Array
}

/** y = W x at each position; W has `rows` rows of `columns`. */
export function linear(x: Float64Array, w: Parameter, rows: number, columns: number): Pulled {
  return {
    value: rowsOnRows(x, w.values, columns),
    back(given) {
      const input = new Float64Array(x.length)
      addCombinations(input, given, w.values, columns)
      addCombinations(w.gradient, transposed(given, rows), x, columns)
      return input
    },
  }
}

/** y = x W at each position; W is d x d. */
export function rowTimes(x: Float64Array, w: Parameter, d: number): Pulled {
  const value = new Float64Array(x.length)
  addCombinations(value, x, w.values, d)
  return {
    value,
    back(given) {
      addCombinations(w.gradient, transposed(x, d), given, d)
      return rowsOnRows(given, w.values, d)
    },
  }
}

/** Root-mean-square norm (Zhang and Sennrich 2019) with a weight for each coordinate. */
export function rmsNorm(x: Float64Array, w: Parameter): Pulled {
  const d = w.values.length
  const value = new Float64Array(x.length)
  const scales = new Float64Array(x.length / d)
  for (let t = 0, at = 0; at < x.length; t++, at += d) {
    const scale = 1 / Math.sqrt(dot(x, at, x, at, d) / d + 1e-5)
    scales[t] = scale
    for (let i = 0; i < d; i++) value[at + i] = x[at + i]! * scale * w.values[i]!
  }
  return {
    value,
    back(given) {
      const input = new Float64Array(x.length)
      for (let t = 0, at = 0; at < x.length; t++, at += d) {
        const scale = scales[t]!
        let along = 0
        for (let i = 0; i < d; i++) {
          w.gradient[i]! += given[at + i]! * x[at + i]! * scale
          along += given[at + i]! * w.values[i]! * x[at + i]!
        }
        const shrink = (along * scale ** 3) / d
        for (let i = 0; i < d; i++) input[at + i] = given[at + i]! * w.values[i]! * scale - x[at + i]! * shrink
      }
      return input
    },
  }
}

/** The causal convolution: y_t[j] = sum over `back` of c[back][j] x_(t-back)[j - back], coordinates rolled around. */
export function rolledConvolution(x: Float64Array, c: Parameter, d: number, reach: number): Pulled {
  const positions = x.length / d
  const value = new Float64Array(x.length)
  const each = (visit: (to: number, weight: number, from: number) => void) => {
    for (let t = 0; t < positions; t++)
      for (let back = 0; back < reach && back <= t; back++)
        for (let j = 0; j < d; j++) visit(t * d + j, back * d + j, (t - back) * d + ((j - back + d) % d))
  }
  each((to, weight, from) => {
    value[to]! += c.values[weight]! * x[from]!
  })
  return {
    value,
    back(given) {
      const input = new Float64Array(x.length)
      each((to, weight, from) => {
        input[from]! += c.values[weight]! * given[to]!
        c.gradient[weight]! += x[from]! * given[to]!
      })
      return input
    },
  }
}

/** Each head's stretch of a position scaled to length one. */
export function unitHeads(x: Float64Array, width: number): Pulled {
  const value = new Float64Array(x.length)
  const lengths = new Float64Array(x.length / width)
  for (let n = 0, at = 0; at < x.length; n++, at += width) {
    const length = Math.max(Math.sqrt(dot(x, at, x, at, width)), 1e-6)
    lengths[n] = length
    for (let i = at; i < at + width; i++) value[i] = x[i]! / length
  }
  return {
    value,
    back(given) {
      const input = new Float64Array(x.length)
      for (let n = 0, at = 0; at < x.length; n++, at += width) {
        const along = dot(given, at, value, at, width)
        for (let i = at; i < at + width; i++) input[i] = (given[i]! - value[i]! * along) / lengths[n]!
      }
      return input
    },
  }
}

/** Silu(gate) times up (Shazeer 2020), coordinate by coordinate; `back` is of both inputs. */
export function gated(gate: Float64Array, up: Float64Array) {
  const sigmoid = gate.map((g) => 1 / (1 + Math.exp(-g)))
  return {
    value: up.map((u, i) => u * gate[i]! * sigmoid[i]!),
    back: (given: Float64Array) => ({
      gate: given.map((g, i) => g * up[i]! * sigmoid[i]! * (1 + gate[i]! * (1 - sigmoid[i]!))),
      up: given.map((g, i) => g * gate[i]! * sigmoid[i]!),
    }),
  }
}

/** Nats of `next` under the softmax of each position's logits, and d nats / d logits. */
export function crossEntropy(logits: Float64Array, next: ArrayLike<number>): { nats: number; gradient: Float64Array } {
  const size = logits.length / next.length
  const gradient = new Float64Array(logits.length)
  let nats = 0
  for (let t = 0; t < next.length; t++) {
    const row = logits.subarray(t * size, (t + 1) * size)
    const most = row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
    const total = row.reduce((sum, v) => sum + Math.exp(v - most), 0)
    nats -= row[next[t]!]! - most - Math.log(total)
    for (let v = 0; v < size; v++) gradient[t * size + v] = Math.exp(row[v]! - most) / total - (v === next[t] ? 1 : 0)
  }
  return { nats, gradient }
}

/** Row t, column r: the dot product of row t of `x` with row r of `w`; four at a time, so that each x is loaded once for them. */
function rowsOnRows(x: Float64Array, w: Float64Array, columns: number): Float64Array {
  const [positions, rows] = [x.length / columns, w.length / columns]
  const out = new Float64Array(positions * rows)
  for (let t = 0; t < positions; t++) {
    const at = t * columns
    let r = 0
    for (; r + 4 <= rows; r += 4) {
      const first = r * columns
      const second = first + columns
      const third = second + columns
      const fourth = third + columns
      let [a, b, c, d] = [0, 0, 0, 0]
      for (let i = 0; i < columns; i++) {
        const v = x[at + i]!
        a += w[first + i]! * v
        b += w[second + i]! * v
        c += w[third + i]! * v
        d += w[fourth + i]! * v
      }
      const to = t * rows + r
      out[to] = a
      out[to + 1] = b
      out[to + 2] = c
      out[to + 3] = d
    }
    for (; r < rows; r++) out[t * rows + r] = dot(x, at, w, r * columns, columns)
  }
  return out
}

/** Adds to each row of `to` the rows of `from` with the weights in the same row of `weights`, four rows at a time. */
function addCombinations(to: Float64Array, weights: Float64Array, from: Float64Array, columns: number): void {
  const [rows, terms] = [to.length / columns, from.length / columns]
  for (let r = 0; r < rows; r++) {
    const at = r * columns
    let j = 0
    for (; j + 4 <= terms; j += 4) {
      const w = r * terms + j
      const [a, b, c, d] = [weights[w]!, weights[w + 1]!, weights[w + 2]!, weights[w + 3]!]
      const first = j * columns
      const second = first + columns
      const third = second + columns
      const fourth = third + columns
      for (let i = 0; i < columns; i++)
        to[at + i]! += a * from[first + i]! + b * from[second + i]! + c * from[third + i]! + d * from[fourth + i]!
    }
    for (; j < terms; j++) addScaled(to, at, weights[r * terms + j]!, from, j * columns, columns)
  }
}

function transposed(x: Float64Array, columns: number): Float64Array {
  const rows = x.length / columns
  const out = new Float64Array(x.length)
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = x[r * columns + c]!
  return out
}

export function dot(a: Float64Array, i: number, b: Float64Array, j: number, n: number): number {
  let even = 0
  let odd = 0
  let k = 0
  for (; k + 1 < n; k += 2) {
    even += a[i + k]! * b[j + k]!
    odd += a[i + k + 1]! * b[j + k + 1]!
  }
  if (k < n) even += a[i + k]! * b[j + k]!
  return even + odd
}

export function addScaled(to: Float64Array, i: number, by: number, from: Float64Array, j: number, n: number): void {
  for (let k = 0; k < n; k++) to[i + k]! += by * from[j + k]!
}

export function plus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((v, i) => v + b[i]!)
}
