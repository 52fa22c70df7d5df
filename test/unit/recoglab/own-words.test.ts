import { describe, expect, it } from 'vitest'
import { karateClub } from '../../../src/libraries/graphs/generate.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import type { Given } from '../../../src/tasks/recoglab/social/question.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'

const letters = 'abdefgiklmnoprstuv'
const list = Array.from({ length: 160 }, (_, k) => {
  const [a, b, c] = [k % 18, Math.floor(k / 18), (k * 5 + 3) % 18].map((at) => letters[at])
  return `X${a}${b}o${c}`
})
const names = [...new Set(list)].join(', ')

const prompt = (source: ReturnType<typeof social.source>, index: number): string => {
  const item = source.item(index)
  if (item.kind !== 'item') throw new Error('a hole')
  const request = source.request(item, 'answer-line')
  return request.kind === 'chat' ? (request.messages.at(-1)?.content ?? '') : ''
}

describe('names of the user', () => {
  it('are the only ones, each in one split', () => {
    const usedBy = (split: string) =>
      new Set(
        Array.from({ length: 40 }, (_, index) => index).flatMap((index) => {
          const item = social.source(social.configure({ names, people: 8 }), { split, seed: 1 }).item(index)
          return item.kind === 'item' ? (item.given as unknown as Given).people : []
        }),
      )
    const [train, test] = [usedBy('train'), usedBy('test')]
    expect(train.size).toBeGreaterThan(20)
    expect([...train, ...test].filter((name) => !list.includes(name))).toEqual([])
    expect([...train].filter((name) => test.has(name))).toEqual([])
  })

  it('may have line breaks between them', () => {
    const item = social
      .source(social.configure({ names: names.replaceAll(', ', '\n') }), { split: 'test', seed: 1 })
      .item(0)
    expect(item.kind === 'item' && (item.given as unknown as Given).people.every((name) => list.includes(name))).toBe(
      true,
    )
  })

  it('stand in comparisons as they were given', () => {
    const config = comparison.configure({ entityKind: 'given', names, entities: 8 })
    expect(prompt(comparison.source(config, { split: 'test', seed: 1 }), 0)).toMatch(
      /^X[a-z]{4} is (older|younger) than X/,
    )
  })

  it.each([
    ['Ann, Bob, ann', /"ann" is a duplicate/],
    ['Ann\u202e, Bob', /is not a valid name/],
    ['Ann"; DROP', /is not a valid name/],
  ])('are refused in words: %s', (text, message) => {
    expect(() => social.configure({ names: text })).toThrow(message)
  })

  it('that are too few make holes that say so', () => {
    const item = social.source(social.configure({ names: 'Ann, Bob, Cyd, Dan' }), { split: 'test', seed: 1 }).item(0)
    expect(item).toMatchObject({ kind: 'hole', reason: expect.stringContaining('give more names') })
  })
})

it('own words stand before the context and before the question, and change nothing else', () => {
  const plain = social.source(social.configure({}), { split: 'test', seed: 1 })
  const own = social.source(social.configure({ preamble: 'One day.', questionPreamble: 'Think.' }), {
    split: 'test',
    seed: 1,
  })
  const lines = prompt(own, 3).split('\n')
  expect(lines[0]).toBe('One day.')
  expect(lines.filter((line) => line !== 'One day.' && line !== 'Think.').join('\n')).toBe(prompt(plain, 3))
  expect(lines.indexOf('Think.')).toBe(lines.length - 3)
})

it('the karate club has 34 members, 78 pairs, and the degrees of its leaders', () => {
  const degree = (v: number) => karateClub.edges.filter((edge) => edge.includes(v)).length
  expect([karateClub.n, karateClub.edges.length, degree(0), degree(33), degree(11)]).toEqual([34, 78, 16, 17, 1])
})
