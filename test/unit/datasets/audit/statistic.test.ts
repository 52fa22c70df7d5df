import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blocksOf, moments, type Scored, twoClass, zOf } from '../../../../src/datasets/audit/statistic.ts'

/** Every order of a short list. */
function* orders<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length < 2) yield list
  for (const [i, head] of list.entries())
    if (list.length > 1) for (const tail of orders(list.toSpliced(i, 1))) yield [head, ...tail]
}

const scoreOf = ({ classes, scores }: Scored, keys: readonly number[], rows: readonly number[]): number =>
  rows.reduce((sum, row, i) => sum + (scores[row * classes + (keys[i] as number)] as number), 0)

/** Mean and variance of T over all permutations of the keys inside one block. */
function bruteForce(scored: Scored, rows: readonly number[]): { readonly mean: number; readonly variance: number } {
  const keys = rows.map((row) => scored.keys[row] as number)
  const totals = [...orders(keys)].map((order) => scoreOf(scored, order, rows))
  const mean = totals.reduce((a, b) => a + b, 0) / totals.length
  return { mean, variance: totals.reduce((sum, total) => sum + (total - mean) ** 2, 0) / totals.length }
}

describe('the statistic', () => {
  it('has the vector of the specification: T = 7, E = 5, V = 5/3, Z = 1.549', () => {
    const scored = twoClass(Float64Array.from([1, 2, 3, 4]), Uint8Array.from([0, 0, 1, 1]))
    const m = moments(scored, blocksOf(['a', 'a', 'a', 'a']))
    expect(m.excess).toBeCloseTo(7 - 5, 12)
    expect(m.variance).toBeCloseTo(5 / 3, 12)
    expect(zOf(m)).toBeCloseTo(1.549, 3)
    expect(m.informative).toBe(4)
  })

  it('has the mean and variance of all permutations inside blocks', () => {
    const cases = fc.integer({ min: 2, max: 4 }).chain((classes) =>
      fc
        .array(
          fc.record({
            block: fc.integer({ min: 0, max: 1 }),
            key: fc.integer({ min: 0, max: classes - 1 }),
            scores: fc.array(fc.integer({ min: -4, max: 4 }), { minLength: classes, maxLength: classes }),
          }),
          { minLength: 2, maxLength: 8 },
        )
        .map((rows) => ({ classes, rows })),
    )
    fc.assert(
      fc.property(cases, ({ classes, rows }) => {
        fc.pre([0, 1].every((block) => rows.filter((row) => row.block === block).length <= 6))
        const scored: Scored = {
          classes,
          scores: Float64Array.from(rows.flatMap((row) => row.scores)),
          keys: Int32Array.from(rows, (row) => row.key),
        }
        let excess = 0
        let variance = 0
        for (const block of [0, 1]) {
          const own = rows.flatMap((row, i) => (row.block === block ? [i] : []))
          if (own.length === 0) continue
          const exact = bruteForce(scored, own)
          if (exact.variance < 1e-12) continue
          variance += exact.variance
          excess +=
            scoreOf(
              scored,
              own.map((row) => scored.keys[row] as number),
              own,
            ) - exact.mean
        }
        const m = moments(scored, blocksOf(rows.map((row) => row.block)))
        expect(m.excess).toBeCloseTo(excess, 9)
        expect(m.variance).toBeCloseTo(variance, 9)
      }),
      { numRuns: 60 },
    )
  })

  it('is silent where a block has one key, one score or one row', () => {
    const z = (x: number[], key: number[], block: number[]) =>
      moments(twoClass(Float64Array.from(x), Uint8Array.from(key)), blocksOf(block))
    expect(z([1, 2, 3], [1, 1, 1], [0, 0, 0])).toEqual({ excess: 0, variance: 0, informative: 0 })
    expect(z([2, 2, 2], [1, 0, 1], [0, 0, 0]).informative).toBe(0)
    expect(z([0.1 + 0.2, 0.3], [1, 0], [0, 0]).informative).toBe(0)
    expect(z([1, 2, 9], [1, 0, 1], [0, 0, 1]).informative).toBe(2)
  })

  it('does not see label rates between blocks', () => {
    // In block 0 the key is nearly always 1 and x is high; in block 1 the other way round. Inside there is nothing.
    const x = Float64Array.from([9, 9, 9, 9, 1, 1, 1, 1])
    const key = Uint8Array.from([1, 1, 1, 0, 0, 0, 0, 1])
    expect(moments(twoClass(x, key), blocksOf([0, 0, 0, 0, 1, 1, 1, 1])).variance).toBe(0)
    expect(zOf(moments(twoClass(x, key), blocksOf([0, 0, 0, 0, 0, 0, 0, 0])))).toBeGreaterThan(1)
  })
})
