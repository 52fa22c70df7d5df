import { describe, expect, it } from 'vitest'
import { Sfc32, type Stream } from '../../../../src/core/index.ts'
import { permutable, permutationP } from '../../../../src/datasets/audit/permute.ts'
import { blocksOf, moments, type Scored, twoClass, zOf } from '../../../../src/datasets/audit/statistic.ts'
import { normalTwoSided } from '../../../../src/stats/index.ts'

const stream = (): Stream => new Sfc32(1, 2, 3, 4)

/** The exact tail by going through all assignments of the keys inside each block. */
function exactP(scored: Scored, labels: readonly number[], oneSided: boolean): number {
  const blocks = blocksOf(labels)
  let totals = new Map([[0, 1]])
  let observed = 0
  for (let b = 0; b < blocks.count; b++) {
    const rows = [...blocks.order.subarray(blocks.start[b], blocks.start[b + 1])]
    const keys = rows.map((row) => scored.keys[row] as number)
    for (const [i, row] of rows.entries())
      observed += scored.scores[row * scored.classes + (keys[i] as number)] as number
    const own: number[] = []
    const assign = (at: number, left: readonly number[], total: number): void => {
      const row = rows[at]
      if (row === undefined) own.push(total)
      else
        for (const [i, key] of left.entries())
          assign(at + 1, left.toSpliced(i, 1), total + (scored.scores[row * scored.classes + key] as number))
    }
    assign(0, keys, 0)
    const next = new Map<number, number>()
    for (const [total, count] of totals)
      for (const more of own) next.set(total + more, (next.get(total + more) ?? 0) + count)
    totals = next
  }
  let all = 0
  let sum = 0
  for (const [total, count] of totals) {
    all += count
    sum += total * count
  }
  const mean = sum / all
  let tail = 0
  for (const [total, count] of totals)
    if (oneSided ? total >= observed - 1e-9 : Math.abs(total - mean) >= Math.abs(observed - mean) - 1e-9) tail += count
  return tail / all
}

const p = (scored: Scored, labels: readonly number[], oneSided: boolean, permutations = 40_000): number =>
  permutationP(permutable(scored, blocksOf(labels)), stream(), oneSided, permutations)

describe('permutation tails', () => {
  const labels = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
  const feature = twoClass(
    Float64Array.from([1, 2, 3, 4, 5, 9, 2, 2, 8, 2, 7]),
    Uint8Array.from([0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1]),
  )
  const three: Scored = {
    classes: 3,
    scores: Float64Array.from(Array.from({ length: 33 }, (_, i) => (i * i * 7) % 5)),
    keys: Int32Array.from([0, 1, 2, 2, 0, 1, 0, 0, 2, 1, 1]),
  }

  it.each([
    ['two classes, two-sided', feature, false],
    ['two classes, one-sided', feature, true],
    ['three classes, two-sided', three, false],
    ['three classes, one-sided', three, true],
  ] as const)('agree with all assignments inside blocks: %s', (_name, scored, oneSided) => {
    const exact = exactP(scored, labels, oneSided)
    // Counting stops at 200 hits: five standard errors are 35 %.
    expect(Math.abs(p(scored, labels, oneSided) / exact - 1)).toBeLessThan(0.35)
  })

  it('never are zero: p is at least 1 / (1 + permutations)', () => {
    const n = 40
    const perfect = twoClass(
      Float64Array.from({ length: n }, (_, i) => i % 2),
      Uint8Array.from({ length: n }, (_, i) => i % 2),
    )
    expect(p(perfect, new Array<number>(n).fill(0), false, 999)).toBe(1 / 1000)
  })

  it('are right where the normal tail is not: one rare word, one rare key', () => {
    const n = 1000
    const x = new Float64Array(n)
    const key = new Uint8Array(n)
    x[17] = 1
    key[17] = 1
    const scored = twoClass(x, key)
    const labels = new Array<number>(n).fill(0)
    const shape = permutable(scored, blocksOf(labels))
    expect(shape.smallestCell).toBeLessThan(5)
    expect(shape.rows).toBe(1)
    expect(normalTwoSided(zOf(moments(scored, blocksOf(labels))))).toBeLessThan(1e-100)
    expect(Math.abs(p(scored, labels, false) * n - 1)).toBeLessThan(0.5)
  })

  it('cost what is rare: only rows that differ are drawn', () => {
    const n = 10_000
    const x = Float64Array.from({ length: n }, (_, i) => (i % 500 === 0 ? 1 : 0))
    const key = Uint8Array.from({ length: n }, (_, i) => Math.floor(i / 10) % 2)
    const shape = permutable(twoClass(x, key), blocksOf(Array.from({ length: n }, (_, i) => i % 10)))
    expect(shape.rows).toBe(20)
  })
})
