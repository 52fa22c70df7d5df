import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, expect, it } from 'vitest'
import { folderTree, readParquet } from '../../../src/store/index.ts'
import type { ParquetHead } from '../../../src/store/parquet-child.ts'

const folder = await mkdtemp(join(tmpdir(), 'parquet-'))
afterAll(() => rm(folder, { recursive: true }))

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>

async function written(name: string, columnData: ColumnSource[], options: Options = {}): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData, ...options })))
  return path
}

async function rowsOf(path: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const batch of readParquet(path)) rows.push(...batch)
  return rows
}

const lines = async (name: string): Promise<string> => {
  let text = ''
  for await (const piece of folderTree(folder).text(name)) text += piece
  return text
}

/** A block of LZ4 that holds its bytes as they are. */
function lz4(input: Uint8Array): Uint8Array {
  const more = input.length < 15 ? [] : Array.from({ length: Math.floor((input.length - 15) / 255) }, () => 255)
  const head = input.length < 15 ? [input.length << 4] : [0xf0, ...more, (input.length - 15) % 255]
  return Uint8Array.from([...head, ...input])
}

it.each<readonly [codec: NonNullable<Options['codec']>, pack: (input: Uint8Array) => Uint8Array]>([
  ['GZIP', (input) => gzipSync(input)],
  ['BROTLI', (input) => brotliCompressSync(input)],
  ['LZ4_RAW', lz4],
])('reads what others packed by %s', async (codec, pack) => {
  const data = Array.from({ length: 300 }, (_, i) => `text ${i % 7}`)
  const path = await written(`${codec}.parquet`, [{ name: 'x', data, type: 'STRING' }], {
    codec,
    compressors: { [codec]: pack },
  })
  expect(await rowsOf(path)).toEqual(data.map((x) => ({ x })))
})

it('reads types that this program does not write: nested ones, JSON, moments; in batches and as lines', async () => {
  const path = await written('nested.parquet', [
    { name: 'json', data: [{ a: [1, 2] }, null], type: 'JSON' },
    { name: 'at', data: [new Date('2026-01-02T03:04:05Z'), null], type: 'TIMESTAMP' },
    { name: 'big', data: [7n, 2n ** 40n], type: 'INT64' },
    { name: 'small', data: [7, -1], type: 'INT32' },
  ])
  expect(await rowsOf(path)).toEqual([
    { json: '{"a":[1,2]}', at: '2026-01-02T03:04:05.000Z', big: 7, small: 7 },
    { json: null, at: null, big: 2 ** 40, small: -1 },
  ])
  expect((await lines('nested.parquet')).split('\n')[0]).toBe(
    '{"json":{"a":[1,2]},"at":"2026-01-02T03:04:05.000Z","big":7,"small":7}',
  )
  const heads: ParquetHead[] = []
  for await (const _ of readParquet(path, undefined, (head) => heads.push(head)));
  expect(heads.map(({ columns }) => columns.map(({ type }) => type))).toEqual([['json', 'json', 'integer', 'json']])
})

it('refuses an integer beyond 2^53, which would be another one', async () => {
  const path = await written('huge.parquet', [{ name: 'x', data: [2n ** 53n + 1n], type: 'INT64' }])
  await expect(rowsOf(path)).rejects.toThrow(/an integer beyond 2\^53 cannot be read: 9007199254740993/u)
})

it('an integer that no number holds, and a text that is no JSON, are faults of the file in words', async () => {
  const path = await written('odd.parquet', [
    { name: 'big', data: [2n ** 60n], type: 'INT64' },
    { name: 'value', data: ['{"a":'], type: 'STRING' },
  ])
  const read = async (columns: Parameters<typeof readParquet>[1]) => {
    for await (const _ of readParquet(path, columns));
  }
  const words = { kind: 'store', message: expect.stringMatching(/is not a readable Parquet file/u) as string }
  await expect(read([{ name: 'big', type: 'integer' }])).rejects.toMatchObject(words)
  await expect(read([{ name: 'value', type: 'json' }])).rejects.toMatchObject(words)
})

it('damaged bytes that state any number of values end in words, and this process goes on', async () => {
  const data = Array.from({ length: 400 }, (_, i) => (i < 200 ? null : 'a'))
  const path = await written('damaged.parquet', [{ name: 'x', data, type: 'STRING' }])
  const bytes = await readFile(path)
  // 200 times "missing" and 200 times "there" become 2^30 times "missing".
  const at = bytes.indexOf('900300900301', 0, 'hex')
  expect(at).toBeGreaterThan(0)
  bytes.write('feffffff0700', at, 'hex')
  await writeFile(path, bytes)
  await expect(rowsOf(path)).rejects.toMatchObject({
    kind: 'store',
    code: 'damaged',
    message: expect.stringMatching(/rows take (?:longer|more memory)/u) as string,
  })
})
