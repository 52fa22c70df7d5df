import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holm } from '../../../src/libraries/statistics/index.ts'
import { conditionsByName, filterOf, keeps } from '../../../src/view/api/index.ts'
import { binBetween, binOf, binsOf, conditionsOfBin } from '../../../src/view/client/parts/features.ts'
import { holmOf } from '../../../src/view/client/parts/viewed-subsets.ts'

const levels = fc.oneof(
  fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 20 }),
  fc.uniqueArray(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 2, maxLength: 20 }),
  fc.uniqueArray(fc.string({ maxLength: 12 }), { minLength: 2, maxLength: 20, selector: (text) => text.trim() }),
  fc.constant([true, false]),
)

test('a bin comes back from its conditions, and these leave its levels and no others', () => {
  fc.assert(
    fc.property(levels, fc.nat(), fc.nat(), (values, a, b) => {
      const along = binsOf('size', values)
      const count = along.levels.length
      const bin = binBetween(a % count, b % count)
      const conditions = conditionsOfBin(along, bin)
      expect(binOf(along, conditions)).toEqual(conditions.length === 0 ? null : bin)
      if (conditions.length === 0) expect(bin).toEqual({ from: 0, to: count - 1 })
      const own = conditionsByName(conditions).get('size') ?? []
      along.levels.forEach((level, at) => {
        expect(keeps(level, own)).toBe(at >= bin.from && at <= bin.to)
      })
      expect(filterOf(conditions.map((one) => ['feature', one] as const)).success).toBe(true)
    }),
  )
})

test('of several values any will do, bounds must all hold, and what is missing keeps none', () => {
  const on = (...texts: string[]) => conditionsByName(texts).get('x') ?? []
  expect(keeps(3, on('x=3', 'x=5'))).toBe(true)
  expect(keeps(4, on('x=3', 'x=5'))).toBe(false)
  expect(keeps(4, on('x>=3', 'x<=5'))).toBe(true)
  expect(keeps(6, on('x>=3', 'x<=5'))).toBe(false)
  expect(keeps(true, on('x=true'))).toBe(true)
  expect(keeps('', on('x='))).toBe(true)
  expect(keeps(0, on('x='))).toBe(false)
  expect(keeps(null, on('x=null'))).toBe(false)
  expect(keeps('7', on('x>=3'))).toBe(false)
})

test('a look is corrected for the others at the same model, those without a p included', () => {
  const views = [
    { subset: 'a', p: { m: 0.01, other: 0.5 } },
    { subset: 'b', p: { m: 0.04 } },
    { subset: 'c', p: {} },
  ]
  expect(holmOf(views, 'a', 'm', 0.01)).toBe(holm([0.01, 0.04, 1])[0])
  expect(holmOf(views, 'b', 'm', 0.04)).toBe(holm([0.04, 0.01, 1])[0])
  expect(holmOf([], 'a', 'm', 0.02)).toBe(0.02)
})
