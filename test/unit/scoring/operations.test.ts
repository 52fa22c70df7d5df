import { describe, expect, it } from 'vitest'
import { float, namedStream } from '../../../src/core/index.ts'
import { attendHead } from '../../../src/models/scoring/tiny/attend-head.ts'
import { dotRows } from '../../../src/models/scoring/tiny/dot-rows.ts'
import { logSoftmax } from '../../../src/models/scoring/tiny/transformer.ts'
import { shiftedAttention } from '../../../tools/lm/attention.ts'
import {
  crossEntropy,
  gated,
  linear,
  type Parameter,
  type Pulled,
  rmsNorm,
  rolledConvolution,
  rowTimes,
  unitHeads,
} from '../../../tools/lm/operations.ts'

// Each operation by its definition, one number at a time, and each pull-back by finite differences.

const draws = namedStream('test/scoring/operations')
const numbers = (length: number) => Float64Array.from({ length }, () => 2 * float(draws) - 1)
const parameter = (length: number): Parameter => ({ values: numbers(length), gradient: new Float64Array(length) })
const times = (n: number) => Array.from({ length: n }, (_, i) => i)
const sum = (n: number, term: (i: number) => number) => times(n).reduce((total, i) => total + term(i), 0)
const table = (rows: number, columns: number, entry: (row: number, column: number) => number) =>
  times(rows).flatMap((r) => times(columns).map((c) => entry(r, c)))
const close = (found: ArrayLike<number>, wanted: ArrayLike<number>, digits = 10) => {
  expect(found).toHaveLength(wanted.length)
  for (let i = 0; i < wanted.length; i++) expect(found[i], `number ${i}`).toBeCloseTo(wanted[i] as number, digits)
}

/** How a weighted sum of what `value` gives changes with each of some numbers. */
function slopes(of: Float64Array, weights: Float64Array, value: () => Float64Array): number[] {
  const total = () => value().reduce((all, v, i) => all + v * (weights[i] as number), 0)
  return Array.from(of, (kept, i) => {
    const at = (changed: number) => {
      of[i] = changed
      const found = total()
      of[i] = kept
      return found
    }
    return (at(kept + 1e-6) - at(kept - 1e-6)) / 2e-6
  })
}
function pullsBack(x: Float64Array, parameters: readonly Parameter[], run: () => Pulled) {
  const weights = numbers(run().value.length)
  const value = () => run().value
  close(run().back(weights), slopes(x, weights, value), 6)
  for (const { values, gradient } of parameters) {
    const once = Float64Array.from(gradient)
    close(once, slopes(values, weights, value), 6)
    // Gradients are added up.
    run().back(weights)
    close(
      gradient,
      once.map((g) => 2 * g),
      10,
    )
  }
}

const sizes = [
  [1, 1, 1],
  [1, 2, 3],
  [3, 4, 5],
  [5, 6, 4],
  [4, 9, 2],
] as const

describe('operations over all positions', () => {
  it.each(sizes)('linear maps of %i positions, %i rows of %i', (positions, rows, columns) => {
    const [x, w] = [numbers(positions * columns), parameter(rows * columns)]
    close(
      linear(x, w, rows, columns).value,
      table(positions, rows, (t, r) => sum(columns, (c) => x[t * columns + c]! * w.values[r * columns + c]!)),
    )
    pullsBack(x, [w], () => linear(x, w, rows, columns))
  })

  it.each([
    [1, 1],
    [3, 4],
    [5, 6],
    [4, 5],
  ])('rows times a square: %i positions of %i', (positions, d) => {
    const [x, w] = [numbers(positions * d), parameter(d * d)]
    close(
      rowTimes(x, w, d).value,
      table(positions, d, (t, c) => sum(d, (r) => x[t * d + r]! * w.values[r * d + c]!)),
    )
    pullsBack(x, [w], () => rowTimes(x, w, d))
  })

  it('the norm by root mean square', () => {
    const [d, x, w] = [3, numbers(12), parameter(3)]
    const size = (t: number) => Math.sqrt(sum(d, (i) => x[t * d + i]! ** 2) / d + 1e-5)
    close(
      rmsNorm(x, w).value,
      table(4, d, (t, i) => (x[t * d + i]! / size(t)) * w.values[i]!),
    )
    pullsBack(x, [w], () => rmsNorm(x, w))
  })

  it.each([1, 3, 6])('the rolled convolution over %i positions', (positions) => {
    const [d, reach] = [5, 4]
    const [x, c] = [numbers(positions * d), parameter(reach * d)]
    const term = (t: number, j: number, back: number) =>
      back > t ? 0 : c.values[back * d + j]! * x[(t - back) * d + ((j - back + d) % d)]!
    close(
      rolledConvolution(x, c, d, reach).value,
      table(positions, d, (t, j) => sum(reach, (back) => term(t, j, back))),
    )
    pullsBack(x, [c], () => rolledConvolution(x, c, d, reach))
  })

  it('heads of length one; what has no length stays nothing', () => {
    const x = numbers(12)
    close(
      unitHeads(x, 3).value,
      table(4, 3, (n, i) => x[3 * n + i]! / Math.hypot(...x.subarray(3 * n, 3 * n + 3))),
    )
    pullsBack(x, [], () => unitHeads(x, 3))
    expect([...unitHeads(new Float64Array(4), 2).value]).toEqual([0, 0, 0, 0])
  })

  it('the gate', () => {
    const [gate, up, weights] = [numbers(5), numbers(5), numbers(5)]
    close(
      gated(gate, up).value,
      times(5).map((i) => (up[i]! * gate[i]!) / (1 + Math.exp(-gate[i]!))),
    )
    const value = () => gated(gate, up).value
    const found = gated(gate, up).back(weights)
    close(found.gate, slopes(gate, weights, value), 6)
    close(found.up, slopes(up, weights, value), 6)
  })

  it('the nats of what comes next', () => {
    const logits = numbers(12)
    const next = [2, 0, 3]
    const nats = () =>
      sum(3, (t) => -Math.log(Math.exp(logits[4 * t + next[t]!]!) / sum(4, (v) => Math.exp(logits[4 * t + v]!))))
    expect(crossEntropy(logits, next).nats).toBeCloseTo(nats(), 10)
    close(
      crossEntropy(logits, next).gradient,
      slopes(logits, Float64Array.of(1), () => Float64Array.of(nats())),
      6,
    )
    // Whatever is added to all logits of a position.
    expect(
      crossEntropy(
        logits.map((v) => v + 900),
        next,
      ).nats,
    ).toBeCloseTo(nats(), 9)
    close(
      logSoftmax(logits.map((v) => v - 900)),
      Array.from(logits, (v) => v - Math.log(sum(12, (i) => Math.exp(logits[i]!)))),
    )
  })
})

