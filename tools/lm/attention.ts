import { addScaled, dot, type Parameter } from './operations.ts'

export interface AttentionInput {
  /** Of length one in each head, as are keys. */
  readonly queries: Float64Array
  readonly keys: Float64Array
  readonly values: Float64Array
}

/**
 * Attention of every position over the ones before it and itself: in head h the logit of position r is e^temperature_h
 * times the cosine of the query and the key of r - 1 (the first one has a zero key), that of nothing e^temperature_h + sink_h.
 */
export function shiftedAttention(input: AttentionInput, temperature: Parameter, sink: Parameter, d: number) {
  const { queries, keys, values } = input
  const heads = temperature.values.length
  const width = d / heads
  const positions = queries.length / d
  const value = new Float64Array(queries.length)
  /** By head and position the shares of positions 0..t, then at the end of the row that of nothing. */
  const shares = new Float64Array(heads * positions * (positions + 1))
  const rowOf = (h: number, t: number) => (h * positions + t) * (positions + 1)

  for (let h = 0; h < heads; h++) {
    const scale = Math.exp(temperature.values[h]!)
    for (let t = 0; t < positions; t++) {
      const [row, query] = [rowOf(h, t), t * d + h * width]
      shares[row + positions] = scale + sink.values[h]!
      for (let r = 1; r <= t; r++) shares[row + r] = scale * dot(queries, query, keys, (r - 1) * d + h * width, width)
      softmax(shares, row, t, positions)
      for (let r = 0; r <= t; r++) addScaled(value, query, shares[row + r]!, values, r * d + h * width, width)
    }
  }

  function back(given: Float64Array): AttentionInput {
    const out = {
      queries: new Float64Array(queries.length),
      keys: new Float64Array(keys.length),
      values: new Float64Array(values.length),
    }
    const slopes = new Float64Array(positions)
    for (let h = 0; h < heads; h++) {
      const scale = Math.exp(temperature.values[h]!)
      for (let t = 0; t < positions; t++) {
        const [row, query] = [rowOf(h, t), t * d + h * width]
        let mean = 0
        for (let r = 0; r <= t; r++) {
          const share = shares[row + r]!
          addScaled(out.values, r * d + h * width, share, given, query, width)
          slopes[r] = dot(given, query, values, r * d + h * width, width)
          mean += share * slopes[r]!
        }
        const nothing = -shares[row + positions]! * mean
        sink.gradient[h]! += nothing
        temperature.gradient[h]! += nothing * scale
        for (let r = 1; r <= t; r++) {
          const slope = shares[row + r]! * (slopes[r]! - mean)
          const key = (r - 1) * d + h * width
          addScaled(out.queries, query, scale * slope, keys, key, width)
          addScaled(out.keys, key, scale * slope, queries, query, width)
          temperature.gradient[h]! += slope * scale * dot(queries, query, keys, key, width)
        }
      }
    }
    return out
  }
  return { value, back }
}

/** Turns the logits of row[0..last] and row[nothing] into shares. */
function softmax(row: Float64Array, at: number, last: number, nothing: number): void {
  let most = row[at + nothing]!
  for (let r = 0; r <= last; r++) most = Math.max(most, row[at + r]!)
  let total = Math.exp(row[at + nothing]! - most)
  for (let r = 0; r <= last; r++) total += Math.exp(row[at + r]! - most)
  for (let r = 0; r <= last; r++) row[at + r] = Math.exp(row[at + r]! - most) / total
  row[at + nothing] = Math.exp(row[at + nothing]! - most) / total
}
