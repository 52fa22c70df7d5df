import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { framesFromRows, makeReport, writeReport } from '../../../src/report/index.ts'
import { type ColumnSpec, loadFrames, parquetWriter } from '../../../src/store/index.ts'
import { inventedRows, inventedTask, type Row } from './invented.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const specs = (rows: readonly Row[]): ColumnSpec[] => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return names.map((name) => {
    const value = rows.map((row) => row[name]).find((one) => one !== null && one !== undefined)
    return { name, type: typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'boolean' : 'number' }
  })
}

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

  it('writes only the formats asked for', async () => {
    const frames = await framesFromRows(inventedRows(40))
    const { files } = await writeReport({ run: 'r', frames, tasks: [], out: folder, formats: ['json'] })
    expect(files).toEqual(['report.json'])
    expect(await readdir(folder)).toEqual(['report.json'])
  })

  it('reads Parquet through the store as it reads rows', async () => {
    const rows = inventedRows(120)
    const path = join(folder, 'rows.parquet')
    const writer = await parquetWriter(path, specs(rows))
    await writer.write(rows)
    await writer.close()
    const direct = makeReport({ run: 'r', frames: await framesFromRows(rows), tasks: [inventedTask()] })
    const stored = makeReport({ run: 'r', frames: await loadFrames(path), tasks: [inventedTask()] })
    expect(stored).toEqual(direct)
  })
})
