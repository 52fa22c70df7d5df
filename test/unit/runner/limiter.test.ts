import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoff, ConcurrencyLimiter } from '../../../src/runner/limits/concurrency-limiter.ts'

describe('calls at once to one provider', () => {
  const at = (start: number, most: number) => {
    const clock = { ms: 0 }
    return { clock, limiter: new ConcurrencyLimiter(start, most, () => clock.ms) }
  }

  it('double every round trip at first', () => {
    const { limiter } = at(4, 100)
    for (let i = 0; i < 4; i++) limiter.succeeded()
    expect(limiter.limit).toBe(8)
    for (let i = 0; i < 1000; i++) limiter.succeeded()
    expect(limiter.limit).toBe(100)
  })

  it('are cut once by all calls that felt the same limit, then grow by one a round trip', () => {
    const { limiter, clock } = at(50, 100)
    for (let i = 0; i < 50; i++) limiter.slowDown(null)
    expect(limiter.limit).toBe(40)
    clock.ms = 2000
    for (let i = 0; i < 41; i++) limiter.succeeded()
    expect(limiter.limit).toBe(41)
    limiter.slowDown(null)
    expect(limiter.limit).toBe(32)
  })

  it('wait as long as the provider asked, and never fall below one', () => {
    const { limiter, clock } = at(1, 10)
    limiter.slowDown(500)
    expect([limiter.free(), limiter.pause]).toEqual([0, 500])
    clock.ms = 499
    expect(limiter.free()).toBe(0)
    clock.ms = 500
    expect(limiter.free()).toBe(1)
  })

  it('are one at least and the most at most, whatever is asked for', () => {
    for (const [start, most, limit] of [
      [1, 10, 1],
      [0, 10, 1],
      [-3, 10, 1],
      [5, 0, 1],
      [20, 10, 10],
    ] as const)
      expect(at(start, most).limiter.limit).toBe(limit)
  })

  it('are cut again after a second of calm, counted from the end of a pause', () => {
    const { limiter, clock } = at(100, 100)
    limiter.slowDown(500)
    expect(limiter.limit).toBe(80)
    clock.ms = 1499
    limiter.slowDown(null)
    expect(limiter.limit).toBe(80)
    clock.ms = 1500
    limiter.slowDown(null)
    expect(limiter.limit).toBe(64)
  })

  it('are those that have begun and not ended', () => {
    const { limiter } = at(3, 10)
    limiter.started()
    limiter.started()
    expect([limiter.busy, limiter.free()]).toEqual([2, 1])
    limiter.ended()
    expect([limiter.busy, limiter.free()]).toEqual([1, 2])
  })

  it('are never fewer than none, and no pause is over before it began', () => {
    const { limiter, clock } = at(10, 10)
    clock.ms = 10
    expect(limiter.pause).toBe(0)
    for (let i = 0; i < 10; i++) limiter.started()
    limiter.slowDown(null)
    expect([limiter.limit, limiter.busy, limiter.free()]).toEqual([8, 10, 0])
  })

  it('wait as long as another worker was told to, an hour at most, and the longest wait holds', () => {
    const { limiter, clock } = at(3, 10)
    limiter.pauseFor(2000)
    limiter.pauseFor(1000)
    expect([limiter.pause, limiter.free(), limiter.limit]).toEqual([2000, 0, 3])
    clock.ms = 2000
    expect([limiter.pause, limiter.free()]).toEqual([0, 3])
    limiter.pauseFor(1e12)
    expect(limiter.pause).toBe(3_600_000)
  })

  it('wait no longer than an hour', () => {
    const { limiter } = at(1, 10)
    limiter.slowDown(1e12)
    expect(limiter.pause).toBe(3_600_000)
  })

  it('wait for the next count when fewer requests are left than are under way', () => {
    const { limiter, clock } = at(10, 10)
    for (let i = 0; i < 5; i++) limiter.started()
    limiter.applyAllowance(5, 1000)
    expect(limiter.free()).toBe(5)
    limiter.applyAllowance(4, 1000)
    expect(limiter.free()).toBe(0)
    clock.ms = 1000
    expect(limiter.free()).toBe(5)
    limiter.applyAllowance(0, 1e9)
    expect(limiter.pause).toBe(60_000)
  })
})

describe('waiting before another attempt', () => {
  it('is at most 500 ms, 1 s, 2 s and so on to a minute, and no more than a tenth on top of what was asked for', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((tried) => backoff(tried, null, () => 1))
    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    expect(backoff(3, null, () => 0.25)).toBe(500)
    expect(backoff(3, 1000, () => 1)).toBe(1100)
    expect(backoff(1, 10_000, () => 1)).toBe(10_500)
    expect(backoff(9, 1e12, () => 1)).toBe(3_660_000)
  })

  it('is random between nothing and a bound that doubles to a minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (tried, random) => {
          const wait = backoff(tried, null, () => random)
          expect(wait).toBeGreaterThanOrEqual(0)
          expect(wait).toBeLessThanOrEqual(Math.min(60_000, 500 * 2 ** (tried - 1)))
        },
      ),
    )
  })

  it('fits a timer, whatever the provider asks for', () => {
    expect(backoff(1, 1e12, () => 1)).toBeLessThan(2 ** 31)
  })

  it('is never less than the provider asked for, nor a tenth more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 1e6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tried, asked, random) => {
          const wait = backoff(tried, asked, () => random)
          expect(wait).toBeGreaterThanOrEqual(asked)
          expect(wait).toBeLessThanOrEqual(asked * 1.1)
        },
      ),
    )
  })
})
