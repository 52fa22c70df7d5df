import { expect, it } from 'vitest'
import { nextLine } from '../../../src/cli/run-output.ts'

const none = { pending: 0, inFlight: 0, batched: 0, done: 0, errors: 0 }

it.each([
  ['a finished run', 'completed', { done: 4, errors: 1 }, 'next: touchstone report r'],
  ['one of errors only: those are repeated by --retry-errors', 'failed', { errors: 5 }, 'next: touchstone report r'],
  ['one that only plans, of which there is no report yet', 'interrupted', { pending: 5 }, 'next: touchstone resume r'],
  ['one that was stopped', 'interrupted', { pending: 3, done: 2 }, 'next: touchstone report r, touchstone resume r'],
  ['one whose batches are out', 'batches-pending', { batched: 5 }, 'next: touchstone resume r'],
  [
    'one whose limit is spent',
    'cost-limit',
    { pending: 3, done: 2 },
    'next: touchstone report r, touchstone resume r --max-usd MORE',
  ],
  ['one whose rule knows enough', 'stopped-early', { pending: 3, done: 2 }, 'next: touchstone report r'],
] as const)('after %s', (_, status, counts, line) => {
  expect(nextLine({ run: 'r', status, counts: { ...none, ...counts } })).toBe(line)
})

it('gives its report the flags that are asked for, and no report where nothing came', () => {
  const counts = { pending: 4, inFlight: 0, batched: 0, done: 5, errors: 0 }
  const status = 'interrupted'
  expect(nextLine({ run: 'r', status, counts }, ' --analysis relic')).toBe(
    'next: touchstone report r --analysis relic, touchstone resume r',
  )
  expect(nextLine({ run: 'r', status, counts: { ...counts, done: 0 } }, ' --analysis relic')).toBe(
    'next: touchstone resume r',
  )
})
