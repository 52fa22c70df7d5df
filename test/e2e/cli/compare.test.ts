import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Comparison, Report } from '../../../src/report/index.ts'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const folder = scratch()
const [both, again, other] = ['both', 'again', 'other'].map(folder.path) as [string, string, string]

beforeAll(async () => {
  const asked = (...more: string[]) => ['run', 'recoglab/comparison', '--preset', 'people', '--count', '200', ...more]
  const models = ['--model', 'baseline:oracle', '--model', 'baseline:random']
  await touchstone(asked(...models, '--style', 'answer-line', '--style', 'bare', '--out', both))
  await touchstone(asked('--model', 'baseline:random', '--style', 'answer-line', '--out', again))
  await touchstone(asked('--model', 'baseline:random', '--seed', '7', '--out', other))
})
afterAll(folder.remove)

test('two models: the numbers are those of the report', async () => {
  const found = await json<Comparison>([
    'compare',
    both,
    '--model',
    'baseline:oracle',
    '--model',
    'baseline:random',
    '--style',
    'bare',
  ])
  const report = await json<Report>(['report', both, '--only', 'core/paired'])
  const row = report.analyses[0]?.tables[0]?.rows.find(({ style }) => style === 'bare')
  const reversed = row?.['difference'] as { readonly value: number; readonly low: number; readonly high: number }
  const { value, low, high } = found.overall.difference
  expect([value, low, high]).toEqual([-reversed.value, -reversed.high, -reversed.low].map((x) => expect.closeTo(x, 12)))
  expect(found).toMatchObject({ verdict: 'A is better', overall: { items: 200, accuracyA: 1, onlyB: 0 } })
  expect(found.overall.resolution).toBeGreaterThan(1)
  expect(found.overall.needed).toBe(0)
})

test('two runs, two styles', async () => {
  const runs = await json<Comparison>(['compare', again, both])
  expect(runs.overall).toMatchObject({ items: 200, onlyA: 0, onlyB: 0, resolution: null })
  expect(runs.overall.difference.value).toBe(0)
  const styles = await json<Comparison>([
    'compare',
    both,
    '--style',
    'bare',
    '--style',
    'answer-line',
    '--model',
    'baseline:oracle',
  ])
  expect(styles.overall).toMatchObject({ items: 200, accuracyA: 1, accuracyB: 1 })
})

test('--margin decides by its exit code', async () => {
  const code = async (...args: string[]) => (await touchstone(['compare', ...args])).code
  expect(await code(again, both, '--margin', '0.1')).toBe(0)
  const worse = ['--model', 'baseline:oracle', '--model', 'baseline:random']
  expect(await code(both, ...worse, '--margin', '0.02')).toBe(1)
  expect(await code(both, ...worse)).toBe(0)
})

test.each([
  [() => [both], /verdict|B - A/, 0],
  [() => [both, '--model', 'baseline:rndom', '--model', 'baseline:oracle'], /baseline:random/, 2],
  [() => [again, other], /share no two groups/, 2],
  [() => [again], /has 1 models: name two/, 2],
  [() => [again, both, '--margin', '7'], /between 0 and 1/, 2],
  [() => [folder.path('nowhere')], /not a run folder/, 2],
] as const)('case %#: what cannot be compared is said', async (args, words, code) => {
  const { stdout, stderr, code: found } = await touchstone(['compare', ...args()])
  expect(stdout + stderr).toMatch(words)
  expect(found).toBe(code)
})
