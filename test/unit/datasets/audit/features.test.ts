import { describe, expect, it } from 'vitest'
import { pooledClasses, rare } from '../../../../src/datasets/audit/answer-kinds.ts'
import { candidateRows } from '../../../../src/datasets/audit/candidates.ts'
import {
  detectableGain,
  detectableIn,
  judgeDeclared,
  matches,
  probePower,
} from '../../../../src/datasets/audit/decide.ts'
import { promptColumns } from '../../../../src/datasets/audit/facts.ts'
import { directFeatures, type Feature } from '../../../../src/datasets/audit/features.ts'
import type { AnswerKey, Subject } from '../../../../src/datasets/audit/subject.ts'
import { vocabularyOf } from '../../../../src/datasets/audit/subject.ts'
import type { Test } from '../../../../src/datasets/index.ts'
import necklace from '../../../toys/necklace.ts'

const yes: AnswerKey = { kind: 'class', labels: ['no', 'yes'], key: 1 }
const subject = (index: number, more: Partial<Subject>): Subject => ({
  index,
  group: index,
  cluster: `c${index}`,
  answerBlock: null,
  text: '',
  features: {},
  answer: yes,
  guesses: {},
  anonymized: null,
  twin: null,
  names: new Set(),
  ...more,
})
const columns = (features: readonly Feature[]) =>
  Object.fromEntries(features.map(({ probe, values }) => [probe, [...values]]))

const namesOf = (subjects: readonly Subject[]) => promptColumns(subjects).names

it('the order of names is read off statements and the question after them', () => {
  const told = (index: number, text: string, ...names: readonly string[]) =>
    subject(index, { text, names: new Set(names) })
  const found = columns(
    namesOf([
      told(0, 'Bob knows Ann. Ann knows Cy. Does Bob know Cy?', 'Ann', 'Bob', 'Cy'),
      told(1, 'Eve knows Dee. Dee knows Fay. Fay knows Dee. It rains. Could Fay know Dee?', 'Dee', 'Eve', 'Fay'),
      told(2, 'Is that so?', 'Gil'),
    ]),
  )
  expect(found).toEqual({
    'names/statements-in-order': [1 / 2, 1 / 3, -1],
    'query/in-order': [1, 0, -1],
    'query/first-alphabet': [1, 2, -1],
    'query/second-alphabet': [2, 0, -1],
    'query/first-listed': [0, 2, -1],
    'query/second-listed': [2, 1, -1],
    'query/listed-in-order': [1, -1, -1],
    'query/first-recency': [3, 1, -1],
    'query/second-recency': [0, 0, -1],
    'query/later-mentioned': [1, 1, -1],
    'query/first-mentions': [1, 2, -1],
    'query/second-mentions': [1, 3, -1],
    'query/mentions-difference': [0, 1, -1],
  })
})

it('prompts that seldom name two have no such features, and words of most prompts are no names', () => {
  const bare = (index: number) => subject(index, { text: 'Is that so?' })
  const naming = (index: number, a: string, b: string) =>
    subject(index, { text: `${a} knows ${b}. Does ${a} know ${b}?`, names: new Set([a, b]) })
  expect(namesOf([])).toEqual([])
  expect(namesOf([naming(0, 'A', 'B'), bare(1), bare(2)])).toEqual([])
  expect(namesOf([naming(0, 'A', 'B'), bare(1)])).toHaveLength(13)
  // Ann is in three of four: what is left names one.
  const ann = ['B', 'C', 'D'].map((b, i) => naming(i, 'Ann', b))
  expect(namesOf([...ann, bare(3)])).toEqual([])
})

it('candidates are rows of items, with their places, letters and mentions', () => {
  const found = candidateRows([
    subject(5, {
      text: 'Ann met Bo. Bo met Anna, and Ann left.',
      cluster: 'x',
      guesses: { last: 'Ann' },
      answer: { kind: 'candidates', candidates: ['Bo', 'Ann', 'Cy'], accepted: [false, true, false] },
    }),
    subject(6, { answer: { kind: 'candidates', candidates: ['Z'], accepted: [true] }, guesses: { last: 'Q' } }),
    subject(7, {
      answer: { kind: 'candidates', candidates: ['P', 'Q'], accepted: [true, true] },
      guesses: { last: 'Q' },
    }),
    subject(8, {}),
  ])
  expect([...found.accepted]).toEqual([0, 1, 0, 1, 1, 1])
  expect(found.clusters).toEqual(['x', 'x', 'x', 'c6', 'c7', 'c7'])
  expect([...found.blockOf]).toEqual([0, 0, 0, 1, 2, 2])
  expect(columns(found.features)).toEqual({
    'candidate/place': [0, 1, 2, 0, 0, 1],
    'candidate/alphabet': [1, 0, 2, 0, 0, 1],
    'candidate/characters': [2, 3, 2, 1, 1, 1],
    'candidate/mentions': [2, 2, 0, 0, 0, 0],
    'candidate/first-mention': [8, 0, -1, -1, -1, -1],
    'candidate/last-mention': [12, 29, -1, -1, -1, -1],
  })
  expect(columns(found.guesses)).toEqual({ last: [0, 1, 0, 0, 0, 1] })
  expect([found.items, found.informativeItems, found.several]).toEqual([3, 1, true])
  expect(found.spread).toBeCloseTo((1 / 3) * (2 / 3), 12)
  expect(candidateRows([subject(0, {})])).toMatchObject({ items: 0, informativeItems: 0, several: false, spread: 0 })
})