describe('attention', () => {
  /** Of one query: e^logit of each row, and of nothing, as shares of their sum. */
  const shared = (logits: readonly number[], nothing: number) => {
    const total = Math.exp(nothing) + sum(logits.length, (i) => Math.exp(logits[i]!))
    return logits.map((logit) => Math.exp(logit) / total)
  }

  it('sees keys one position late, and nothing', () => {
    const [heads, width, positions] = [2, 3, 5]
    const d = heads * width
    const [queries, keys, values] = [numbers(positions * d), numbers(positions * d), numbers(positions * d)]
    const [temperature, sink] = [parameter(heads), parameter(heads)]
    const run = () => shiftedAttention({ queries, keys, values }, temperature, sink, d)
    const wanted = table(positions, d, (t, j) => {
      const h = Math.floor(j / width)
      const scale = Math.exp(temperature.values[h]!)
      const dot = (r: number) =>
        r === 0 ? 0 : sum(width, (i) => queries[t * d + h * width + i]! * keys[(r - 1) * d + h * width + i]!)
      const shares = shared(
        times(t + 1).map((r) => scale * dot(r)),
        scale + sink.values[h]!,
      )
      return sum(t + 1, (r) => shares[r]! * values[r * d + j]!)
    })
    close(run().value, wanted)
    const weights = numbers(positions * d)
    const value = () => run().value
    const found = run().back(weights)
    close(found.queries, slopes(queries, weights, value), 6)
    close(found.keys, slopes(keys, weights, value), 6)
    close(found.values, slopes(values, weights, value), 6)
    for (const { values: own, gradient } of [temperature, sink]) close(gradient, slopes(own, weights, value), 6)
  })

  it('holds for logits of which no exponential is finite', () => {
    const one = (...values: number[]) => Float64Array.from(values)
    const attend = (keys: Float64Array, sink: number) => {
      const learnt = (value: number) => ({ values: one(value), gradient: one(0) })
      // e^7 is more than 1,000.
      return shiftedAttention({ queries: one(1, 1), keys, values: one(3, 5) }, learnt(7), learnt(sink), 1).value
    }
    // The second position sees the first, with a zero key, and itself, by the key of the first.
    close(attend(one(1, 0), -2000), [3, 5])
    close(attend(one(1, 0), 0), [0, 2.5])
    close(attend(one(-1, 0), -2000), [3, 3])
  })

  it.each([1, 3, 4, 7, 1100])('of one head over %i rows, four at a time, is that over one after another', (rows) => {
    const [d, from, width] = [6, 2, 3]
    const [query, out] = [numbers(d), numbers(d)]
    const [keys, values] = [Float32Array.from(numbers(rows * d)), Float32Array.from(numbers(rows * d))]
    const stretch = { from, width, d, rows }
    const logits = times(rows).map((r) => sum(width, (i) => query[from + i]! * keys[r * d + from + i]!))
    const found = new Float64Array(rows)
    dotRows(found, stretch, query, keys)
    close(found, logits)
    for (const nothing of [-1, 0.5, 8]) {
      const shares = shared(logits, nothing)
      out.fill(0)
      attendHead(stretch, query, keys, values, nothing, out)
      close(
        out,
        times(d).map((j) => (j < from || j >= from + width ? 0 : sum(rows, (r) => shares[r]! * values[r * d + j]!))),
      )
    }
  })

  it('leaves out what is less than e^-20 of the largest', () => {
    const keys = Float32Array.of(0, -19.5, -20.5)
    const out = new Float64Array(1)
    attendHead({ from: 0, width: 1, d: 1, rows: 3 }, Float64Array.of(1), keys, Float32Array.of(0, 1e9, 1e20), -40, out)
    expect(out[0]).toBeCloseTo(1e9 * Math.exp(-19.5), 3)
  })
})
