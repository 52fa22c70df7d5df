import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { itemColumns } from '../../../src/datasets/columns.ts'
import { generate } from '../../../src/datasets/index.ts'
import { readParquet } from '../../../src/store/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { scratch } from '../../mock/context.ts'

const tasks = families.flatMap((family) => family.tasks)

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(() => remove())

describe('a feature', () => {
  it.each(tasks.map((task) => [task.name, task] as const))('of %s has a plain type', (_, task) => {
    const nested = itemColumns(task).filter(({ name, type }) => name.startsWith('feature_') && type === 'json')
    expect(nested).toEqual([])
  })

  it('that may be null is stored as what it is', async () => {
    const task = tasks.find(({ name }) => name === 'relic/recognize')
    if (task === undefined) throw new Error('no task relic/recognize')
    const { config } = task.preset('relic-demo')
    const out = join(folder, 'set')
    await generate({
      task,
      preset: 'relic-demo',
      config,
      split: 'held-out',
      seed: '1',
      out,
      format: 'parquet',
      witnesses: false,
      generator: { package: 'test', version: '0', node: 'v24' },
      created: '2000-01-01T00:00:00.000Z',
    })
    const kinds = new Set<unknown>()
    const parses = new Set<string>()
    // As any reader of Parquet finds it: no columns are said.
    for await (const rows of readParquet(join(out, 'items-00000.parquet')))
      for (const row of rows) {
        kinds.add(row['feature_kind'])
        parses.add(typeof row['feature_parses'])
      }
    expect(kinds).toContain('edit')
    expect([...parses].sort()).toEqual(['number', 'object'])
    const card = await readFile(join(out, 'README.md'), 'utf8')
    expect(card).toContain(
      [
        'configs:',
        '- config_name: items',
        '  default: true',
        '  data_files:',
        '  - split: "held_out"',
        '    path: "items-*.parquet"',
        '- config_name: groups',
      ].join('\n'),
    )
  })
})
