import { describe, expect, it } from 'vitest'
import { simulated } from '../../../../bench/audit/simulate.ts'
import { crossFit, dealFolds } from '../../../../src/datasets/audit/folds.ts'
import { crossParsing } from '../../../../src/datasets/audit/learned/cross-parsing.ts'
import { naiveBayesLearners } from '../../../../src/datasets/audit/learned/naive-bayes.ts'
import { nearestNeighbours } from '../../../../src/datasets/audit/learned/neighbours.ts'
import { learned } from '../../../../src/datasets/audit/measure.ts'
import { blocksOf, moments, numbered, zOf } from '../../../../src/datasets/audit/statistic.ts'
import { vocabularyOf } from '../../../../src/datasets/audit/vocabulary.ts'
import type { Learner } from '../../../../src/locality/learner.ts'

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
    const z = (learner: Learner) => learned(learner, keys, 2, folds, blocks, keys, 'across').test.z
    expect(z(scaled((train) => train))).toBeCloseTo(z(scaled(() => 1)), 9)
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
    expect(fitted.weighted.keys.length).toBeLessThanOrEqual(7 * 100)
    const m = moments(fitted.weighted, fitted.blocks)
    expect(m.live).toBe(fitted.weighted.keys.length)
  })
})

describe('learned probes on clean sets', () => {
  const sets = 60
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
      progressive.push(learned(learner, keys, 2, folds, blockOf, keys, 'across').test.z)
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
    const others = [
      nulls((vocabulary) => nearestNeighbours(vocabulary)).progressive,
      nulls((vocabulary) => crossParsing(vocabulary)).progressive,
    ]
    for (const z of [words.progressive, ...others]) {
      // 60 sets: five standard errors of a mean are 0.65, of a root mean square 0.46.
      expect(Math.abs(mean(z))).toBeLessThan(0.65)
      expect(Math.abs(rms(z) - 1)).toBeLessThan(0.3)
    }
    expect(rms(words.ordinary)).toBeGreaterThan(1.2)
    expect(rms(words.ordinary)).toBeGreaterThan(rms(words.progressive))
  })
})
