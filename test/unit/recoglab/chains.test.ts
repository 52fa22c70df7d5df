import { describe, expect, it } from 'vitest'
import { enc, sha256, streamFromKey } from '../../../src/core/index.ts'
import { chains, drawChain } from '../../../src/tasks/recoglab/comparison/sampling/entities.ts'

const stream = () => streamFromKey(sha256(enc('chains')))

describe('chains of a partial order', () => {
  const divides = (a: number, b: number) => b % a === 0
  const pool = [2, 3, 4, 6, 8, 12, 24]

  it('draws every chain equally often', () => {
    const all: string[] = []
    for (const a of pool)
      for (const b of pool)
        for (const c of pool) if (a < b && b < c && divides(a, b) && divides(b, c)) all.push(`${a} ${b} ${c}`)
    const counted = chains(pool, divides, 3)
    expect(counted.ways[2]?.reduce((sum, n) => sum + n, 0n)).toBe(BigInt(all.length))
    const draws = stream()
    const seen = new Map(all.map((chain) => [chain, 0]))
    for (let i = 0; i < 400 * all.length; i++) {
      const chain = (drawChain(counted, draws) as number[]).join(' ')
      seen.set(chain, (seen.get(chain) as number) + 1)
    }
    expect(seen.size).toBe(all.length)
    // Five standard deviations.
    for (const [chain, count] of seen) expect(Math.abs(count - 400), chain).toBeLessThan(100)
  })

  it('finds the only one, none where there is none, and nobody twice', () => {
    expect(drawChain(chains([2, 4, 5, 8], divides, 3), stream())).toEqual([2, 4, 8])
    expect(drawChain(chains([2, 3, 5, 7], divides, 2), stream())).toBeNull()
    expect(drawChain(chains([2, 2, 2], divides, 3), stream())).toEqual([2, 2, 2])
    expect(drawChain(chains([2, 2, 2], divides, 4), stream())).toBeNull()
  })
})
