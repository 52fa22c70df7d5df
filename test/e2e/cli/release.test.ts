import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scratch } from './cli.ts'
import { json } from './here.ts'

const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../../shared')
const release = join(shared, 'data/relic-500-sample')
const there = existsSync(release)

interface Import {
  readonly grammars: number
  readonly strings: number
  readonly labelMismatches: number
  readonly parseCountsChecked: number
  readonly parseCountMismatches: number
  readonly problems: readonly {
    readonly kind: string
    readonly path: string
    readonly line: number | null
    readonly count: number
  }[]
}
interface Report {
  readonly analyses: readonly {
    readonly tables: readonly {
      readonly id: string
      readonly columns: readonly { readonly key: string }[]
      readonly rows: readonly Record<string, number | string>[]
    }[]
  }[]
}

describe.skipIf(!there)(`the published RELIC release${there ? '' : ` (skipped: ${release} is absent)`}`, () => {
  const folder = scratch()
  afterAll(folder.remove)

  const run = folder.path('run')
  let imported: Import
  beforeAll(async () => {
    imported = await json<Import>(['import', 'relic', release, '--out', run])
  })

  it('is imported with every label and parse count checked, and gives Table 1 to the last digit', async () => {
    expect(imported).toMatchObject({
      grammars: 12,
      strings: 7172,
      labelMismatches: 0,
      parseCountsChecked: 60,
      parseCountMismatches: 0,
      sizesChecked: 12,
      sizeMismatches: 0,
    })
    const expected = JSON.parse(readFileSync(join(release, 'expected.json'), 'utf8')) as Record<
      string,
      Record<string, number>
    >
    const report = await json<Report>(['report', run, '--analysis', 'relic'])
    const table = report.analyses.flatMap((analysis) => analysis.tables).find(({ id }) => id === 'relic/table1')
    expect(table?.rows.map((row) => row['model']).toSorted()).toEqual(Object.keys(expected).toSorted())
    for (const row of table?.rows ?? [])
      for (const [key, value] of Object.entries(expected[String(row['model'])] ?? {}))
        expect(row[key], `${row['model']} ${key}`).toBeCloseTo(value, 3)
    // Local results keep no reason: 174 of 231 responses of the one model that reasons aloud never close their reasoning.
    const cut = report.analyses.flatMap((analysis) => analysis.tables).find(({ id }) => id === 'relic/figure13')
    expect(cut?.rows).toMatchObject([{ finished: 57, truncated: 174 }])
    const corrected = report.analyses.flatMap((analysis) => analysis.tables).find(({ id }) => id.endsWith('-corrected'))
    const value = (cell: unknown) => z.object({ value: z.number() }).parse(cell).value
    for (const row of corrected?.rows ?? []) {
      expect(value(row['parsedOnly'])).toBeGreaterThanOrEqual(value(row['accuracy']) - 1e-12)
      expect(value(row['lenient'])).toBeGreaterThanOrEqual(value(row['accuracy']) - 1e-12)
    }
    const keys = table?.columns.map((column) => column.key) ?? []
    expect(keys.slice(-4)).toEqual(['unparsed', 'truncated', 'refused', 'failed'])
  })

  it('is reported damaged exactly where it was damaged', async () => {
    const copy = folder.path('copy')
    const grammars = join(copy, 'data/grammars')
    for (const name of ['grammar_20250415162504_999706', 'grammar_20250223120810'])
      cpSync(join(release, 'data/grammars', name), join(grammars, name), { recursive: true })
    const edit = (path: string, change: (lines: string[]) => void): string => {
      const file = join(grammars, path)
      const lines = readFileSync(join(release, 'data/grammars', path), 'utf8').split('\n')
      change(lines)
      writeFileSync(file, lines.join('\n'))
      return `data/grammars/${path}`
    }
    const flipped = edit('grammar_20250415162504_999706/filtered_samples.csv', (lines) => {
      lines[5] = (lines[5] as string).replace(/positive|negative/, (label) =>
        label === 'positive' ? 'negative' : 'positive',
      )
    })
    const counts = edit('grammar_20250223120810/filtered_samples.csv', (lines) => {
      const at = lines.findIndex((line) => /,\d+(\.0)?,positive,/.test(line))
      lines[at] = (lines[at] as string).replace(
        /,(\d+)(\.0)?,positive,/,
        (_all, n: string) => `,${Number(n) + 1}.0,positive,`,
      )
    })
    const cut = edit('grammar_20250223120810/batch_67fff8dfc9088190b1028c12e36b9c9f_results.jsonl', (lines) => {
      lines[7] = (lines[7] as string).slice(0, 200)
    })
    const removed = 'grammar_20250223120810/batch_680110e6aa4081908f0584add6c7190f_results.jsonl'
    rmSync(join(grammars, removed))

    const found = await json<Import>(['import', 'relic', copy, '--out', folder.path('damaged')])
    expect(found.labelMismatches).toBe(1)
    expect(found.parseCountMismatches).toBe(1)
    const known = new Set(imported.problems.map((problem) => JSON.stringify(problem)))
    const fresh = found.problems.filter((problem) => !known.has(JSON.stringify(problem)))
    expect(
      fresh
        .map(({ kind, path, line, count }) => ({ kind, path, line, count }))
        .toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
    ).toEqual([
      { kind: 'bad-line', path: cut, line: 8, count: 1 },
      { kind: 'label-mismatch', path: flipped, line: 6, count: 1 },
      { kind: 'missing-file', path: `data/grammars/${removed}`, line: null, count: 1 },
      { kind: 'parse-count-mismatch', path: counts, line: expect.any(Number), count: 1 },
      // One positive more or less is told by the size of all of them, too.
      { kind: 'size-mismatch', path: flipped.replace('.csv', '_stats.json'), line: null, count: 1 },
    ])
  })
})

const records = join(shared, 'data/pbebench-sample/data')

describe.skipIf(!existsSync(records))('the published PBEBench records (skipped where ../shared is absent)', () => {
  const folder = scratch()
  afterAll(folder.remove)

  it('are read in all parts, and asked', async () => {
    const run = folder.path('run')
    const imported = await json<{ readonly items: number; readonly problems: readonly unknown[] }>([
      'import',
      'pbebench',
      records,
      '--out',
      run,
    ])
    // 114 cascades, 7 permutations, 874 words in chunks of 50, and each of their six lists whole.
    expect(imported).toMatchObject({ items: 148, categoriesAgree: 114, validOrdersAgree: 7, words: 874, problems: [] })
    const asked = folder.path('asked')
    const args = ['run', run, '--model', 'baseline:greedy', '--count', '8', '--out', asked]
    const result = await json<{ readonly counts: { readonly done: number } }>(args)
    expect(result.counts.done).toBeGreaterThanOrEqual(8)
    const { analyses } = await json<Report>(['report', asked, '--analysis', 'pbebench'])
    const table = analyses.flatMap(({ tables }) => tables).find(({ id }) => id.startsWith('pbebench/table2'))
    expect(table?.rows.length).toBeGreaterThan(0)
  })
})
