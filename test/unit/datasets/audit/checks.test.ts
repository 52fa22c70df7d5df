import { describe, expect, it } from 'vitest'
import { answerKeys, byAnswerKind, type Choices } from '../../../../src/datasets/audit/answer-kinds.ts'
import {
  constantGroups,
  duplicateCheck,
  goldInPrompt,
  labelBalance,
  MAX_PROVED_ITEMS,
  ProofChecks,
} from '../../../../src/datasets/audit/checks.ts'
import { testFeature, testHeuristic } from '../../../../src/datasets/audit/measure.ts'
import type { AuditItem, Prepared } from '../../../../src/datasets/audit/prepare.ts'
import { blocksOf, moments, twoClass } from '../../../../src/datasets/audit/statistic.ts'
import type { AnswerKey, Subject } from '../../../../src/datasets/audit/subject.ts'
import { normalTwoSided } from '../../../../src/libraries/statistics/index.ts'
import necklace from '../../../toys/necklace.ts'

const labels = ['no', 'yes', 'maybe']
const subject = (more: Partial<Subject> & { readonly key?: number }): Subject => ({
  index: 0,
  group: 0,
  cluster: 'c',
  answerBlock: null,
  text: '',
  features: {},
  answer: { kind: 'class', labels, key: more.key ?? 0 },
  guesses: {},
  anonymized: null,
  twin: null,
  names: new Set(),
  ...more,
})
const cue = (probe: string, most: number) => ({ probe, why: 'as drawn', gain: [0, most] }) as const
const told = ({ name, status, checked, failed, message }: ReturnType<typeof labelBalance>) =>
  `${name} ${status} ${failed}/${checked}: ${message}`

describe('checks that count', () => {
  it('repeated items, and a declared share of them', () => {
    const of = (canonicalKeys: number, duplicates: number, most?: number) =>
      told(
        duplicateCheck({ canonicalKeys, duplicates } as Prepared, [
          cue('other', 1),
          ...(most === undefined ? [] : [cue('duplicates', most)]),
        ]),
      )
    expect(of(0, 0)).toBe('duplicates pass 0/0: the task has no canonical form')
    expect(of(10, 0)).toBe('duplicates pass 0/10: 0 items repeat another up to renaming')
    expect(of(10, 2)).toBe('duplicates fail 2/10: 2 items repeat another up to renaming')
    expect(of(10, 2, 0.2)).toBe(
      'duplicates pass 0/10: 2 items repeat another up to renaming: declared up to a fraction of 0.2, as drawn',
    )
    expect(of(10, 3, 0.2)).toBe(
      'duplicates fail 3/10: 3 items repeat another up to renaming, more than the declared fraction of 0.2',
    )
  })

  it('labels inside units and groups; a set that ends in a visit leaves one uneven by one', () => {
    const of = (...items: readonly (readonly [group: number, answerBlock: string | null, key: number])[]) =>
      told(
        labelBalance(
          items.map(([group, answerBlock, key], i) =>
            subject({ index: i + 100, group, answerBlock, answer: { kind: 'class', labels: ['a', 'b'], key } }),
          ),
          ['a', 'b'],
        ),
      )
    expect(of([0, null, 0])).toBe('labels pass 0/0: labels are not balanced in this config')
    expect(of([0, 'u', 0], [0, 'u', 1], [1, 'u', 1])).toBe(
      'labels pass 0/2: 0 of 2 answer blocks hold unequal numbers of labels',
    )
    expect(of([0, 'u', 0], [1, 'u', 1])).toBe('labels fail 1/2: 1 of 2 answer blocks hold unequal numbers of labels')
    expect(of([0, 'u', 0], [0, 'u', 0], [0, 'v', 1], [0, 'v', 0])).toBe(
      'labels fail 1/2: 1 of 2 answer blocks hold unequal numbers of labels',
    )
  })

  it('labels inside units alone, where every item is a group of its own', () => {
    const items = [0, 1, 0, 1].map((key, index) => subject({ index, group: index, answerBlock: 'u', key }))
    expect(labelBalance(items, ['a', 'b'])).toMatchObject({ status: 'pass', checked: 1 })
  })

  it('groups of eight or more with one answer', () => {
    const group = (number: number, size: number, other: boolean) =>
      Array.from({ length: size }, (_, i) => subject({ group: number, key: other && i === 0 ? 1 : 0 }))
    expect(told(constantGroups([...group(0, 8, false), ...group(1, 9, true), ...group(2, 7, false)]))).toBe(
      'constant-groups fail 1/2: 1 of 2 groups of 8 or more items have a constant answer',
    )
    expect(constantGroups(group(0, 8, true))).toMatchObject({ status: 'pass', checked: 1, failed: 0 })
  })

  it('answers that stand in their prompts, from eight characters on', () => {
    const free = (gold: string | null, text: string) =>
      subject({ text, answer: { kind: 'free', gold, score: () => 0 } })
    const items = [
      free('12345678', 'so 12345678.'),
      free('12345678', 'so 1234567.'),
      free('1234567', '1234567'),
      free(null, ''),
      subject({}),
    ]
    expect(told(goldInPrompt([], []))).toMatch(/pass 0\/0: no gold response is free-form and long enough/u)
    expect(told(goldInPrompt(items, []))).toBe('gold-in-prompt fail 1/2: 1 prompts contain their gold response')
    expect(told(goldInPrompt(items, [cue('gold-in-prompt', 1)]))).toBe(
      'gold-in-prompt pass 0/2: 1 prompts contain their gold response: declared, as drawn',
    )
  })

  it('answers and witnesses that do not hold, the first by its index', () => {
    const item = (index: number): AuditItem => ({
      index,
      group: 0,
      stratum: null,
      shared: { beads: 'ab' },
      given: { string: 'aa' },
      // True for even indices only.
      answer: index % 2 === 0,
      features: {},
      request: { kind: 'chat', messages: [] },
    })
    const asked = (count: number, ...indices: readonly number[]) => {
      const proofs = new ProofChecks(necklace, count)
      for (const [ordinal, index] of indices.entries()) proofs.add(item(index), ordinal, undefined)
      return proofs.checks().map(({ name, status, checked }) => `${name} ${status} ${checked}`)
    }
    expect(asked(2, 0, 2)[0]).toBe('oracle pass 2')
    expect(asked(2, 0, 3)[0]).toBe('oracle fail 2')
    // Of twice as many as the limit every other one is asked.
    expect(asked(MAX_PROVED_ITEMS, 0, 1, 2)[0]).toBe('oracle fail 3')
    expect(asked(2 * MAX_PROVED_ITEMS, 0, 1, 2)[0]).toBe('oracle pass 2')
    const proofs = new ProofChecks(necklace, 3)
    for (const index of [4, 7, 9]) proofs.add(item(index), 0, undefined)
    expect(proofs.checks()[0]?.message).toBe('the oracle rejects 2 of 3 stored answers, first at index 7')
  })
})

