import { describe, expect, it } from 'vitest'
import { RateGate } from '../../../src/runner/limits/rate-gate.ts'
import { LocalLimits } from '../../../src/store/index.ts'
import { tokenBucketTests } from '../../contract/token-bucket-tests.ts'

describe('the token buckets of one process', () => {
  tokenBucketTests(() => {
    let now = 0
    const wait = (ms: number): Promise<void> => {
      now += ms
      return Promise.resolve()
    }
    return Promise.resolve({ buckets: new LocalLimits(() => now), now: () => now, wait })
  }, 10)

  it('spaces few requests a minute evenly: never three in a minute of two', async () => {
    let now = 0
    const buckets = new LocalLimits(() => now)
    const went: number[] = []
    while (now < 600_000) {
      const { calls, waitMs } = await buckets.acquire('k', { requests: 2 }, [0], 0)
      if (calls === 1) went.push(now)
      now += Math.max(waitMs, calls === 1 ? 0 : 1)
    }
    for (const at of went) expect(went.filter((other) => other >= at && other < at + 60_000).length).toBeLessThan(3)
    expect(went.length).toBeGreaterThan(18)
  })
})

describe('the gate of a model', () => {
  it('asks with what calls may take, then with what they took', async () => {
    const asked: { sizes: readonly number[]; back: number }[] = []
    const gate = new RateGate(
      {
        acquire: (_key, _rate, sizes, back) => {
          asked.push({ sizes, back })
          return Promise.resolve({ calls: sizes.length, waitMs: 0 })
        },
      },
      'k',
      { tokens: 1000 },
    )
    expect(await gate.request(2, (i) => 100 + i, Math.random)).toBe(true)
    expect(await gate.request(2, () => 1, Math.random)).toBe(false)
    expect([gate.take(), gate.take(), gate.open]).toEqual([100, 101, 0])
    gate.settle(100, 40)
    gate.settle(101, null)
    await gate.request(1, () => 100, Math.random)
    expect(asked).toEqual([
      { sizes: [100, 101], back: 0 },
      { sizes: [40], back: 60 },
    ])
  })
})
