import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parquetWriter, readParquet } from '../../../src/store/index.ts'

const root = await mkdtemp(join(tmpdir(), 'touchstone-reach-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const names = ['r*', 'rx', 'r?', '[r]x', "o'neil", 'with space']
for (const name of names) {
  await mkdir(join(root, name))
  const writer = await parquetWriter(join(root, name, 'rows.parquet'), [{ name: 'x', type: 'text' }])
  await writer.write([{ x: name }])
  await writer.close()
}

it.each(names)('a Parquet file is read alone, whatever its folder is called: %s', async (name) => {
  const rows = []
  for await (const batch of readParquet(join(root, name, 'rows.parquet'))) rows.push(...batch)
  expect(rows).toEqual([{ x: name }])
})
