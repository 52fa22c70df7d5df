import { expect, it } from 'vitest'
import { BILLED, dieAtEachStep, PLACES } from '../mock/batch-deaths.ts'
import type { Step } from '../mock/batches.ts'
import { scratch } from '../mock/context.ts'
import { nightly } from '../nightly.ts'

// The full size is a bench: npm run bench -- batches.
const [LINES, EACH] = [40, 15]
/** Where batches of the providers differ most: what was asked for is found again, or not; results come in the middle of a line. */
const TELLING: readonly Step[] = ['create', 'results-half']

it.each(['openai', 'anthropic', 'google'] as const)(
  'a process killed at each step of a batch of %s loses nothing and pays nothing twice',
  async (protocol) => {
    const { folder, remove } = await scratch()
    const places = nightly || protocol === 'openai' ? PLACES[protocol] : TELLING
    try {
      const found = await dieAtEachStep({ protocol, places, lines: LINES, each: EACH, folder })
      expect(found.missed).toEqual([])
      expect(found.deaths).toBe(places.length)
      // One that is sent again is billed, also where nobody looks at it any more.
      expect(found.batches).toBe(Math.ceil(LINES / EACH))
      expect(found.counts).toEqual({ waiting: 0, leased: 0, batched: 0, done: LINES, failed: 0 })
      expect([found.computed, found.mostOfOne, found.responses]).toEqual([LINES, 1, LINES])
      expect(found.usd).toBeCloseTo(LINES * BILLED, 8)
      expect(found.booked).toBeCloseTo(LINES * BILLED, 8)
      expect(found.chain).toMatchObject({ kind: 'whole', links: LINES })
    } finally {
      await remove()
    }
  },
)
