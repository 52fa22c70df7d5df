import { expect, test } from 'vitest'
import { exitCode, table } from '../../../scripts/testing/table.ts'
import { countReport } from '../../../scripts/testing/vitest.ts'

const report = (passed: number, failed = 0, pending = 0, todo = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: todo,
})

test('a report is counted as it stands where vitest succeeded', () => {
  expect(countReport(report(7, 0, 2, 1), 0)).toEqual({ passed: 7, failed: 0, skipped: 3 })
})
test('a file that cannot be imported has no failed test, and is still one failure', () => {
  expect(countReport(report(7), 1)).toEqual({ passed: 7, failed: 1, skipped: 0 })
  expect(countReport(report(7, 4), 1)).toEqual({ passed: 7, failed: 4, skipped: 0 })
})
test('a run that found no test fails', () => {
  expect(countReport(report(0), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

const result = (name: string, passed: number, failed: number, skipped: number) => ({
  name,
  counts: { passed, failed, skipped },
  seconds: 1.25,
})

test('the table ends with the sums', () => {
  const text = table([result('unit', 10, 1, 2), result('browser', 3, 0, 0)])
  expect(text.split('\n')).toEqual([
    'step     passed  failed  skipped  seconds',
    'unit         10       1        2      1.3',
    'browser       3       0        0      1.3',
    '',
    '13 passed, 1 failed, 2 skipped',
    '',
  ])
})
test('success needs something that passed and nothing that failed', () => {
  expect(exitCode([result('a', 1, 0, 5)])).toBe(0)
  expect(exitCode([result('a', 9, 1, 0)])).toBe(1)
  expect(exitCode([result('a', 0, 0, 3)])).toBe(1)
  expect(exitCode([])).toBe(1)
})
