import { describe, expect, it } from 'vitest'
import { below, namedStream } from '../../../../src/core/index.ts'
import { baselineProbes } from '../../../../src/datasets/audit/baseline-probes.ts'
import { dealFolds } from '../../../../src/datasets/audit/folds.ts'
import {
  EventList,
  naiveBayes,
  naiveBayesLearners,
  nearestCounts,
  nearestNeighbours,
} from '../../../../src/datasets/audit/learners.ts'
import { ridgeLogistic } from '../../../../src/datasets/audit/logistic.ts'
import type { Subject } from '../../../../src/datasets/audit/subject.ts'
import { vocabularyOf } from '../../../../src/datasets/audit/subject.ts'
import type { Learner } from '../../../../src/libraries/locality/columns.ts'

// Learners of the audit, each by its definition.

const stream = namedStream('test/audit/learned')
const scored = (learner: Learner, train: readonly number[], keys: readonly number[], classes: number) => {
  const score = learner.fit(Int32Array.from(train), Int32Array.from(keys), classes)
  return (row: number) => {
    const out = new Float64Array(classes)
    score(row, out)
    return [...out]
  }
}
const close = (found: readonly number[], wanted: readonly number[]) => {
  expect(found).toHaveLength(wanted.length)
  for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, 10)
}

it('naive Bayes adds up logarithms of shares, half a count more for each event', () => {
  const lists = [[0, 0, 1], [2], [1, 2, 2, 2], [0, 3, 3], []]
  const list = new EventList(lists.length)
  for (const [row, events] of lists.entries()) {
    list.begin(row)
    for (const event of events) list.push(event)
  }
  const score = scored(naiveBayes('nb', [list.events(4)]), [0, 1, 2], [0, 1, 1, 0, 0], 2)
  // Class 0 has 0 0 1, class 1 has 2 1 2 2 2; four events, so two counts more.
  const share = { of0: [2.5, 1.5, 0.5, 0.5].map((c) => c / 5), of1: [0.5, 1.5, 4.5, 0.5].map((c) => c / 7) }
  const sum = (shares: readonly number[], list: readonly number[]) =>
    list.reduce((total, event) => total + Math.log(shares[event] as number), 0)
  for (const row of [0, 3, 4])
    close(score(row), [sum(share.of0, lists[row] as number[]), sum(share.of1, lists[row] as number[])])
})

it('naive Bayes reads words, sets of words and pairs of neighbours', () => {
  const vocabulary = vocabularyOf(['a a a b', 'a b b b', 'b a', 'a b'])
  const [words, sets, pairs] = naiveBayesLearners(vocabulary) as [Learner, Learner, Learner]
  const of = (learner: Learner, row: number) => {
    const [zero = 0, one = 0] = scored(learner, [0, 1], [0, 1, 0, 0], 2)(row)
    return zero - one
  }
  expect([words, sets, pairs].map(({ probe }) => probe)).toEqual([
    'learned/naive-bayes-words',
    'learned/naive-bayes-word-sets',
    'learned/naive-bayes-bigrams',
  ])
  expect(of(words, 0)).toBeCloseTo(2 * Math.log(3.5 / 1.5), 10)
  expect(of(sets, 0)).toBeCloseTo(0, 12)
  // aa aa ab against ab bb bb.
  expect(of(pairs, 0)).toBeCloseTo(2 * Math.log(2.5 / 0.5), 10)
  expect(of(pairs, 2)).toBeCloseTo(0, 12)
  expect(of(pairs, 3)).toBeCloseTo(0, 12)
})

it('neighbours are the five training rows that share most words, ties to the first', () => {
  const texts = Array.from({ length: 30 }, () =>
    Array.from({ length: below(stream, 6) }, () => 'abcdefgh'[below(stream, 8)]).join(' '),
  )
  const train = Array.from({ length: 20 }, (_, i) => 29 - i)
  const keys = texts.map((_, i) => i % 3)
  const score = scored(nearestNeighbours(vocabularyOf(texts)), train, keys, 3)
  const sets = texts.map((text) => new Set(text.split(' ').filter((word) => word !== '')))
  const alike = (a: number, b: number) => {
    const [one, two] = [sets[a] as Set<string>, sets[b] as Set<string>]
    return [...one].filter((word) => two.has(word)).length / Math.max(1, new Set([...one, ...two]).size)
  }
  for (let row = 0; row < 10; row++) {
    const wanted = [0, 0, 0]
    for (const near of train.toSorted((a, b) => alike(row, b) - alike(row, a)).slice(0, 5))
      wanted[keys[near] as number] = (wanted[keys[near] as number] as number) + (1 + alike(row, near) / 100) / 5
    close(score(row), wanted)
  }
})

