import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Lab, openLab } from '../../../src/lab/index.ts'
import { scratch } from '../../mock/context.ts'

const { folder: home, remove } = await scratch()
afterAll(remove)

async function tablesOf(lab: Lab, run: string) {
  const analyses = ['relic/table1', 'relic/table2', 'relic/figure3']
  const { report } = await lab.report(run, { analyses, formats: [] })
  return report.analyses.flatMap(({ tables }) => tables.map(({ id, rows }) => ({ id, rows })))
}

test('a run leaves in the layout of the release and comes back with the same numbers', async () => {
  const lab = await openLab()
  const [run, out, back] = ['run', 'release', 'back'].map((name) => join(home, name)) as [string, string, string]
  const models = ['baseline:cyk-to-length-8', 'baseline:bigram', 'baseline:random'].map((model) => ({ model }))
  const items = [{ task: 'relic/recognize', preset: 'relic-demo', config: { grammars: 4 } }]
  await lab.run({ experiment: { name: 'demo', seed: '1', items, models }, out: run })
  const { files } = await lab.export(run, { to: 'relic', out })
  const [folder = '', ...more] = readdirSync(join(out, 'data/grammars'))
  expect(more).toHaveLength(3)
  const inside = readdirSync(join(out, 'data/grammars', folder))
  expect(inside).toHaveLength(4 + 2 * models.length)
  expect(files).toBe(4 * inside.length)
  const [header, first = ''] = readFileSync(join(out, 'data/grammars', folder, 'filtered_samples.csv'), 'utf8').split(
    '\n',
  )
  expect(header).toBe('sample,parse_depth,type,length')
  expect(first).toMatch(/^t\d+(?: t\d+)*,\d+\.0,positive,\d+$/)
  const [string = '', , , length] = first.split(',')
  expect(string.split(' ')).toHaveLength(Number(length))

  const found = await lab.import('relic', out, { out: back })
  expect(
    found.kind === 'release' && [found.counts['labelMismatches'], found.counts['sizeMismatches'], found.problems],
  ).toEqual([0, 0, []])
  const [was, is] = [await tablesOf(lab, run), await tablesOf(lab, back)]
  expect(is.map(({ id }) => id)).toEqual(was.map(({ id }) => id))
  // Grammars may come in another order: intervals that are resampled move with it, nothing else does.
  const numbers = (tables: typeof was) =>
    tables.map(({ rows }) =>
      rows
        .map((row) => Object.entries(row).map(([key, value]) => [key, point(value)]))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    )
  expect(numbers(is)).toEqual(numbers(was))
  // Table 2 has the compression ratio of the positives, drawn or imported.
  expect(was.find(({ id }) => id === 'relic/table2')?.rows[0]).toHaveProperty('compression')
}, 240_000)

const point = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'value' in value
    ? Number(Number(value.value).toFixed(9))
    : typeof value === 'number'
      ? Number(value.toFixed(9))
      : value
