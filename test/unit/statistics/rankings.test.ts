import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analysisStream, rankAgreement, rankings, rhoOf } from '../../../src/libraries/statistics/index.ts'

const stream = () => analysisStream(1, 'test')
const ranks = (list: readonly number[]) => rankings(list.map((score) => ({ score, breaker: null })))

describe('rankings', () => {
  it('part equal scores by the tie-breaker, and share a rank where that is equal too', () => {
    const standing = (score: number, breaker: number | null) => ({ score, breaker })
    expect([...rankings([standing(0, 9), standing(0, 1), standing(5, 0), standing(0, 1)])]).toEqual([3, 1.5, 4, 1.5])
    expect([...rankings([standing(0, 9), standing(0, null), standing(5, 0)])]).toEqual([1.5, 1.5, 3])
  })

  it('never let a tie-breaker turn a score round', () => {
    const one = fc.record({ score: fc.integer({ min: 0, max: 4 }), breaker: fc.integer({ min: -9, max: 9 }) })
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 30 }), (list) => {
        const found = rankings(list)
        for (const [i, a] of list.entries())
          for (const [j, b] of list.entries()) {
            const order = a.score - b.score || a.breaker - b.breaker
            expect(Math.sign((found[i] as number) - (found[j] as number))).toBe(Math.sign(order))
          }
      }),
    )
  })
})

describe('agreement of ranks', () => {
  it('is that of scipy 1.17: spearmanr and kendalltau', () => {
    const x = ranks([1, 2, 3, 4, 5, 6, 7, 8.5, 8.5, 10, 11])
    const y = ranks([2, 1, 4, 3, 7, 5.5, 5.5, 8, 10, 9, 11])
    const found = rankAgreement(x, y, stream())
    expect(found?.rho).toBeCloseTo(0.9360730593607306, 12)
    expect(found?.tau).toBeCloseTo(0.7962962962962963, 12)
    expect(found).toMatchObject({ method: 'sampled', n: 11 })
    expect(found?.p).toBeLessThan(0.001)
  })

  it('counts all orders of few: two of 120 agree as well as five in order', () => {
    const five = ranks([1, 2, 3, 4, 5])
    expect(rankAgreement(five, five, stream())).toEqual({ rho: 1, tau: 1, p: 2 / 120, method: 'exact', n: 5 })
  })

  it('says nothing of two, or of equals', () => {
    expect(rankAgreement(ranks([1, 2]), ranks([1, 2]), stream())).toBeNull()
    expect(rankAgreement(ranks([1, 1, 1]), ranks([1, 2, 3]), stream())).toBeNull()
    expect(rhoOf(ranks([1, 1, 1]), ranks([1, 2, 3]))).toBeNull()
  })
})
