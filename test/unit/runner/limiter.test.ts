import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoff, RouteLimiter } from '../../../src/runner/limiter.ts'

describe('calls at once to one provider', () => {
  const at = (start: number, most: number) => {
    const clock = { ms: 0 }
    return { clock, limiter: new RouteLimiter(start, most, () => clock.ms) }
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

  it('wait no longer than an hour', () => {
    const { limiter } = at(1, 10)
    limiter.slowDown(1e12)
    expect(limiter.pause).toBe(3_600_000)
  })

  it('wait for the next count when fewer requests are left than are under way', () => {
    const { limiter, clock } = at(10, 10)
    for (let i = 0; i < 5; i++) limiter.started()
    limiter.allowed(5, 1000)
    expect(limiter.free()).toBe(5)
    limiter.allowed(4, 1000)
    expect(limiter.free()).toBe(0)
    clock.ms = 1000
    expect(limiter.free()).toBe(5)
    limiter.allowed(0, 1e9)
    expect(limiter.pause).toBe(60_000)
  })
})

describe('waiting before another attempt', () => {
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
