import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/testing/step.ts'
import { suiteOf, suites } from '../../../scripts/testing/suites.ts'
import { exitCode, table } from '../../../scripts/testing/table.ts'
import { countReport } from '../../../scripts/testing/vitest.ts'

const file = (
  path: string,
  statuses: readonly string[],
  [startTime, endTime]: readonly [number, number] = [0, 500],
) => ({
  name: join(root, path),
  status: statuses.includes('failed') ? 'failed' : 'passed',
  startTime,
  endTime,
  assertionResults: statuses.map((status) => ({ status })),
})
const named = (...names: string[]) => suites.filter(({ name }) => names.includes(name))

test('each file counts for the suite of the innermost folder', () => {
  expect(suiteOf('test/unit/layers/layers.test.ts')?.name).toBe('layers')
  expect(suiteOf('test/unit/core/hash.test.ts')?.name).toBe('unit')
  expect(suiteOf('test/e2e/package/tarball.test.ts')?.name).toBe('tarball')
  expect(suiteOf('src/core/hash.ts')).toBeUndefined()
  const testResults = [
    file('test/unit/core/hash.test.ts', ['passed', 'passed', 'pending'], [1000, 3000]),
    file('test/unit/statistics/mean.test.ts', ['passed', 'todo'], [2000, 5000]),
    file('test/unit/layers/layers.test.ts', ['passed']),
  ]
  expect(countReport({ testResults }, 0, named('layers', 'unit'))).toEqual([
    { name: 'layers', counts: { passed: 1, failed: 0, skipped: 0 }, seconds: 0.5 },
    { name: 'unit', counts: { passed: 3, failed: 0, skipped: 2 }, seconds: 4 },
  ])
})
test('a file that cannot be imported has no failed test, and is still one failure', () => {
  const good = file('test/unit/core/hash.test.ts', ['passed'])
  const broken = { ...file('test/unit/core/broken.test.ts', []), status: 'failed' }
  const bad = file('test/unit/core/bad.test.ts', ['failed', 'failed', 'passed'])
  const failures = (...testResults: (typeof good)[]) =>
    countReport({ testResults }, 1, named('unit')).map(({ name, counts }) => [name, counts.failed])
  expect(failures(good, broken)).toEqual([['unit', 1]])
  expect(failures(good, broken, bad)).toEqual([['unit', 3]])
  expect(failures(good)).toEqual([
    ['unit', 0],
    ['vitest', 1],
  ])
})
test('a suite that found no test fails', () => {
  const testResults = [file('test/unit/core/hash.test.ts', ['passed'])]
  const found = countReport({ testResults }, 0, named('unit', 'browser'))
  expect(found.map(({ name, counts }) => [name, counts.failed])).toEqual([
    ['unit', 0],
    ['browser', 1],
  ])
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
