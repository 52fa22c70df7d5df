import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadFrames, parquetWriter, readParquet } from '../../../src/store/index.ts'

const root = await mkdtemp(join(tmpdir(), 'touchstone-reach-'))
afterAll(() => rm(root, { recursive: true, force: true }))

async function rowsIn(folder: string): Promise<string> {
  await mkdir(join(root, folder))
  const path = join(root, folder, 'rows.parquet')
  const writer = await parquetWriter(path, [{ name: 'x', type: 'text' }])
  await writer.write([{ x: folder }])
  await writer.close()
  return path
}

const names = ['r*', 'rx', 'r?', '[r]x', "o'neil", 'with space']
const paths = new Map<string, string>()
for (const name of names) paths.set(name, await rowsIn(name))

describe('a file of rows', () => {
  it.each(names)('is read alone, whatever its folder is called: %s', async (name) => {
    const path = paths.get(name) as string
    expect((await loadFrames(path)).frame('strict')?.category('x').levels).toEqual([name])
    const rows = []
    for await (const batch of readParquet(path)) rows.push(...batch)
    expect(rows).toEqual([{ x: name }])
  })
})

describe('--where (M7)', () => {
  const path = paths.get('rx') as string
  const secret = join(root, 'secret.txt')
  const evil = join(root, 'evil.csv')

  it.each(["x = 'rx'", "x = 'rx' -- and so on", "x IN ('rx', 'b')", '1=1', "')' <> x"])(
    'takes an expression: %s',
    async (where) => {
      expect((await loadFrames(path, { where })).length).toBe(1)
    },
  )

  it.each([
    `1=1; COPY (SELECT 1) TO '${evil}'`,
    `1=1); COPY (SELECT 1) TO '${evil}'; SELECT (1=1`,
    '1=1) UNION SELECT (1',
    "x = 'rx' LIMIT 0",
    '1=1 /*',
    '',
    'SET threads = 8',
    'INSTALL httpfs',
  ])('refuses what is more, or none: %s', async (where) => {
    await expect(loadFrames(path, { where })).rejects.toThrow(/is not one SQL expression/u)
    expect(existsSync(evil)).toBe(false)
  })

  it('reaches no other file and no network', async () => {
    await writeFile(secret, 'rx')
    const other = paths.get('r?') as string
    for (const source of [
      `read_text('${secret}')`,
      `read_parquet('${other}')`,
      `'${other}'`,
      `glob('${root}/*')`,
      "read_csv('https://localhost/x')",
    ])
      await expect(loadFrames(path, { where: `(SELECT COUNT(*) FROM ${source}) > 0` })).rejects.toThrow(
        /cannot be used/u,
      )
  })
})
