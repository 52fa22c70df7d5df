import { expect, it } from 'vitest'
import { soak } from '../../bench/soak.ts'
import { sample } from '../nightly.ts'

const SECONDS = sample({ nightly: 600, otherwise: 10 })
/** Resident bytes of a server that keeps what it is sent; without its bounds the attacks take several times as much. */
const MEMORY = 2.5 * 1024 ** 3

it(
  'honest clients beside attackers are all answered as alone, by a server whose memory is bounded',
  async () => {
    const { beside, wrong, memory } = await soak(SECONDS)
    expect(wrong).toEqual([])
    expect(beside.length).toBeGreaterThan(SECONDS)
    expect(Math.max(...memory)).toBeLessThan(MEMORY)
  },
  (SECONDS + 240) * 1000,
)
