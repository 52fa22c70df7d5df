import { expect, it } from 'vitest'
import { soak } from '../../bench/soak.ts'
import { nightly, sample } from '../nightly.ts'

const SECONDS = sample({ nightly: 600, otherwise: 10 })
/** Resident bytes of a server that keeps what it is sent; without its bounds the attacks take several times as much. */
const MEMORY = 2 * 1024 ** 3

it(
  'honest clients beside attackers are all answered as alone, by a server whose memory is bounded',
  async () => {
    const { beside, wrong, memory } = await soak(SECONDS)
    expect(wrong).toEqual([])
    expect(beside.length).toBeGreaterThan(SECONDS)
    expect(Math.max(...memory)).toBeLessThan(MEMORY)
    if (!nightly) return
    // Once caches and heaps are full, it grows no more.
    const mean = (part: number): number => {
      const fifth = memory.slice(Math.floor((part * memory.length) / 5), Math.floor(((part + 1) * memory.length) / 5))
      return fifth.reduce((sum, bytes) => sum + bytes, 0) / fifth.length
    }
    expect(mean(4)).toBeLessThan(1.15 * mean(2))
  },
  (SECONDS + 240) * 1000,
)
