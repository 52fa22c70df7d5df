import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

interface Choice {
  readonly model: string
  readonly style: string
  readonly parser: string
  readonly accuracy: { readonly value: number }
  readonly tied: readonly object[]
  readonly tried: readonly { readonly style: string; readonly parser: string }[]
  readonly cost: { readonly calls: number }
}
interface Selection {
  readonly schema: string
  readonly splits: readonly string[]
  readonly cost: { readonly calls: number; readonly usd: number | null }
  readonly choices: readonly Choice[]
}
interface Report {
  readonly parser: string
  readonly analyses: readonly {
    readonly id: string
    readonly tables: readonly { readonly rows: readonly Record<string, unknown>[] }[]
  }[]
}

const items = ['recoglab/comparison', '--preset', 'people', '--seed', '3', '--count', '20'] as const

/** Answers "Yes" in one style only, and in words that the strict parser does not take. */
const talker = `
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, style } = JSON.parse(line)
  const text = style === 'bare' ? 'Yes, I am rather sure of that one.' : 'Hard to tell.'
  process.stdout.write(JSON.stringify({ id, text }) + '\\n')
}`

describe('choosing style and parser on validation items', () => {
  const folder = scratch()
  afterAll(folder.remove)
  const validation = folder.path('validation')
  const file = join(validation, 'selection.json')
  const script = folder.path('talker.mjs')
  const talking = `exec:node ${script}`
  const models = ['--model', 'baseline:oracle', '--model', talking]
  const styles = ['--style', 'answer-line', '--style', 'bare']

  beforeAll(async () => {
    writeFileSync(script, talker)
    const { code, stderr } = await touchstone([
      'run',
      ...items,
      '--split',
      'validation',
      ...styles,
      ...models,
      '--out',
      validation,
    ])
    expect(code, stderr).toBe(0)
  })

  it('takes the most accurate pair of each model, settles ties by rule, and counts every style as a cost', async () => {
    const selection = await json<Selection>(['analyze', 'select', validation])
    expect(selection).toMatchObject({ schema: 'touchstone/select/1', splits: ['validation'], cost: { calls: 80 } })
    const [oracle, talker] = selection.choices
    expect(oracle).toMatchObject({ style: 'answer-line', parser: 'strict', accuracy: { value: 1 } })
    expect(oracle?.tied.length).toBeGreaterThan(0)
    expect(talker).toMatchObject({ style: 'bare', parser: 'lenient', accuracy: { value: 0.5 }, cost: { calls: 40 } })
    // Two styles, each read by all four parsers.
    expect(talker?.tried).toHaveLength(8)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(selection)
  })

  it('shows the choice as a table', async () => {
    const { code, stdout } = await touchstone(['analyze', 'select', validation])
    expect(code).toBe(0)
    expect(stdout).toMatch(/baseline:oracle +\{\} +answer-line +strict +1\.000/u)
    expect(stdout).toContain(`--selection ${file}`)
  })

  it('is used by a test run: each model asked in its style, read by its parser', async () => {
    const test = folder.path('test')
    const plan = await json<{ calls: number }>(['run', ...items, ...models, '--selection', file, '--dry-run'])
    expect(plan.calls).toBe(40)
    const made = await touchstone(['run', ...items, ...models, '--selection', file, '--out', test])
    expect(made.code, made.stderr).toBe(0)
    expect((await json<{ counts: { done: number } }>(['show', test])).counts.done).toBe(40)

    const report = await json<Report>(['report', test])
    expect(report.parser).toBe('selected')
    const rowsOf = (of: Report, id: string) => of.analyses.find((one) => one.id === id)?.tables[0]?.rows ?? []
    expect(rowsOf(report, 'core/selection')).toMatchObject([
      { model: 'baseline:oracle', style: 'answer-line', parser: 'strict' },
      { model: talking, style: 'bare', parser: 'lenient' },
    ])
    const accuracies = (of: Report) =>
      rowsOf(of, 'core/accuracy').map(({ model, accuracy }) => [model, (accuracy as { value: number }).value])
    expect(Object.fromEntries(accuracies(report))).toEqual({ 'baseline:oracle': 1, [talking]: 0.5 })
    const strict = await json<Report>(['report', test, '--parser', 'strict'])
    expect(Object.fromEntries(accuracies(strict))).toEqual({ 'baseline:oracle': 1, [talking]: 0 })

    const { stdout } = await touchstone(['report', test])
    expect(stdout).toContain('lenient')
  })

  it('refuses items that are tested on, unless forced', async () => {
    const test = folder.path('tested')
    const made = await touchstone(['run', ...items, '--model', 'baseline:random', '--out', test])
    expect(made.code, made.stderr).toBe(0)
    const refused = await touchstone(['analyze', 'select', test])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('not validation')
    expect((await json<Selection>(['analyze', 'select', test, '--force'])).splits).toEqual(['test'])
  })

  it('refuses a run of a model it says nothing about, and a style beside it', async () => {
    const other = await touchstone([
      'run',
      ...items,
      '--model',
      'baseline:random',
      '--selection',
      file,
      '--out',
      folder.path('other'),
    ])
    expect(other.code).toBe(2)
    expect(other.stderr).toContain('no choice for baseline:random')
    const both = await touchstone([
      'run',
      ...items,
      ...models,
      '--style',
      'bare',
      '--selection',
      file,
      '--out',
      folder.path('both'),
    ])
    expect(both.code).toBe(2)
    expect(both.stderr).toContain('Leave one of them out')
  })
})
