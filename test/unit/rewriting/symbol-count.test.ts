import fc from 'fast-check'
import { expect, it } from 'vitest'
import { symbolCount } from '../../../src/libraries/rewriting/cascade.ts'

it('counts code points, half pairs as one each, at the edges of the ranges of halves too', () => {
  const unit = fc.constantFrom(0x61, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000)
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 6 }), (units) => {
      const text = String.fromCharCode(...units)
      expect(symbolCount(text)).toBe([...text].length)
    }),
    { numRuns: 2000, seed: 1 },
  )
})
