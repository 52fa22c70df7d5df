import { describe, expect, it } from 'vitest'
import { answerKeys } from '../../../../src/datasets/audit/answer-kinds.ts'

const open = (golds: readonly (string | null)[]) =>
  answerKeys(
    golds.map(() => null),
    (item) => ({ kind: 'free', gold: golds[item] ?? null, score: () => 0 }),
  )
const times = (count: number, gold: string | null) => Array.from({ length: count }, () => gold)
const kinds = (golds: readonly (string | null)[]) => [...new Set(open(golds).map(({ kind }) => kind))]

describe('open answers', () => {
  it('are classes where each is given twenty times, not nineteen', () => {
    expect(kinds([...times(20, 'a'), ...times(20, 'b')])).toEqual(['class'])
    expect(kinds([...times(200, 'a'), ...times(19, 'b')])).toEqual(['free'])
    expect(kinds(times(200, 'a'))).toEqual(['free'])
  })

  it('are classes with the rare ones in one, where those are a tenth at most', () => {
    const golds = [...times(45, 'b'), ...times(45, 'a'), ...times(5, 'c'), ...times(5, null)]
    const keys = open(golds)
    expect(keys[0]).toMatchObject({ kind: 'class', key: 1 })
    expect(keys[45]).toMatchObject({ kind: 'class', key: 0 })
    for (const key of keys.slice(90)) expect(key).toMatchObject({ kind: 'class', key: 2 })
    expect(keys.map((key) => (key.kind === 'class' ? key.labels.slice(0, 2) : null))[99]).toEqual(['a', 'b'])
    expect(kinds([...golds, 'd'])).toEqual(['free'])
  })

  it('are classes up to twenty of them', () => {
    const of = (count: number) => Array.from({ length: count }, (_, i) => times(20, `answer ${i}`)).flat()
    expect(kinds(of(20))).toEqual(['class'])
    expect(kinds(of(21))).toEqual(['free'])
  })
})

describe('closed answers', () => {
  const asked = (lists: number, accepted: readonly boolean[]) =>
    answerKeys(
      Array.from({ length: lists }, (_, i) => ({ choices: [`x${i}`, 'y', 'z'], accepted })),
      () => {
        throw new Error('none is open')
      },
    )

  it('are classes where there are four lists of them at most, and one is right', () => {
    expect(asked(4, [false, true, false])[3]).toEqual({ kind: 'class', labels: ['x3', 'y', 'z'], key: 1 })
    expect(asked(5, [false, true, false])[0]).toMatchObject({ kind: 'candidates', candidates: ['x0', 'y', 'z'] })
    expect(asked(1, [true, true, false])[0]).toMatchObject({ kind: 'candidates', accepted: [true, true, false] })
  })
})
