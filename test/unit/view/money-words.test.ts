import { expect, test } from 'vitest'
import { goOnWords, spentWords } from '../../../src/view/client/parts/format.ts'

test('a run says what it spent in the digits of its limit, and that a spent one needs more', () => {
  expect(spentWords({ usd: 0, limit: null }, false)).toBeNull()
  expect(spentWords({ usd: 3.2, limit: 5 }, false)).toBe('$3.20 of $5.00')
  expect(spentWords({ usd: 0.0187, limit: 0.1 }, true)).toBe('$0.0187 of $0.1000, calls in flight at their maximum')
  expect(goOnWords({ usd: 3.2, limit: 5, path: 'runs/a' })).toBe('no process works on it: touchstone resume runs/a')
  expect(goOnWords({ usd: 0.0968, limit: 0.1, path: 'runs/a' })).toBe(
    'the cost limit is nearly reached: touchstone resume runs/a --max-usd MORE',
  )
})