describe('what a text shows', () => {
  const texts = ['b a a. c b b b', '', 'a. b! c']
  const found = columns(
    directFeatures(
      necklace,
      texts.map((text, i) =>
        subject(2 * i + 1, {
          text,
          features: {
            length: i,
            even: i === 1,
            share: i === 2 ? null : i / 4,
            colour: ['red', null, 'blue'][i] ?? null,
            label: true,
          },
        }),
      ),
      vocabularyOf(texts),
    ),
  )

  it('is counted in words, statements, repetitions and pairs', () => {
    expect(found).toMatchObject({
      'text/characters': [14, 0, 7],
      'text/tokens': [7, 0, 3],
      'text/statements': [2, 0, 3],
      'text/statements-in-order': [1, 0, 1],
      'text/first-token': [1, 0, 0],
      'text/last-token': [1, 0, 2],
      'text/unique-token-share': [3 / 7, 0, 1],
      'text/longest-repetition': [3, 0, 1],
      'text/adjacent-repeats': [3 / 7, 0, 0],
      // ba aa ac cb bb
      'text/distinct-bigrams': [5, 0, 2],
      'sequence/position': [1, 3, 5],
      'sequence/parity': [1, 1, 1],
    })
    const squares = found['text/tokens-squared-deviation'] ?? []
    for (const [i, tokens] of [7, 0, 3].entries()) expect(squares[i]).toBeCloseTo((tokens - 10 / 3) ** 2, 12)
  })

  it('and in features of the task but those that hold the answer', () => {
    expect(Object.keys(found).filter((name) => name.startsWith('feature/'))).toEqual([
      'feature/length',
      'feature/even',
      'feature/share',
      'feature/colour',
    ])
    expect(found).toMatchObject({
      'feature/length': [0, 1, 2],
      'feature/even': [0, 1, 0],
      'feature/share': [0, 0.25, -1],
      'feature/colour': [1, -1, 0],
    })
  })

  it('and in words that are neither rare nor everywhere, the most frequent first', () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      [
        'all',
        i < 40 ? 'most' : '',
        i < 41 ? 'common' : '',
        i < 20 ? 'some' : '',
        i < 19 ? 'few' : '',
        i % 3 === 0 ? 'third third' : '',
      ]
        .filter((word) => word !== '')
        .join(' '),
    )
    const words = directFeatures(
      necklace,
      many.map((text, i) => subject(i, { text })),
      vocabularyOf(many),
    ).filter(({ probe }) => probe.startsWith('token/'))
    expect(words.map(({ probe }) => probe)).toEqual(['token/most', 'token/some', 'token/third'])
    expect([...(words[0]?.values ?? [])]).toEqual(many.map((_, i) => (i < 40 ? 1 : 0)))
    const varied = Array.from({ length: 400 }, (_, i) =>
      Array.from({ length: 70 }, (_, w) => ((i * (w + 3)) % 7 < 3 ? `w${w}` : '')).join(' '),
    )
    const shown = directFeatures(
      necklace,
      varied.map((text, i) => subject(i, { text })),
      vocabularyOf(varied),
    )
    expect(shown.filter(({ probe }) => probe.startsWith('token/'))).toHaveLength(60)
  })
})

it('words are numbered as they come, and counted once a text', () => {
  const found = vocabularyOf(["it's a, a b-c", '', `b-c ${'x '.repeat(5000)}y`])
  expect(found.words).toEqual(["it's", 'a', 'b-c', 'x'])
  expect([...found.support]).toEqual([1, 1, 2, 1])
  expect([...found.start]).toEqual([0, 4, 4, 4004])
  expect(found.ids.slice(0, 6)).toEqual(Int32Array.of(0, 1, 1, 2, 2, 3))
})

