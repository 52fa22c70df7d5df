import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sfc32, type Stream } from '../../../../src/core/index.ts'
import { type Permutable, permutable, permutationP } from '../../../../src/datasets/audit/permute.ts'
import { type Blocks, blocksOf, moments, type Scored, twoClass, zOf } from '../../../../src/datasets/audit/statistic.ts'
import { normalTwoSided } from '../../../../src/libraries/statistics/index.ts'

const shapeOf = (scored: Scored, blocks: Blocks): Permutable => permutable(scored, blocks) as Permutable

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
  permutationP(shapeOf(scored, blocksOf(labels)), stream(), oneSided, permutations)

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

  it('are of what a score has over its expectation, whatever rows are left out for being alike', () => {
    const rows = fc.array(
      fc.record({ block: fc.nat(2), key: fc.nat(2), scores: fc.array(fc.nat(1), { minLength: 3, maxLength: 3 }) }),
      { minLength: 1, maxLength: 24 },
    )
    fc.assert(
      fc.property(rows, fc.constantFrom(2, 3), (list, classes) => {
        const scored: Scored = {
          classes,
          scores: Float64Array.from(list.flatMap(({ scores }) => scores.slice(0, classes))),
          keys: Int32Array.from(list, ({ key }) => key % classes),
        }
        const labels = blocksOf(list.map(({ block }) => block))
        const { observed, expected, draws } = shapeOf(scored, labels)
        expect(observed - expected).toBeCloseTo(moments(scored, labels).excess, 10)
        expect(draws).toBeLessThanOrEqual(list.length)
      }),
    )
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
    const shape = shapeOf(scored, blocksOf(labels))
    expect(shape.smallestCell).toBeLessThan(5)
    expect(shape.draws).toBe(1)
    expect(normalTwoSided(zOf(moments(scored, blocksOf(labels))))).toBeLessThan(1e-100)
    expect(Math.abs(p(scored, labels, false) * n - 1)).toBeLessThan(0.5)
  })

  it('cost what is rare: only rows that differ are drawn', () => {
    const n = 10_000
    const x = Float64Array.from({ length: n }, (_, i) => (i % 500 === 0 ? 1 : 0))
    const key = Uint8Array.from({ length: n }, (_, i) => Math.floor(i / 10) % 2)
    const shape = shapeOf(twoClass(x, key), blocksOf(Array.from({ length: n }, (_, i) => i % 10)))
    expect(shape.draws).toBe(20)
  })

  it('cost what is rare: a common word is no reason to draw for every row that has it', () => {
    const n = 3000
    const x = Float64Array.from({ length: n }, (_, i) => i % 2)
    const key = Uint8Array.from({ length: n }, (_, i) => (i === 1 || i === 3 || i === 5 ? 1 : 0))
    const labels = new Array<number>(n).fill(0)
    const scored = twoClass(x, key)
    expect(shapeOf(scored, blocksOf(labels)).draws).toBe(3)
    // All three have the word, which half the rows have: 2 x 1/8.
    expect(Math.abs(p(scored, labels, false) - 0.25)).toBeLessThan(0.1)
  })

  it('go on where no permutation is as far out, so that a test among many can fail', () => {
    const n = 400
    const x = Float64Array.from({ length: n }, (_, i) => (i < 8 ? 1 : 0))
    const key = Uint8Array.from({ length: n }, (_, i) => (i < 8 ? 1 : 0))
    const labels = new Array<number>(n).fill(0)
    const shape = shapeOf(twoClass(x, key), blocksOf(labels))
    expect(permutationP(shape, stream(), false, 1000)).toBe(1 / 1001)
    expect(permutationP(shape, stream(), false, 1000, 50_000)).toBe(1 / 50_001)
    // With hits among the first, nothing more is drawn.
    const common = shapeOf(
      twoClass(
        x,
        Uint8Array.from(key, (_, i) => i % 2),
      ),
      blocksOf(labels),
    )
    expect(permutationP(common, stream(), false, 100, 50_000)).toBe(permutationP(common, stream(), false, 100))
  })

  it('are valid p values however far they go on: at most a share t of clean tests is below t', () => {
    const n = 60
    const draws = stream()
    const labels = new Array<number>(n).fill(0)
    const found = Array.from({ length: 2000 }, () => {
      const values = () => Float64Array.from({ length: n }, () => draws.u32() % 7)
      const key = Uint8Array.from({ length: n }, () => draws.u32() % 2)
      return permutationP(shapeOf(twoClass(values(), key), blocksOf(labels)), draws, false, 20, 200)
    })
    // Four standard errors above t.
    for (const t of [0.01, 0.02, 0.05, 0.2])
      expect(found.filter((value) => value <= t).length / 2000).toBeLessThan(t + 4 * Math.sqrt((t * (1 - t)) / 2000))
  })
})