describe('kinds of answers', () => {
  const yesNo = (right: number, ...more: readonly string[]): Choices => {
    const choices = ['yes', 'no', ...more]
    return { choices, accepted: choices.map((_, i) => i === right) }
  }
  const free =
    (golds: readonly (string | null)[]) =>
    (i: number): Extract<AnswerKey, { readonly kind: 'free' }> => ({
      kind: 'free',
      gold: golds[i] ?? null,
      score: () => 0,
    })
  const none = free([])

  it('are classes where few lists of choices have one right answer each', () => {
    expect(answerKeys([yesNo(0), yesNo(1)], none)).toEqual([
      { kind: 'class', labels: ['yes', 'no'], key: 0 },
      { kind: 'class', labels: ['yes', 'no'], key: 1 },
    ])
    const lists = (count: number) => Array.from({ length: count }, (_, i) => yesNo(0, `x${i}`))
    expect(answerKeys(lists(4), none).map(({ kind }) => kind)).toEqual(new Array(4).fill('class'))
    expect(answerKeys(lists(5), none).map(({ kind }) => kind)).toEqual(new Array(5).fill('candidates'))
    const several = { choices: ['a', 'b'], accepted: [true, true] }
    expect(answerKeys([several], none)).toEqual([
      { kind: 'candidates', candidates: ['a', 'b'], accepted: [true, true] },
    ])
  })

  it('open ones are classes where twenty or fewer, each of twenty items or more, are nine tenths of all', () => {
    const kinds = (...golds: readonly (string | null)[]) =>
      new Set(
        answerKeys(
          golds.map(() => null),
          free(golds),
        ).map((key) => (key.kind === 'class' ? key.labels.join() : key.kind)),
      )
    const times = (gold: string | null, count: number) => new Array<string | null>(count).fill(gold)
    expect(kinds(...times('b', 20), ...times('a', 20))).toEqual(new Set(['a,b']))
    expect(kinds(...times('b', 19), ...times('a', 20))).toEqual(new Set(['free']))
    expect(kinds(...times('a', 60))).toEqual(new Set(['free']))
    // 40 of 44 are more than nine tenths, of 45 they are not.
    expect(kinds(...times('b', 20), ...times('a', 20), 'c', 'd', null, null)).toEqual(new Set(['a,b,(rare)']))
    expect(kinds(...times('b', 20), ...times('a', 20), ...times(null, 5))).toEqual(new Set(['free']))
    const many = (count: number) => Array.from({ length: count }, (_, i) => times(`g${i}`, 20)).flat()
    expect(kinds(...many(20))).not.toContain('free')
    expect(kinds(...many(21))).toEqual(new Set(['free']))
    const keys = answerKeys(
      new Array(44).fill(null),
      free([...times('b', 20), ...times('a', 20), 'c', 'd', null, null]),
    )
    expect([0, 20, 40, 43].map((i) => keys[i])).toMatchObject([{ key: 1 }, { key: 0 }, { key: 2 }, { key: 2 }])
  })

  it('part the items into families', () => {
    const other: AnswerKey = { kind: 'class', labels: ['x'], key: 0 }
    const candidates: AnswerKey = { kind: 'candidates', candidates: ['a'], accepted: [true] }
    const open: AnswerKey = { kind: 'free', gold: null, score: () => 0 }
    const items = [{}, { answer: other }, { answer: open }, {}, { answer: candidates }].map((more, index) =>
      subject({ ...more, index }),
    )
    expect(byAnswerKind(items).map(({ kind, subjects }) => [kind, subjects.map(({ index }) => index)])).toEqual([
      ['classes', [0, 3]],
      ['classes', [1]],
      ['candidates', [4]],
      ['free', [2]],
    ])
    expect(byAnswerKind([])).toEqual([])
  })
})