it('nearest counts are the fifteen training rows that differ least, each column by its deviation', () => {
  const columns = Array.from({ length: 3 }, (_, c) =>
    Uint8Array.from({ length: 60 }, () => (c === 2 ? 4 : below(stream, 3 + 3 * c))),
  )
  const train = Array.from({ length: 40 }, (_, i) => i)
  const keys = Array.from({ length: 60 }, (_, i) => i % 4)
  const score = scored(nearestCounts('near', { columns, bins: 9 }), train, keys, 4)
  const deviation = (column: Uint8Array) => {
    const values = train.map((row) => column[row] as number)
    const mean = values.reduce((a, b) => a + b, 0) / 40
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 40)
  }
  // The last column is the same everywhere and tells nothing.
  const scales = columns.slice(0, 2).map(deviation)
  const apart = (a: number, b: number) =>
    scales.reduce((sum, scale, c) => {
      const column = columns[c] as Uint8Array
      return sum + Math.abs((column[a] as number) - (column[b] as number)) / scale
    }, 0)
  for (let row = 40; row < 60; row++) {
    const order = train
      .map((other) => ({ other, far: apart(row, other) }))
      .sort((a, b) => a.far - b.far || a.other - b.other)
    // Where the fifteenth and the sixteenth are as far, rounding may choose.
    if ((order[15]?.far as number) - (order[14]?.far as number) < 1e-9) continue
    const wanted = [0, 0, 0, 0]
    for (const { other } of order.slice(0, 15)) wanted[other % 4] = (wanted[other % 4] as number) + 1 / 15
    close(score(row), wanted)
  }
})

describe('ridge logistic regression', () => {
  const n = 300
  const draw = () => below(stream, 1000) / 500 - 1
  const columns = Array.from({ length: 4 }, () => Float64Array.from({ length: n }, () => 3 + 2 * draw()))
  const [a, , c] = columns as [Float64Array, Float64Array, Float64Array, Float64Array]
  const features = columns.map((values, i) => ({ probe: `f${i}`, values }))
  // The first and the third matter, and their product; the third most.
  const keys = Array.from(a, (value, i) => {
    const [x, y] = [(value - 3) / 2, ((c[i] as number) - 3) / 2]
    return draw() < 0.4 * x + 0.7 * y + 0.3 * x * y ? 1 : 0
  })
  const train = Array.from({ length: 250 }, (_, i) => i)
  const z = (column: Float64Array) => {
    const own = train.map((row) => column[row] as number)
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length
    const sd = Math.sqrt(own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / own.length)
    return (row: number) => Math.max(-6, Math.min(6, ((column[row] as number) - mean) / sd))
  }

  it('has the weights at the top of the penalised likelihood, its columns and their products in deviations', () => {
    const [za, zc] = [z(a), z(c)]
    const line = (row: number) => [1, za(row), zc(row), za(row) * zc(row)]
    // Plain gradient steps, many and small.
    let weights = [0, 0, 0, 0]
    for (let step = 0; step < 4000; step++) {
      const slope = weights.map((weight) => -weight)
      for (const row of train) {
        const x = line(row)
        const share = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * (weights[i] as number), 0)))
        for (const [i, value] of x.entries()) slope[i] = (slope[i] as number) + ((keys[row] as number) - share) * value
      }
      weights = weights.map((weight, i) => weight + 0.005 * (slope[i] as number))
    }
    const score = scored(ridgeLogistic([features[0], features[2]].filter((one) => one !== undefined)), train, keys, 2)
    for (let row = 250; row < n; row++) {
      const [zero, one] = score(row)
      expect(zero).toBe(0)
      expect(one).toBeCloseTo(
        line(row).reduce((sum, value, i) => sum + value * (weights[i] as number), 0),
        2,
      )
    }
  })

  it('takes the columns that part the classes best, and multiplies the strongest of these', () => {
    const picked = (which: readonly number[]) => which.map((i) => features[i]).filter((one) => one !== undefined)
    const scores = (learner: Learner) => [250, 260, 299].map(scored(learner, train, keys, 2))
    const narrow = { probe: 'x', columns: 2, strongest: 2 }
    expect(scores(ridgeLogistic(features, narrow))).toEqual(scores(ridgeLogistic(picked([0, 2]), narrow)))
    expect(scores(ridgeLogistic(features, narrow))).not.toEqual(scores(ridgeLogistic(picked([1, 3]), narrow)))
    // Of one there are no products: what is left over of the column is its own.
    const single = { probe: 'x', columns: 1, strongest: 1 }
    expect(scores(ridgeLogistic(features, single))).toEqual(scores(ridgeLogistic(picked([2]), single)))
    const flat = { probe: 'flat', values: new Float64Array(n).fill(7) }
    expect(scores(ridgeLogistic([flat, ...picked([0, 2])], narrow))).toEqual(
      scores(ridgeLogistic(picked([0, 2]), narrow)),
    )
  })

  it('has one line a class where there are several', () => {
    const three = Array.from(c, (value) => (value < 2.4 ? 0 : value < 3.6 ? 1 : 2))
    const score = scored(ridgeLogistic(features), train, three, 3)
    const right = [...Array(50).keys()].filter((i) => {
      const scores = score(250 + i)
      return scores.indexOf(Math.max(...scores)) === three[250 + i]
    })
    expect(right.length).toBeGreaterThan(30)
    const [low, , high] = score(250 + three.slice(250).indexOf(2))
    expect(high).toBeGreaterThan(low as number)
  })
})

