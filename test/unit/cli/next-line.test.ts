import { expect, it } from 'vitest'
import { nextLine } from '../../../src/cli/runs.ts'

const none = { waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 }

it.each([
  ['done', { done: 9 }, 'next: touchstone report r --only relic'],
  ['interrupted', { waiting: 9 }, 'next: touchstone resume r'],
  ['interrupted', { waiting: 4, done: 5 }, 'next: touchstone report r --only relic, touchstone resume r'],
  ['budget', { waiting: 9 }, 'next: touchstone resume r --max-usd MORE'],
] as const)('what is next of a run that ended as %s with %j', (status, counts, line) => {
  expect(nextLine({ run: 'r', status, counts: { ...none, ...counts } }, ' --only relic')).toBe(line)
})
