import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Analysis, column } from '../../../src/core/index.ts'
import { makeReport, writeReport } from '../../../src/report/index.ts'
import { framesOf } from '../../../src/store/index.ts'
import { framesFromRows, runColumns, specsOf } from '../../mock/run-columns.ts'
import { inventedRows, inventedTask } from './invented.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('writeReport', () => {
  it('writes what it lists, the same bytes twice', async () => {
    const frames = await framesFromRows(inventedRows(60))
    const input = { run: 'r', frames, tasks: [inventedTask()] }
    const { files } = await writeReport({ ...input, out: join(folder, 'a') })
    await writeReport({ ...input, out: join(folder, 'b') })
    const found = (await readdir(join(folder, 'a'), { recursive: true })).filter((name) => name.includes('.'))
    expect([...found].sort()).toEqual([...files].sort())
    for (const file of files) {
      expect(await readFile(join(folder, 'a', file), 'utf8')).toBe(await readFile(join(folder, 'b', file), 'utf8'))
    }
  })

  it('writes tables and figures of an analysis that two tasks share apart, each with the rows of its task', async () => {
    const counted: Analysis = {
      id: 'invented/items',
      title: 'Items by length',
      needs: ['task'],
      run: (frame) => ({
        tables: [
          {
            id: 'invented/items',
            title: 'Items',
            columns: [column.number('rows', 'Rows'), column.share('half', 'Half')],
            rows: [{ rows: frame.length, half: 0.5 }],
          },
        ],
        figures: [
          {
            id: 'invented/items',
            title: `Of ${frame.length} rows`,
            table: 'invented/items',
            x: { key: 'rows', label: 'Rows' },
            y: { key: 'half', label: 'Half' },
            marks: [{ kind: 'point', y: 'half' }],
          },
        ],
      }),
    }
    const tasks = ['invented/parity', 'invented/other'].map((name) => ({ ...inventedTask([counted]), name }))
    const rows = inventedRows(40).map((row, i) => (i < 30 ? row : { ...row, task: 'invented/other' }))
    const { files, report } = await writeReport({ run: 'r', frames: await framesFromRows(rows), tasks, out: folder })
    expect(new Set(files).size).toBe(files.length)
    const own = report.analyses.filter(({ id }) => id.startsWith('invented/items'))
    expect(own.map(({ id, task }) => [id, task])).toEqual([
      ['invented/items', 'invented/parity'],
      ['invented/items/invented/other', 'invented/other'],
    ])
    const csv = (name: string) => readFile(join(folder, 'tables', `${name}.csv`), 'utf8')
    expect(await csv('invented-items')).toMatch(/\n30,/)
    expect(await csv('invented-items-invented-other')).toMatch(/\n90,/)
    const page = await readFile(join(folder, 'index.html'), 'utf8')
    for (const title of ['Of 30 rows', 'Of 90 rows']) expect(page.match(new RegExp(`>${title}<`, 'gu'))).toHaveLength(1)
  })

  it('writes only the formats asked for', async () => {
    const frames = await framesFromRows(inventedRows(40))
    const { files } = await writeReport({ run: 'r', frames, tasks: [], out: folder, formats: ['json'] })
    expect(files).toEqual(['report.json'])
    expect(await readdir(folder)).toEqual(['report.json'])
  })

  it('reads columns of the store as it reads rows', async () => {
    const rows = inventedRows(120)
    const direct = makeReport({ run: 'r', frames: await framesFromRows(rows), tasks: [inventedTask()] })
    const stored = makeReport({ run: 'r', frames: framesOf(runColumns(specsOf(rows), rows)), tasks: [inventedTask()] })
    expect(stored).toEqual(direct)
  })
})