describe('a test', () => {
  const isKey = Uint8Array.of(0, 0, 1, 1, 1)
  const blocks = blocksOf([0, 0, 0, 0, 1])
  const clusters = Int32Array.of(0, 1, 2, 3, 4)

  it('of one feature has the gain of a choice that would give its z', () => {
    const found = testFeature('x', Float64Array.of(9, 9.5, 12, 30, 1), isKey, blocks, clusters).test
    const z = 2 / Math.sqrt(5 / 3)
    expect(found).toMatchObject({ kind: 'feature', n: 4, method: 'normal' })
    expect(found.z).toBeCloseTo(z, 12)
    expect(found.p).toBeCloseTo(normalTwoSided(z), 12)
    // sqrt(4 / 4) over five items.
    expect(found.gain).toBeCloseTo(z / 5, 12)
    expect(found.ci[1] - found.gain).toBeCloseTo(2.5758293035489 / 5, 12)
    expect(found.gain - found.ci[0]).toBeCloseTo(2.5758293035489 / 5, 12)
    const turned = testFeature('x', Float64Array.of(30, 12, 9.5, 9, 1), isKey, blocks, clusters).test
    expect([turned.z, turned.gain]).toEqual([expect.closeTo(-z, 12), expect.closeTo(z / 5, 12)])
    const staked = testFeature('x', Float64Array.of(9, 9.5, 12, 30, 1), isKey, blocks, clusters, {
      items: 2,
      spread: 0.25,
    })
    expect(staked.test.gain).toBeCloseTo((z * 0.5) / 2, 12)
    // Two rows of unlike keys: their ranks may be swapped, which moves T by a half.
    const two = testFeature('x', Float64Array.of(1, 2), Uint8Array.of(0, 1), blocksOf([0, 0]), Int32Array.of(0, 1)).test
    expect([two.z, two.p]).toEqual([expect.closeTo(1, 12), expect.closeTo(normalTwoSided(1), 12)])
    expect(testFeature('x', new Float64Array(5), isKey, blocks, clusters).test).toMatchObject({
      n: 0,
      z: 0,
      p: 1,
      gain: 0,
    })
  })

  it('of a guess has its accuracy, what it would be by chance, and the difference', () => {
    const scored = twoClass(Float64Array.of(0, 1, 1, 1, 1), isKey)
    for (let row = 0; row < 5; row++) scored.scores[2 * row] = 1 - (scored.scores[2 * row + 1] as number)
    const found = testHeuristic('guess', scored, blocks, clusters).test
    const m = moments(scored, blocks)
    // Four of five are right; in the block of four the keys, dealt anew, are guessed half the time.
    expect(found).toMatchObject({ kind: 'heuristic', n: 4, accuracy: 0.8 })
    expect(found.gain).toBeCloseTo((3 - 2) / 5, 12)
    expect(found.chance).toBeCloseTo(0.6, 12)
    expect(found.ci[1] - found.gain).toBeCloseTo((2.5758293035489 * Math.sqrt(m.variance)) / 5, 12)
    expect(found.p).toBeCloseTo(normalTwoSided(found.z), 12)
    const two = testHeuristic(
      'x',
      twoClass(Float64Array.of(0, 1), Uint8Array.of(0, 1)),
      blocksOf([0, 0]),
      Int32Array.of(0, 1),
    )
    expect(two.test.p).toBeCloseTo(normalTwoSided(1), 12)
    expect(testHeuristic('guess', scored, blocks, clusters, 10).test.accuracy).toBe(0.4)
  })
})