describe('answers anyone can give', () => {
  const subject = (index: number, cluster: string, gold: string | null, more: Partial<Subject> = {}): Subject => ({
    index,
    group: index,
    cluster,
    answerBlock: null,
    text: '',
    features: {},
    answer: { kind: 'free', gold, score: (answer) => (answer === gold ? 1 : answer === '' ? 0 : 0.25) },
    guesses: {},
    anonymized: null,
    twin: null,
    names: new Set(),
    ...more,
  })

  it('have a t over clusters of what they earn above a hundredth', () => {
    // The empty answer is right twice in a, once in b of two, never in c.
    const found = baselineProbes([
      subject(0, 'a', ''),
      subject(1, 'a', ''),
      subject(2, 'b', ''),
      subject(3, 'b', 'x'),
      subject(4, 'c', 'y'),
    ])[0]?.test
    const error = Math.sqrt(1.5 * ((2 - 1.2) ** 2 + (1 - 1.2) ** 2 + 0.6 ** 2)) / 5
    const t = (0.6 - 0.01) / error
    expect(found).toMatchObject({ probe: 'answerer/empty', n: 5, accuracy: 0.6, chance: 0.01, method: 't' })
    expect(found?.z).toBeCloseTo(t, 10)
    // Student's t of two degrees of freedom.
    expect(found?.p).toBeCloseTo(0.5 - t / (2 * Math.sqrt(2 + t * t)), 8)
    expect(found?.ci[0]).toBeCloseTo(0.59 - 2.5758 * error, 10)
    expect(found?.ci[1]).toBeCloseTo(0.59 + 2.5758 * error, 10)
  })

  it('are certain where all earn the same', () => {
    const p = (...golds: readonly string[]) =>
      baselineProbes(golds.map((gold, i) => subject(i, `${i}`, gold)))[0]?.test.p
    expect([p('', '', ''), p('x', 'y', 'z'), p('')]).toEqual([0, 1, 0])
    expect(baselineProbes([subject(0, 'a', ''), subject(1, 'a', 'x')])[0]?.test).toMatchObject({
      p: 0,
      ci: [0.49, 0.49],
    })
    expect(baselineProbes([]).map(({ test }) => [test.probe, test.n, test.p])).toEqual([
      ['answerer/empty', 0, 1],
      ['answerer/most-frequent', 0, 1],
      ['answerer/best-constant', 0, 1],
    ])
  })

  it('are learned from folds before: the commonest gold, and the one that earned most', () => {
    const golds = Array.from({ length: 80 }, (_, i) => (i % 3 === 0 ? 'usual' : `once ${i}`))
    // A constant that is nobody's gold but one's, and worth half everywhere.
    const half = (answer: string, gold: string) => (answer === gold ? 1 : answer === 'once 1' ? 0.75 : 0)
    const subjects = golds.map((gold, i) =>
      subject(i, `${i}`, gold, {
        answer: { kind: 'free', gold, score: (answer) => half(answer, gold) },
        guesses: { guess: i % 2 === 0 ? gold : '' },
      }),
    )
    const found = new Map(baselineProbes(subjects).map(({ test }) => [test.probe, test]))
    const folds = dealFolds(subjects.map(({ cluster }) => cluster))
    let [often, best, n] = [0, 0, 0]
    const before: string[] = []
    for (const [f, rows] of folds.entries()) {
      const counts = [...new Set(before)].map((gold) => [gold, before.filter((one) => one === gold).length] as const)
      const ranked = counts.toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([gold]) => gold)
      const worth = (answer: string) => before.reduce((sum, gold) => sum + half(answer, gold), 0)
      const winner = ranked.slice(0, 12).reduce((most, one) => (worth(one) > worth(most) ? one : most), ranked[0] ?? '')
      for (const row of f === 0 ? [] : rows) {
        n++
        often += half(ranked[0] ?? '', golds[row] as string)
        best += half(winner, golds[row] as string)
      }
      for (const row of rows) before.push(golds[row] as string)
    }
    expect(found.get('answerer/most-frequent')).toMatchObject({ n, accuracy: expect.closeTo(often / n, 12) })
    expect(found.get('answerer/best-constant')).toMatchObject({ n, accuracy: expect.closeTo(best / n, 12) })
    expect(best).toBeGreaterThan(often)
    expect(found.get('guess')?.accuracy).toBe(0.5)
  })
})
