import { expect, it } from 'vitest'
import type { TokenBuckets } from '../../src/store/index.ts'

/** Token buckets with a simulated clock, in ms. */
export interface Timed {
  readonly buckets: TokenBuckets
  now(): number
  /** Lets time pass. */
  wait(ms: number): Promise<void>
}

/**
 * What all token buckets keep to. `minutes`: how long calls are asked for; real clocks want less than one, and are then held to
 * the burst and the rate since they began.
 */
export function tokenBucketTests(make: () => Promise<Timed>, minutes: number): void {
  const span = minutes * 60_000

  /** Asks as eagerly as it may for `span` ms. @returns when each call went, and its tokens. */
  async function eager(
    timed: Timed,
    key: string,
    rate: { readonly requests?: number; readonly tokens?: number },
    size: number,
    used = size,
  ): Promise<readonly { readonly at: number; readonly tokens: number }[]> {
    const out: { at: number; tokens: number }[] = []
    const end = timed.now() + span
    let back = 0
    while (timed.now() < end) {
      const { calls, waitMs } = await timed.buckets.acquire(key, rate, Array<number>(7).fill(size), back)
      back = calls * (size - used)
      for (let i = 0; i < calls; i++) out.push({ at: timed.now(), tokens: used })
      if (waitMs > 0) await timed.wait(waitMs)
    }
    return out
  }

  /** The most of any minute that begins with a call. */
  const most = (calls: readonly { readonly at: number; readonly tokens: number }[], unit: 'calls' | 'tokens'): number =>
    Math.max(
      ...calls.map(({ at }) =>
        calls
          .filter((other) => other.at >= at && other.at < at + 60_000)
          .reduce((sum, { tokens }) => sum + (unit === 'calls' ? 1 : tokens), 0),
      ),
    )

  it('lets no more requests through in any minute than the rate, and nearly all of it', async () => {
    const timed = await make()
    const calls = await eager(timed, 'requests', { requests: 600 }, 0)
    const allowed = minutes < 1 ? (span + 1000) / (61_000 / 600) + 1 : 600
    expect(most(calls, 'calls')).toBeLessThanOrEqual(allowed)
    expect(calls.length).toBeGreaterThan((span / 60_000) * 600 * 0.9)
  })

  it('counts tokens, and gives back what was not used', async () => {
    const timed = await make()
    const calls = await eager(timed, 'tokens', { tokens: 60_000 }, 1000, 400)
    const allowed = minutes < 1 ? (span + 6000) / (66_000 / 60_000) + 1000 : 60_000
    expect(most(calls, 'tokens')).toBeLessThanOrEqual(allowed + 7 * 600)
    expect(calls.length).toBeGreaterThan(((span / 60_000) * 60_000 * 0.8) / 400)
  })

  it('lets a call that is larger than the bucket go when the bucket is full, and makes the next wait for it', async () => {
    const { buckets } = await make()
    const rate = { tokens: 60_000 }
    expect(await buckets.acquire('large', rate, [50_000, 50_000], 0)).toMatchObject({ calls: 1 })
    const { calls, waitMs } = await buckets.acquire('large', rate, [1], 0)
    expect(calls).toBe(0)
    expect(waitMs).toBeGreaterThan(40_000)
    // It used nothing after all.
    expect(await buckets.acquire('large', rate, [1], 50_000)).toEqual({ calls: 1, waitMs: 0 })
  })

  it('keeps keys apart, and passes everything where there is no limit', async () => {
    const { buckets } = await make()
    expect(await buckets.acquire('x', { requests: 1 }, [0, 0], 0)).toMatchObject({ calls: 1 })
    expect(await buckets.acquire('y', { requests: 1 }, [0], 0)).toEqual({ calls: 1, waitMs: 0 })
    expect(await buckets.acquire('z', {}, [1e9, 1e9], 0)).toEqual({ calls: 2, waitMs: 0 })
  })
}
