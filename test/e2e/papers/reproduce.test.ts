import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { nightly, sample } from '../../nightly.ts'

const home = mkdtempSync(join(tmpdir(), 'reproduce-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('every paper has its entries run, in a file of its own', () => {
  for (const { name, paper } of families)
    if (paper !== undefined) expect(existsSync(join(import.meta.dirname, `${name}.test.ts`)), name).toBe(true)
})

test('what is computed asks nobody, and is told so', async () => {
  const lab = await openLab()
  const entries = families.flatMap(({ paper }) => paper?.items ?? []).filter(({ made }) => made.by === 'computation')
  expect(entries.map(({ id }) => id)).toContain('pbebench/figure17')
  // It counts whole sets, however few steps are asked for.
  for (const { id } of entries.filter(({ id }) => nightly || id !== 'pbebench/appendixc.2')) {
    const { computed, made } = await lab.reproduce(id, {
      out: join(home, id),
      count: sample({ nightly: 1000, otherwise: 40 }),
    })
    expect(made).toBeNull()
    expect(computed?.files.length, id).toBeGreaterThan(0)
    for (const { rows } of computed?.result.tables ?? []) expect(rows.length, id).toBeGreaterThan(1)
    await expect(lab.reproduce(id, { models: ['baseline:random'] })).rejects.toThrow(/computed without a model/)
  }
})

const repeated = [
  ['pbebench/figure12', 2 * 8],
  ['pbebench/figure12b', 2 * 11],
] as const
test.each(repeated.slice(0, sample({ nightly: 2, otherwise: 1 })))(
  '%s asks a model that is named as often, and with the settings, as the embedded ones',
  async (id, calls) => {
    const lab = await openLab()
    const { made } = await lab.reproduce(id, {
      out: join(home, id),
      count: 2,
      models: ['baseline:identity'],
      formats: [],
    })
    expect(made?.run.counts.done).toBe(calls)
    expect(made?.report.report.skipped).toEqual([])
  },
)

test('each model is asked as often as --samples says, with the settings that are given', async () => {
  const lab = await openLab()
  const options = { count: 1, models: ['baseline:identity'], formats: [], samples: 3, settings: { seed: 7 } }
  const { made } = await lab.reproduce('pbebench/table1', { ...options, out: join(home, 'samples') })
  // Of two sets.
  expect(made?.run.counts.done).toBe(2 * 3)
  await expect(lab.reproduce('pbebench/table1', { ...options, out: join(home, 'samples') })).rejects.toThrow(
    /--model, --samples, --set-model, --count: .* exists already with its own/,
  )
})

test('real words come from a list of CLDF, whose older language is named where the list does not say it', async () => {
  const lab = await openLab()
  const folder = join(home, 'polynesian', 'cldf')
  mkdirSync(folder, { recursive: true })
  const rows = [...'aiueo']
    .flatMap((v) => ['t', 'k', 'p', 'm', 's'].map((c) => `t a ${c} ${v}`))
    .flatMap((word, i) =>
      ['old', 'young'].map((language) => {
        const segments = language === 'old' ? word : word.replaceAll('t', 'd')
        return `${language}-${i},${language},m${i},${segments.replaceAll(' ', '')},${segments},c${i}`
      }),
    )
  writeFileSync(join(folder, 'forms.csv'), ['ID,Language_ID,Parameter_ID,Form,Segments,Cognacy', ...rows].join('\n'))
  writeFileSync(join(folder, 'languages.csv'), 'ID,Name\nold,Older\nyoung,Younger\n')
  const options = { folder, count: 1, models: ['baseline:cascade-search-short'], formats: [], out: join(home, 'words') }
  await expect(lab.reproduce('pbebench/table13', options)).rejects.toThrow(/--ancestor/)
  const { made } = await lab.reproduce('pbebench/table13', { ...options, ancestor: ['Older'] })
  expect(made?.run.counts.done).toBeGreaterThan(0)
  await expect(lab.reproduce('pbebench/table13', { ancestor: ['Older'] })).rejects.toThrow(
    /only for word lists of --folder/,
  )
})
