import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunComparison } from '../../../src/lab/index.ts'
import type { Comparison, MetricComparison, Report } from '../../../src/report/index.ts'
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
  const report = await json<Report>(['report', both, '--analysis', 'core/paired'])
  const row = report.analyses[0]?.tables[0]?.rows.find(({ style }) => style === 'bare')
  const inReport = row?.['difference'] as { readonly value: number; readonly low: number; readonly high: number }
  const { value, low, high } = found.overall.difference
  expect([value, low, high]).toEqual([inReport.value, inReport.low, inReport.high].map((x) => expect.closeTo(x, 9)))
  expect(found).toMatchObject({ verdict: { winner: 'a' }, overall: { items: 200, accuracyA: 1, onlyB: 0 } })
  // Judged by the p of the table, in the words of the table.
  expect(found.overall.holm).toBeCloseTo(Number(row?.['holm']), 9)
  expect(found.verdict.text).toBe(row?.['verdict'])
  expect(found.overall.powerRatio).toBeGreaterThan(1)
  expect(found.overall.itemsNeeded).toBe(0)
})

test('over tasks no p is said to be 0', async () => {
  const [several, file] = [folder.path('several'), folder.path('several.yaml')]
  const items = ['comparison', 'syllogism', 'families'].map((name) => `{ task: recoglab/${name}, count: 100 }`)
  writeFileSync(file, `items: [${items.join(', ')}]\nmodels: ['baseline:gold', 'baseline:random']\n`)
  await touchstone(['run', file, '--out', several])
  const { stdout } = await touchstone(['compare', several, '--model', 'baseline:gold', '--model', 'baseline:random'])
  expect(/^Tasks in general, of which these 3 are a sample: p = (?<p>\S+);/mu.exec(stdout)?.groups?.['p']).toMatch(
    /[1-9]/u,
  )
  // Two tasks hardly show how tasks differ: the verdict says of what it is, and why the other is none.
  const two = [
    'compare',
    several,
    '--model',
    'baseline:gold',
    '--model',
    'baseline:random',
    '--where',
    "task <> 'recoglab/families'",
  ]
  const found = await json<Comparison>(two)
  expect(found.verdict).toMatchObject({ kind: 'better', winner: 'a' })
  expect((await touchstone(two)).stdout).toMatch(
    /^gold \(baseline\) is better than random \(baseline\) on 2 of 2 tasks\.\nMean over these 2: \+\d+ points .+ Such tasks in general: /mu,
  )
})

test('items of one group are no groups, and tell nothing of other groups', async () => {
  const one = folder.path('one')
  const models = ['--model', 'baseline:cyk', '--model', 'baseline:majority']
  const items = ['relic/recognize', '--preset', 'relic-demo', '--set', 'grammars=1', '--count', '20'] as const
  await touchstone(['run', ...items, ...models, '--out', one])
  const { overall } = await json<Comparison>(['compare', one, ...models])
  // An index of a small grammar may be empty.
  expect(overall.items).toBeGreaterThan(16)
  const { stdout } = await touchstone(['compare', one, ...models])
  expect(stdout).toContain(`\ne-values after ${overall.items} items (valid at any time`)
  expect(stdout).toContain(`\nInconclusive: all ${overall.items} items come from one group.`)
  expect(overall.difference).toMatchObject({ groups: 1, method: 'paired, beta-binomial over 1 group, 95 %' })
})

test('two runs, two styles', async () => {
  const runs = await json<Comparison>(['compare', again, both])
  expect(runs.overall).toMatchObject({ items: 200, onlyA: 0, onlyB: 0, powerRatio: null })
  expect(runs.overall.difference.value).toBe(0)
  // Of two models in one run, one in the other, only that is compared: both sides say so.
  expect([runs.a, runs.b]).toEqual([`${again} (baseline:random)`, `${both} (baseline:random)`])
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
  expect([runs.unit, styles.unit]).toEqual(['item', 'item'])
})

test('an item of two models is two pairs, and models of one run are no items that it alone answered', async () => {
  const runs = await json<Comparison>(['compare', again, both])
  expect(runs.unpaired).toEqual({ a: 0, b: 200 })
  const styles = await json<Comparison>(['compare', both, '--style', 'bare', '--style', 'answer-line'])
  expect(styles).toMatchObject({ unit: 'pair', overall: { items: 400 } })
  const { stdout } = await touchstone(['compare', both, '--style', 'bare', '--style', 'answer-line'])
  expect(stdout).toMatch(/ Pairs /u)
  expect(stdout).not.toMatch(/ Items /u)
})

test('what is not the same on both sides is said before the verdict', async () => {
  const example = readFileSync(join(import.meta.dirname, '../../../examples/parity.ts'), 'utf8')
  const runOf = async (name: string, from: string, to: string): Promise<string> => {
    const [plugin, out] = [folder.path(`${name}.ts`), folder.path(name)]
    writeFileSync(plugin, example.replace(from, to))
    const asked = ['run', 'toy/parity', '--count', '40', '--model', 'baseline:gold']
    expect((await touchstone([...asked, '--plugin', plugin, '--out', out])).code).toBe(0)
    return out
  }
  const first = await runOf('first', '', '')
  const raised = await runOf('raised', 'scorerVersion: 1', 'scorerVersion: 2')
  const plugin = ['--plugin', folder.path('first.ts')]
  const { stdout } = await touchstone(['compare', first, raised, ...plugin])
  expect(stdout).toMatch(/toy\/parity: A has scorer version 1, B 2; the difference may come from scoring.+Tied: /su)
  expect(await json<RunComparison>(['compare', first, raised, ...plugin])).toMatchObject({
    setupDifferences: [{ task: 'toy/parity', what: 'scorer', a: [1], b: [2] }],
  })
  const drawn = await runOf('drawn', ' version: 1', ' version: 2')
  expect((await touchstone(['compare', first, drawn, ...plugin])).stderr).toMatch(
    /share no items .+ A has task version 1, B 2; two versions share no item/u,
  )
  expect((await json<RunComparison>(['compare', first, first, ...plugin])).setupDifferences).toEqual([])
})

