import { describe, expect, it } from 'vitest'
import { simulated } from '../../../../bench/audit/simulate.ts'
import { crossFit, dealFolds } from '../../../../src/datasets/audit/folds.ts'
import { naiveBayesLearners, nearestNeighbours } from '../../../../src/datasets/audit/learners.ts'
import { testLearner } from '../../../../src/datasets/audit/measure.ts'
import { blocksOf, moments, numbered, zOf } from '../../../../src/datasets/audit/statistic.ts'
import { vocabularyOf } from '../../../../src/datasets/audit/subject.ts'
import type { Learner } from '../../../../src/libraries/locality/columns.ts'
import { sample } from '../../../nightly.ts'

describe('folds', () => {
  it('keep clusters whole, are about equally large, and do not depend on the order of rows', () => {
    const clusters = Array.from({ length: 1000 }, (_, i) => `cluster ${i % 80}`)
    const folds = dealFolds(clusters)
    expect(folds).toHaveLength(8)
    const foldOf = new Map<string, number>()
    for (const [f, rows] of folds.entries()) {
      expect(rows.length).toBeGreaterThan(100)
      for (const row of rows) {
        const cluster = clusters[row] as string
        expect(foldOf.get(cluster) ?? f).toBe(f)
        foldOf.set(cluster, f)
      }
    }
    const backwards = dealFolds([...clusters].reverse())
    for (const [f, rows] of backwards.entries())
      for (const row of rows) expect(foldOf.get(clusters[999 - row] as string)).toBe(f)
    expect(dealFolds(['a', 'a', 'b'])).toHaveLength(2)
  })

  it('are scored by a model of the folds before them; the first only trains', () => {
    const folds = dealFolds(Array.from({ length: 160 }, (_, i) => i))
    const seen: Set<number>[] = []
    const scoredBy = new Map<number, number>()
    const spy: Learner = {
      probe: 'spy',
      fit(train) {
        seen.push(new Set(train))
        return (row, scores) => {
          scoredBy.set(row, seen.length - 1)
          scores.fill(0)
          scores[0] = row
        }
      },
    }
    const keys = Int32Array.from({ length: 160 }, (_, i) => i % 2)
    const { weighted } = crossFit(spy, keys, 2, folds, new Int32Array(160))
    expect(seen.map((train) => train.size)).toEqual([20, 40, 60, 80, 100, 120, 140])
    for (const [f, rows] of folds.entries())
      for (const row of rows) {
        expect(scoredBy.get(row)).toBe(f === 0 ? undefined : f - 1)
        for (const [model, train] of seen.entries()) expect(train.has(row)).toBe(model >= f)
      }
    expect(weighted.keys).toHaveLength(140)
  })

  it('weigh each fold by sqrt(n / V), so that scores of another scale change nothing', () => {
    const keys = Int32Array.from({ length: 400 }, (_, i) => (i * 7 + (i >> 3)) % 2)
    const blocks = new Int32Array(400)
    const folds = dealFolds(Array.from({ length: 400 }, (_, i) => i))
    const scaled = (factor: (train: number) => number): Learner => ({
      probe: 'scaled',
      fit: (train) => (row, scores) => {
        scores[0] = 0
        scores[1] = factor(train.length) * ((row * 13) % 17)
      },
    })
    const z = (learner: Learner) => testLearner(learner, keys, 2, folds, blocks, keys, 'across').test.z
    expect(z(scaled((train) => train))).toBeCloseTo(z(scaled(() => 1)), 9)
  })

  it('keep every row with its score, its guess and a block of its own fold', () => {
    const classes = 3
    const n = 1600
    const keys = Int32Array.from({ length: n }, (_, i) => (i * i + (i >> 3)) % classes)
    const blocks = Int32Array.from({ length: n }, (_, i) => i % 10)
    const folds = dealFolds(Array.from({ length: n }, (_, i) => i))
    const score = (row: number, k: number) => ((row * 7 + k * 11) % 13) - 6
    const learner: Learner = {
      probe: 'fixed',
      fit: () => (row, scores) => {
        for (let k = 0; k < classes; k++) scores[k] = score(row, k)
      },
    }
    const fitted = crossFit(learner, keys, classes, folds, blocks)
    const later = folds.slice(1)
    expect([...fitted.rows]).toEqual(later.flatMap((rows) => [...rows]))
    expect([...fitted.weighted.keys]).toEqual([...fitted.rows].map((row) => keys[row]))
    let at = 0
    for (const rows of later) {
      const scores = Float64Array.from([...rows].flatMap((row) => [0, 1, 2].map((k) => score(row, k))))
      const own = { classes, scores, keys: Int32Array.from(rows, (row) => keys[row] as number) }
      const { informative, variance } = moments(own, blocksOf(Array.from(rows, (row) => blocks[row] as number)))
      for (const [i, row] of rows.entries()) {
        const best = [0, 1, 2].reduce((most, k) => (score(row, k) > score(row, most) ? k : most), 0)
        for (let k = 0; k < classes; k++) {
          expect(fitted.guesses.scores[(at + i) * classes + k]).toBe(k === best ? 1 : 0)
          expect(fitted.weighted.scores[(at + i) * classes + k]).toBeCloseTo(
            score(row, k) * Math.sqrt(informative / variance),
            10,
          )
        }
      }
      at += rows.length
    }
    const { start, order, count } = fitted.blocks
    const foldOf = (row: number) => later.findIndex((rows) => rows.includes(row))
    const seen = new Set<string>()
    for (let b = 0; b < count; b++) {
      const inside = [...order.subarray(start[b], start[b + 1])].map((i) => fitted.rows[i] as number)
      const names = new Set(inside.map((row) => `${foldOf(row)} ${blocks[row]}`))
      expect(names.size).toBe(1)
      for (const name of names) seen.add(name)
    }
    expect(seen.size).toBe(count)
  })

  it('limit the rows scored by whole blocks', () => {
    const blocks = Int32Array.from({ length: 4000 }, (_, i) => Math.floor(i / 4))
    const keys = Int32Array.from({ length: 4000 }, (_, i) => i % 2)
    const learner: Learner = {
      probe: 'limited',
      limits: { train: 10, test: 100 },
      fit: () => (row, scores) => {
        scores[0] = row % 3
        scores[1] = 0
      },
    }
    const fitted = crossFit(learner, keys, 2, dealFolds(Array.from(blocks)), blocks)
    // Of 125 blocks of four in a fold every fifth.
    const kept = dealFolds(Array.from(blocks))
      .slice(1)
      .flatMap((rows) => {
        const own = [...new Set([...rows].map((row) => blocks[row] as number))].filter((_, i) => i % 5 === 0)
        return [...rows].filter((row) => own.includes(blocks[row] as number))
      })
    expect([...fitted.rows].sort((a, b) => a - b)).toEqual(kept.sort((a, b) => a - b))
    expect(kept).toHaveLength(7 * 100)
    const m = moments(fitted.weighted, fitted.blocks)
    expect(m.informative).toBe(fitted.weighted.keys.length)
  })
})