it('answers that fewer than twenty items have are one class, where there are several of them', () => {
  const labels = ['a', 'b', 'c', 'd', 'never']
  const items = (...counts: readonly number[]) =>
    counts.flatMap((count, key) =>
      Array.from({ length: count }, () => subject(0, { answer: { kind: 'class', labels, key } })),
    )
  const found = pooledClasses(labels, items(3, 20, 19, 25))
  expect(found.labels).toEqual(['b', 'd', rare])
  expect(found.pooled).toEqual(['a', 'c'])
  expect([0, 3, 23, 42].map((row) => found.keys[row])).toEqual([2, 0, 2, 1])
  expect(['b', 'd', 'a', 'never', 'other'].map(found.classOf)).toEqual([0, 1, 2, 2, -1])
  for (const counts of [
    [20, 20, 20, 3],
    [3, 4, 5, 6],
    [20, 30],
  ]) {
    const same = pooledClasses(labels, items(...counts))
    expect([same.labels, same.pooled, same.classOf('c'), same.classOf('x')]).toEqual([labels, [], 2, -1])
  }
})

describe('decisions', () => {
  const test = (more: Partial<Test>): Test => ({
    probe: 'text/tokens',
    kind: 'feature',
    mode: 'all',
    n: 100,
    z: 0,
    p: 0.5,
    method: 'normal',
    accuracy: 0.5,
    chance: 0.5,
    gain: 0,
    ci: [-0.1, 0.1],
    minimumDetectable: 0.1,
    pAdjusted: 1,
    status: 'pass',
    ...more,
  })

  it('know cues by name, with a star for what follows, whatever the family', () => {
    const cue = (probe: string) => ({ probe, why: '', gain: [0, 1] }) as const
    expect(matches(cue('token/a'), 'token/a@yes')).toBe(true)
    expect(matches(cue('token/a'), 'token/ab')).toBe(false)
    expect(matches(cue('token/*'), 'token/ab@yes')).toBe(true)
    expect(matches(cue('token/*'), 'text/ab')).toBe(false)
  })

  it('hold a declared cue to its gain', () => {
    const judged = (gain: readonly [number, number], found: Partial<Test>, groups = 20) =>
      judgeDeclared({ probe: 'x', why: 'as drawn', gain }, test(found), 0.01, groups).status
    const seen: Partial<Test> = { p: 0.001, ci: [0.2, 0.3] }
    expect(judged([0.25, 0.4], seen)).toBe('declared')
    expect([judged([0.3, 0.4], seen), judged([0.1, 0.2], seen)]).toEqual(['declared', 'declared'])
    expect([judged([0.31, 0.4], seen), judged([0.1, 0.19], seen)]).toEqual(['fail', 'fail'])
    // Few groups may lack what others have; too much stays too much.
    expect([judged([0.31, 0.4], seen, 19), judged([0.1, 0.19], seen, 19)]).toEqual(['declared', 'fail'])
    const nothing: Partial<Test> = { p: 0.01, ci: [-0.1, 0.1] }
    expect([judged([0.05, 0.4], nothing), judged([0, 0.4], nothing), judged([-0.3, 0], nothing)]).toEqual([
      'not-found',
      'declared',
      'declared',
    ])
  })

  it('say what they could have seen', () => {
    // Quantiles of the normal at 0.995, 0.99 and 0.8; the interval is of 99 %.
    const [z995, z99, z80] = [2.5758293, 2.3263479, 0.8416]
    const interval: Pick<Test, 'ci' | 'n'> = { ci: [-0.1, 0.3], n: 50 }
    expect(detectableIn({ kind: 'feature', ...interval }, 0.01)).toBeCloseTo(((z995 + z80) * 0.2) / z995, 5)
    for (const kind of ['learned', 'groups'] as const)
      expect(detectableIn({ kind, ...interval }, 0.01)).toBeCloseTo(((z99 + z80) * 0.2) / z995, 5)
    expect(detectableIn({ kind: 'feature', ci: [0, 0], n: 0 }, 0.01)).toBe(1)
    expect(detectableGain(0.01, 1, 400)).toBeCloseTo((z995 + z80) / 40, 5)
    expect(detectableGain(0.1, 10, 100)).toBeCloseTo((z995 + z80) / 20, 5)
    expect(detectableGain(0.01, 1, 1)).toBeCloseTo((z995 + z80) / 2, 5)
    expect([detectableGain(0.01, 0, 400), detectableGain(0.01, 5, 0)]).toEqual([detectableGain(0.01, 1, 400), 1])
  })

  it('say which of them were blind, and how many items would open their eyes', () => {
    const tests = [
      test({ minimumDetectable: 0.04 }),
      test({ minimumDetectable: 0.02 }),
      test({ minimumDetectable: 0.06, status: 'fail' }),
      test({ minimumDetectable: 0.9, kind: 'groups' }),
      test({ minimumDetectable: 1, n: 0 }),
      test({ minimumDetectable: 0.8, n: 1 }),
    ]
    expect(probePower(tests, 0.02, 100)).toEqual({ gain: 0.02, probes: 3, underpowered: 2, itemsNeeded: 900 })
    expect(probePower(tests, 0.06, 100)).toEqual({ gain: 0.06, probes: 3, underpowered: 0, itemsNeeded: null })
  })
})
