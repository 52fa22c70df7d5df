import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Json, sortedJson } from '../../../src/core/index.ts'
import type { ColumnSpec, Row } from '../../../src/store/index.ts'
import { formatOf, readRows, rowWriter } from '../../../src/store/rows.ts'
import { sample } from '../../nightly.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'id', type: 'text' },
  { name: 'index', type: 'integer' },
  { name: 'given', type: 'json' },
  { name: 'feature_length', type: 'number' },
  { name: 'feature_legal', type: 'boolean' },
]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rows-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function readAll(path: string): Promise<Row[]> {
  const out: Row[] = []
  for await (const batch of readRows(path, columns)) out.push(...batch)
  return out
}

async function writeAll(path: string, rows: readonly Row[]) {
  const writer = await rowWriter(path, formatOf(path) ?? 'jsonl', columns)
  await writer.write(rows)
  return writer.close()
}

// JSON.parse of Node 24.21 takes an escaped key for one that it read at that place before: `"` for `\\`, in any program.
const anyKey = fc.string().filter((key) => !/["\\]/u.test(key))
const anyRow = fc.record({
  id: fc.string({ unit: 'grapheme' }),
  index: fc.maxSafeInteger(),
  given: fc.option(fc.dictionary(anyKey, fc.oneof(fc.integer(), fc.string(), fc.boolean()))),
  feature_length: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  feature_legal: fc.option(fc.boolean()),
})

// -0 and 0 are one number in JSON.
const plain = (rows: readonly Row[]): unknown => JSON.parse(JSON.stringify(rows))

describe.each(['jsonl', 'parquet'] as const)('%s', (format) => {
  it('is the same file where JSON is written already', async () => {
    const rows: readonly Row[] = [
      { id: 'a', given: { b: ['x"', null], a: 1 } },
      { id: 'b', given: 'text' },
      { id: 'c', given: null },
    ]
    const one = await writeAll(join(folder, `one.${format}`), rows)
    const written = columns.map(
      (column): ColumnSpec => (column.type === 'json' ? { ...column, type: 'written' } : column),
    )
    const writer = await rowWriter(join(folder, `two.${format}`), format, written)
    await writer.write(
      rows.map((row) => ({ ...row, given: row['given'] === null ? null : sortedJson(row['given'] as Json) })),
    )
    expect((await writer.close()).sha256).toBe(one.sha256)
  })

  it('gives back what was written, in order', async () => {
    let n = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 20 }), async (rows) => {
        const path = join(folder, `${n++}.${format}`)
        await writeAll(path, rows)
        expect(plain(await readAll(path))).toEqual(plain(rows))
      }),
      { numRuns: 20 },
    )
  })

  it('streams more rows than a chunk holds and says rows, bytes and hash of the file', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => ({
      id: `item ${i}`,
      index: i,
      given: { text: [i, `"${i}"`] },
      feature_length: i / 8,
      feature_legal: i % 2 === 0,
    }))
    const path = join(folder, `many.${format}`)
    const file = await writeAll(path, rows)
    const bytes = await readFile(path)
    expect(file).toEqual({
      path,
      rows: 5000,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    expect(await readAll(path)).toEqual(rows)
  })

  it('reads back thousands of long texts', async () => {
    const path = join(folder, `long.${format}`)
    const textOf = (id: number): string => `${id} `.repeat(6000)
    const writer = await rowWriter(path, format, columns)
    const rows = sample({ nightly: 5000, otherwise: 1000 })
    for (let first = 0; first < rows; first += 1000)
      await writer.write(Array.from({ length: 1000 }, (_, i) => ({ id: textOf(first + i), index: first + i })))
    await writer.close()
    let next = 0
    for await (const batch of readRows(path, columns))
      for (const row of batch) if (row['index'] === next && row['id'] === textOf(next)) next++
    expect(next).toBe(rows)
  }, 60_000)

  it('leaves nothing behind until it is closed, nor when aborted or refused', async () => {
    const path = join(folder, `part.${format}`)
    const writer = await rowWriter(path, format, columns)
    await writer.write([{ id: 'a', index: 1 }])
    expect(await readdir(folder)).not.toContain(`part.${format}`)
    await writer.abort()
    expect(await readdir(folder)).toEqual([])
  })

  it('refuses a value that does not fit its column', async () => {
    const writer = await rowWriter(join(folder, `wrong.${format}`), format, columns)
    const wrong = async (): Promise<void> => {
      await writer.write([{ id: 'a', index: 1.5 }])
      await writer.close()
    }
    await expect(wrong()).rejects.toThrow('column "index" holds integer or null, got 1.5')
    await writer.abort()
  })

  it('says which folder is missing', async () => {
    await expect(rowWriter(join(folder, 'no', `x.${format}`), format, columns)).rejects.toThrow(
      /no such file or folder/u,
    )
    await expect(readAll(join(folder, `none.${format}`))).rejects.toThrow(/no such file or folder/u)
  })
})

it('writes the same JSONL bytes for the same rows, keys of JSON values sorted', async () => {
  const path = join(folder, 'x.jsonl')
  await writeAll(path, [{ id: 'a', index: 0, given: { b: 1, a: [null] } }])
  expect(await readFile(path, 'utf8')).toBe(
    '{"id":"a","index":0,"given":{"a":[null],"b":1},"feature_length":null,"feature_legal":null}\n',
  )
})

it('tells the line of a torn JSONL file', async () => {
  const path = join(folder, 'torn.jsonl')
  await writeFile(path, '{"id":"a"}\n\n{"id":')
  await expect(readAll(path)).rejects.toThrow(/torn\.jsonl: line 3 is not JSON/u)
})

it('says that a torn Parquet file is damaged', async () => {
  const path = join(folder, 'torn.parquet')
  const whole = join(folder, 'whole.parquet')
  await writeAll(whole, [{ id: 'a', index: 0 }])
  const bytes = await readFile(whole)
  await writeFile(path, bytes.subarray(0, bytes.length / 2))
  await expect(readAll(path)).rejects.toMatchObject({ kind: 'store', code: 'damaged' })
})
