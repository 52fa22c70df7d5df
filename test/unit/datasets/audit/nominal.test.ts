import { describe, expect, it } from 'vitest'
import { Sfc32, shuffle } from '../../../../src/core/index.ts'
import { noncentralityAt, testFact } from '../../../../src/datasets/audit/nominal.ts'
import { blocksOf } from '../../../../src/datasets/audit/statistic.ts'

const stream = new Sfc32(1, 2, 3, 4)
const one = (n: number) => blocksOf(new Array<number>(n).fill(0))

/** Rows of a table: counts by level and answer. */
function rowsOf(table: readonly (readonly number[])[]) {
  const rows = table.flatMap((counts, level) =>
    counts.flatMap((n, key) => Array.from({ length: n }, () => [level, key])),
  )
  return {
    levels: Int32Array.from(rows, ([level]) => level as number),
    keys: Int32Array.from(rows, ([, key]) => key as number),
  }
}
const test = (table: readonly (readonly number[])[], classes: number) => {
  const { levels, keys } = rowsOf(table)
  return testFact({ probe: 'fact', levels }, keys, classes, one(keys.length))?.test
}

describe('a fact of a few levels', () => {
  it('in one block is Pearson’s chi-squared times (n - 1) / n', () => {
    // Chi-squared of this table: 2 degrees of freedom, sum of (O - E)^2 / E.
    const table = [
      [30, 20],
      [25, 45],
      [40, 40],
    ]
    const n = 200
    const columns = [95, 105]
    const pearson = table.reduce(
      (sum, row) =>
        sum +
        row.reduce((inner, count, k) => {
          const expected = ((row[0] as number) + (row[1] as number)) * ((columns[k] as number) / n)
          return inner + (count - expected) ** 2 / expected
        }, 0),
      0,
    )
    const found = test(table, 2)
    expect(found?.df).toBe(2)
    expect(found?.p).toBeCloseTo(Math.exp((-pearson * (n - 1)) / n / 2), 10)
  })

  it('sees what goes neither up nor down: the middle level alone', () => {
    const found = test(
      [
        [50, 50],
        [10, 90],
        [50, 50],
        [90, 10],
      ],
      2,
    )
    expect(found?.p).toBeLessThan(1e-20)
    expect(found?.ci[0]).toBeLessThan(found?.gain as number)
    expect(found?.ci[1]).toBeGreaterThan(found?.gain as number)
  })

  it('says nothing where one level is all, or each block has one answer', () => {
    expect(test([[40, 40]], 2)).toBeUndefined()
    const { levels, keys } = rowsOf([
      [40, 0],
      [0, 40],
    ])
    expect(testFact({ probe: 'fact', levels }, keys, 2, blocksOf(keys))).toBeNull()
  })

  it('pools rare levels, and keeps its error under permutation of answers inside blocks', () => {
    const n = 600
    const levels = Int32Array.from({ length: n }, (_, i) => (i % 40 === 0 ? 100 + i : (i * 7) % 5))
    const blocks = blocksOf(Array.from({ length: n }, (_, i) => Math.floor(i / 10)))
    let small = 0
    const runs = 400
    for (let run = 0; run < runs; run++) {
      const keys = Int32Array.from(
        shuffle(
          stream,
          Array.from({ length: n }, (_, i) => i % 3),
        ),
      )
      const found = testFact({ probe: 'fact', levels }, keys, 3, blocks)?.test
      expect(found?.df).toBe(8)
      if ((found?.p ?? 1) < 0.05) small++
    }
    // 20 expected, with a standard deviation of 4.4.
    expect(small).toBeGreaterThan(4)
    expect(small).toBeLessThan(38)
  })

  it('knows its power: noncentral chi-squared, from tables', () => {
    // Cohen 1988: alpha .05 and power .8 take 7.85 at one degree of freedom, 10.90 at three, 16.24 at ten.
    expect(noncentralityAt(3.8415, 1, 0.8)).toBeCloseTo(7.85, 0)
    expect(noncentralityAt(7.8147, 3, 0.8)).toBeCloseTo(10.9, 0)
    expect(noncentralityAt(18.307, 10, 0.8)).toBeCloseTo(16.24, 0)
  })
})
