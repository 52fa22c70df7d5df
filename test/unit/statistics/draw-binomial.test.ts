import { expect, test } from 'vitest'
import { binomialPmf, drawBinomial } from '../../../src/libraries/statistics/distributions/binomial.ts'
import { analysisStream, chiSquaredUpper } from '../../../src/libraries/statistics/index.ts'

// Both methods, their border at ten expected successes, and probabilities above one half.
test.each([
  [1, 0.3],
  [5, 0.5],
  [40, 0.1],
  [30, 0.97],
  [99, 0.1],
  [101, 0.1],
  [20, 0.5],
  [1000, 0.02],
  [5000, 0.4],
  [200, 0.93],
])('%i trials of probability %f have the binomial distribution', (n, p) => {
  const draws = 20_000
  const stream = analysisStream(1, `binomial ${n} ${p}`)
  const counts = new Map<number, number>()
  for (let i = 0; i < draws; i++) {
    const k = drawBinomial(stream, n, p)
    counts.set(k, (counts.get(k) ?? 0) + 1)
  }
  // Neighbours together until some ten are expected.
  let [square, cells, seen, expected] = [0, 0, 0, 0]
  for (let k = 0; k <= n; k++) {
    seen += counts.get(k) ?? 0
    expected += draws * binomialPmf(k, n, p)
    if (expected < 10 && k < n) continue
    if (expected > 0) square += (seen - expected) ** 2 / expected
    cells++
    ;[seen, expected] = [0, 0]
  }
  expect([...counts.keys()].every((k) => Number.isInteger(k) && k >= 0 && k <= n)).toBe(true)
  expect(chiSquaredUpper(square, Math.max(1, cells - 1))).toBeGreaterThan(1e-4)
})

test('many trials have their mean and variance', () => {
  const [n, p, draws] = [1_000_000, 0.37, 20_000]
  const stream = analysisStream(1, 'many trials')
  const found = Array.from({ length: draws }, () => drawBinomial(stream, n, p))
  const mean = found.reduce((a, b) => a + b) / draws
  const variance = found.reduce((a, b) => a + (b - n * p) ** 2, 0) / draws
  expect(Math.abs(mean - n * p)).toBeLessThan(4 * Math.sqrt((n * p * (1 - p)) / draws))
  expect(Math.abs(variance / (n * p * (1 - p)) - 1)).toBeLessThan(4 * Math.sqrt(2 / draws))
})

test('what is sure is not drawn, and what is no binomial is refused', () => {
  const stream = analysisStream(1, 'sure')
  expect([drawBinomial(stream, 0, 0.5), drawBinomial(stream, 9, 0), drawBinomial(stream, 9, 1)]).toEqual([0, 0, 9])
  expect(() => drawBinomial(stream, 1.5, 0.5)).toThrow(/whole number of trials/)
  expect(() => drawBinomial(stream, 3, 1.1)).toThrow(/0 <= p <= 1/)
})
