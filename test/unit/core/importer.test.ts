import { expect, it } from 'vitest'
import { importProblem, loneItem, tooLong } from '../../../src/core/index.ts'

it('a problem is met once unless said otherwise, at a line or in a whole file', () => {
  const problem = { kind: 'problem', problem: 'lost', path: 'a.csv', line: 3, message: 'm' }
  expect(importProblem('lost', 'a.csv', 3, 'm')).toEqual({ ...problem, count: 1 })
  expect(importProblem('lost', 'a.csv', 3, 'm', 7)).toEqual({ ...problem, count: 7 })
  expect(tooLong('b.txt', null)).toEqual({
    kind: 'problem',
    problem: 'too-long',
    path: 'b.txt',
    line: null,
    // 64 MiB.
    message: 'longer than 67108864 characters',
    count: 1,
  })
})

it('an item that shares nothing comes after a group of its own', () => {
  expect([...loneItem('k', { given: 1, answer: 2, features: { hard: true } })]).toEqual([
    { kind: 'group', key: 'k', shared: null },
    { kind: 'item', key: 'k', group: 'k', given: 1, answer: 2, features: { hard: true } },
  ])
})