test('two runs of one style each are compared whatever the styles, also of chosen models', async () => {
  const bare = folder.path('bare')
  const models = ['--model', 'baseline:oracle', '--model', 'baseline:yes']
  const asked = ['run', 'recoglab/comparison', '--preset', 'people', '--count', '200', '--style', 'bare']
  await touchstone([...asked, ...models, '--out', bare])
  const chosen = ['--model', 'baseline:oracle', '--model', 'baseline:random']
  const found = await json<RunComparison>(['compare', bare, again, ...chosen])
  const same = await json<RunComparison>(['compare', both, ...chosen, '--style', 'answer-line'])
  expect(found.overall).toMatchObject({ items: 200, accuracyA: 1, accuracyB: same.overall.accuracyB })
  expect([found.a, found.b]).toEqual([`${bare} baseline:oracle bare`, `${again} baseline:random answer-line`])
  expect(found.setupDifferences).toEqual([])
  const unnamed = await touchstone(['compare', bare, again])
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('Choose one of each')])
})

test('--margin decides by its exit code', async () => {
  const code = async (...args: string[]) => (await touchstone(['compare', ...args])).code
  expect(await code(again, both, '--margin', '0.1')).toBe(0)
  const worse = ['--model', 'baseline:oracle', '--model', 'baseline:random']
  expect(await code(both, ...worse, '--margin', '0.02')).toBe(1)
  expect(await code(both, ...worse)).toBe(0)
})

test.each([
  [() => [both], / is better than /, 0],
  [() => [both, '--model', 'baseline:rndom', '--model', 'baseline:oracle'], /baseline:random/, 2],
  [() => [again, other], /share no items/, 2],
  [() => [again], /has one model\. Name two/, 2],
  [() => [again, both, '--margin', '7'], /from 0 to 1/, 2],
  [() => [folder.path('nowhere')], /not a run folder: there is no such folder/, 2],
] as const)('case %#: what cannot be compared is said', async (args, words, code) => {
  const { stdout, stderr, code: found } = await touchstone(['compare', ...args()])
  expect(stdout + stderr).toMatch(words)
  expect(found).toBe(code)
})

test('scored strings are compared by a measure, whose means are those of the report', async () => {
  const scored = folder.path('scored')
  const models = ['--model', 'baseline:ppm', '--model', 'baseline:unigram']
  await touchstone(['run', 'proficiency/discriminate', '--preset', 'g1', '--count', '120', ...models, '--out', scored])
  const found = await json<MetricComparison>(['compare', scored, '--metric', 'natsPerTerminal'])
  const report = await json<Report>(['report', scored, '--analysis', 'core/measures'])
  const rows = report.analyses[0]?.tables[0]?.rows ?? []
  const meanOf = (model: string, kind: string | null) =>
    rows.find((row) => row['model'] === model && row['kind'] === kind)?.['natsPerTerminal']
  expect(found.effects.map(({ kind }) => kind)).toEqual(['inside', 'edited', 'unrelated'])
  for (const { kind, meanA, meanB, difference } of found.effects) {
    expect(meanOf('baseline:ppm', kind)).toMatchObject({ value: expect.closeTo(meanA, 12) })
    expect(meanOf('baseline:unigram', kind)).toMatchObject({ value: expect.closeTo(meanB, 12) })
    expect(difference.value).toBeCloseTo(meanA - meanB, 12)
  }
  // Half the nats of what knows no order, inside; and more on what has nothing of the language.
  expect(found.effects.map(({ verdict }) => verdict)).toEqual(['B is higher', 'B is higher', 'A is higher'])
  const unread = await touchstone(['compare', scored])
  expect([unread.code, unread.stderr]).toEqual([2, expect.stringContaining('--metric (nats,')])
  const none = await touchstone(['compare', scored, '--metric', 'nat'])
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('did you mean "nats"?')])
  const answers = await touchstone(['compare', both, '--metric', 'nats'])
  expect([answers.code, answers.stderr]).toEqual([2, expect.stringContaining('holds no loglikelihood items')])
})

test('logs with scores between 0 and 1: their means', async () => {
  const log = (model: string, first: number) => ({
    version: 2,
    eval: { task: 'quiz', model, scorers: [{ name: 'f1' }] },
    samples: [first, 0.5, 1, 0].map((value, id) => ({ id, epoch: 1, input: `q ${id}`, scores: { f1: { value } } })),
  })
  const paths = ['a', 'b'].map((model) => folder.path(`${model}.json`))
  for (const [i, path] of paths.entries()) writeFileSync(path, JSON.stringify(log(`maker/${i}`, i / 2)))
  const { stdout } = await touchstone(['compare', ...paths])
  expect(stdout).toMatch(/Mean f1[\s\S]*0\.375 +0\.500/u)
})
