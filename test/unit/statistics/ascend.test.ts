import { describe, expect, it } from 'vitest'
import { type Box, maximize } from '../../../src/libraries/statistics/mixed/maximize.ts'

const numbers = (...list: readonly number[]) => Float64Array.from(list)
const box = (low: number, high: number, n = 2): Box => ({
  low: new Float64Array(n).fill(low),
  high: new Float64Array(n).fill(high),
  variance: new Float64Array(n).fill(1),
})
/** A hill that is longer than it is wide, and leans. */
const hill = (top: readonly [number, number]) => (x: Float64Array) => {
  const [a, b] = [(x[0] as number) - top[0], (x[1] as number) - top[1]]
  return { value: 5 - 10 * a * a - a * b - b * b, gradient: numbers(-20 * a - b, -a - 2 * b) }
}

describe('the way up', () => {
  it('ends at the top', () => {
    const found = maximize(hill([2, -3]), numbers(0, 0), box(-10, 10))
    if (found.kind !== 'top') throw new Error('lost')
    expect(found.value).toBeCloseTo(5, 9)
    expect([...found.at]).toEqual([expect.closeTo(2, 6), expect.closeTo(-3, 6)])
  })

  it.each([[[4, 0]], [[-4, 0]], [[0, 4]], [[0, -4]]] as const)('to %j ends at the edge of the box', (top) => {
    const found = maximize(hill(top), numbers(0.3, -0.2), box(-1, 1))
    if (found.kind !== 'top') throw new Error('lost')
    // The best of a fine grid over the box.
    const grid = Array.from({ length: 201 }, (_, i) => -1 + i / 100)
    const best = Math.max(...grid.flatMap((a) => grid.map((b) => hill(top)(numbers(a, b)).value)))
    expect(found.value).toBeGreaterThanOrEqual(best - 1e-6)
    expect([...found.at].every((value) => Math.abs(value) <= 1)).toBe(true)
  })

  it('begins in the box', () => {
    const found = maximize(hill([0, 0]), numbers(50, -50), box(-1, 1))
    expect(found).toMatchObject({ kind: 'top', value: expect.closeTo(5, 9) })
  })

  it('is lost where there is no top, after 300 steps', () => {
    const slope = (x: Float64Array) => ({ value: x[0] as number, gradient: numbers(1) })
    const open = box(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1)
    expect(maximize(slope, numbers(0), open)).toEqual({ kind: 'lost', steps: 300 })
  })

  it('is lost at once where the derivative leads nowhere', () => {
    const wrong = (x: Float64Array) => ({ value: -Math.abs(x[0] as number), gradient: numbers(1) })
    expect(maximize(wrong, numbers(0), box(-9, 9, 1))).toEqual({ kind: 'lost', steps: 0 })
  })
})
