import { describe, expect, it } from 'vitest'
import type { Stream } from '../../../src/core/index.ts'

import { seriesWeights } from '../../../src/models/scoring/tiny/series.ts'
import { addGradient, type Parameters } from '../../../tools/lm/gradient.ts'
import { trainTiny } from '../../../tools/lm/train.ts'

const weights = await seriesWeights('10k')

/** A stream that tells how often it was drawn from; no draw of it is rejected. */
function counted(): Stream & { drawn(): number } {
  let drawn = 0
  return {
    u32() {
      drawn++
      return 0x90000001
    },
    drawn: () => drawn,
  }
}

describe('training', () => {
  it('is Adam as published, on batches of eight strings, with steps that grow for a tenth and fall to nothing', () => {
    const texts = ['12', '3x'].map((text) => Buffer.from(`\n${text}\n`))
    const steps = 12
    const parameters: Parameters = Object.fromEntries(
      Object.entries(weights.tensors).map(([name, tensor]) => [
        name,
        { values: Float64Array.from(tensor), gradient: new Float64Array(tensor.length) },
      ]),
    )
    const all = Object.entries(parameters)
    const means = all.map(([, { values }]) => ({ m: values.map(() => 0), v: values.map(() => 0) }))
    for (let t = 1; t <= steps; t++) {
      for (const { gradient } of Object.values(parameters)) gradient.fill(0)
      for (const text of texts) addGradient(weights.shape, parameters, text)
      // A tenth of the steps is 1.2 of them.
      const rate = 0.002 * Math.min(1, t / 1.2) * (1 - (t - 1) / steps)
      for (const [k, [, { values, gradient }]] of all.entries()) {
        const { m, v } = means[k]!
        for (let i = 0; i < values.length; i++) {
          // Both strings have three tokens after the first, four times each in a batch of 24.
          const g = (4 * gradient[i]!) / 24
          m[i] = 0.9 * m[i]! + 0.1 * g
          v[i] = 0.999 * v[i]! + 0.001 * g ** 2
          values[i]! -= (rate * (m[i]! / (1 - 0.9 ** t))) / (Math.sqrt(v[i]! / (1 - 0.999 ** t)) + 1e-8)
        }
      }
    }
    const trained = trainTiny(weights, ['12', '3x'], { stream: counted(), strings: 8 * steps, rate: 0.002 })
    for (const [name, { values }] of all) {
      const found = trained.tensors[name]!
      const far = values.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i]!)), 0)
      expect(far, name).toBeLessThan(1e-5)
    }
  })

  it.each([
    [2, undefined, 48],
    [5, undefined, 48],
    [7, undefined, 56],
    [2, 20, 24],
    [2, 8, 8],
    [2, 1, 8],
  ])('on %i strings, %s asked for, reads %i', (different, strings, read) => {
    const stream = counted()
    const texts = Array.from({ length: different }, (_, i) => String(i))
    trainTiny(weights, texts, { stream, ...(strings === undefined ? {} : { strings }) })
    // They are shuffled once all were read.
    expect(stream.drawn()).toBe(Math.ceil(read / different) * (different - 1))
  })
})
