import { expect, it } from 'vitest'
import { BILLED, dieAtEachStep, PLACES } from '../mock/batch-deaths.ts'
import { scratch } from '../mock/context.ts'

// The full size is a bench: npm run bench -- batches.
const LINES = 40

it.each(['openai', 'anthropic', 'google'] as const)(
  'a process killed at each step of a batch of %s loses nothing and pays nothing twice',
  async (protocol) => {
    const { folder, remove } = await scratch()
    try {
      const found = await dieAtEachStep({ protocol, lines: LINES, each: 15, folder })
      expect(found.missed).toEqual([])
      expect(found.deaths).toBe(PLACES[protocol].length)
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