describe('learned probes on clean sets', () => {
  const sets = sample({ nightly: 60, otherwise: 24 })
  const n = 500

  /** z of one learner on clean simulated sets, by progressive folds and by ordinary cross-validation. */
  function nulls(pick: (vocabulary: ReturnType<typeof vocabularyOf>) => Learner) {
    const progressive: number[] = []
    const ordinary: number[] = []
    for (let seed = 0; seed < sets; seed++) {
      const { subjects } = simulated(n, seed)
      const learner = pick(vocabularyOf(subjects.map((subject) => subject.text)))
      const keys = Int32Array.from(subjects, ({ answer }) => (answer.kind === 'class' ? answer.key : 0))
      const blockOf = numbered(subjects.map((subject) => subject.group))
      const folds = dealFolds(subjects.map((subject) => subject.cluster))
      progressive.push(testLearner(learner, keys, 2, folds, blockOf, keys, 'across').test.z)
      const scores = new Float64Array(2 * n)
      for (const fold of folds) {
        const train = folds.filter((other) => other !== fold).flatMap((rows) => [...rows])
        const score = learner.fit(Int32Array.from(train), keys, 2)
        for (const row of fold) score(row, scores.subarray(2 * row, 2 * row + 2))
      }
      ordinary.push(zOf(moments({ classes: 2, scores, keys }, blocksOf(blockOf))))
    }
    return { progressive, ordinary }
  }
  const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length
  const rms = (list: readonly number[]) => Math.sqrt(mean(list.map((z) => z * z)))

  it('have a standard normal z with progressive folds; ordinary cross-validation does not', () => {
    const words = nulls((vocabulary) => naiveBayesLearners(vocabulary)[0] as Learner)
    for (const z of [words.progressive, nulls((vocabulary) => nearestNeighbours(vocabulary)).progressive]) {
      // Five standard errors of a mean, three of a root mean square.
      expect(Math.abs(mean(z))).toBeLessThan(5 / Math.sqrt(sets))
      expect(Math.abs(rms(z) - 1)).toBeLessThan(3 / Math.sqrt(2 * sets))
    }
    expect(rms(words.ordinary)).toBeGreaterThan(1.2)
    expect(rms(words.ordinary)).toBeGreaterThan(rms(words.progressive))
  })
})
