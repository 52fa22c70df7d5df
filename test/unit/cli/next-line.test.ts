import { expect, it } from 'vitest'
import { nextLine } from '../../../src/cli/runs.ts'

const none = { waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 }

it.each([
  ['a finished run', 'done', { done: 4, failed: 1 }, 'next: touchstone report r'],
  ['one of failures only: those are asked again by retry-failed', 'done', { failed: 5 }, 'next: touchstone report r'],
  ['one that only plans, of which there is no report yet', 'interrupted', { waiting: 5 }, 'next: touchstone resume r'],
  ['one that was stopped', 'interrupted', { waiting: 3, done: 2 }, 'next: touchstone report r, touchstone resume r'],
  ['one whose batches are out', 'submitted', { batched: 5 }, 'next: touchstone resume r'],
  [
    'one whose limit is spent',
    'budget',
    { waiting: 3, done: 2 },
    'next: touchstone report r, touchstone resume r --max-usd MORE',
  ],
  ['one whose rule knows enough', 'decided', { waiting: 3, done: 2 }, 'next: touchstone report r'],
] as const)('after %s', (_, status, counts, line) => {
  expect(nextLine({ run: 'r', status, counts: { ...none, ...counts } })).toBe(line)
})

it('gives its report the flags that are asked for, and no report where nothing came', () => {
  const counts = { waiting: 4, leased: 0, batched: 0, done: 5, failed: 0 }
  const status = 'interrupted'
  expect(nextLine({ run: 'r', status, counts }, ' --only relic')).toBe(
    'next: touchstone report r --only relic, touchstone resume r',
  )
  expect(nextLine({ run: 'r', status, counts: { ...counts, done: 0 } }, ' --only relic')).toBe(
    'next: touchstone resume r',
  )
})
