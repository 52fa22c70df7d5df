import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ColumnSpec, Row } from '../../../src/store/columns.ts'
import { loadFrames, type RunFrames } from '../../../src/store/index.ts'
import { rowWriter } from '../../../src/store/rows.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'item', type: 'text' },
  { name: 'model', type: 'text' },
  { name: 'index', type: 'integer' },
  { name: 'feature_share', type: 'number' },
  { name: 'feature_legal', type: 'boolean' },
]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frame-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function written(rows: readonly Row[]): Promise<string> {
  const path = join(folder, `${Math.random()}.parquet`)
  const writer = await rowWriter(path, 'parquet', columns)
  await writer.write(rows)
  await writer.close()
  return path
}

/** What a frame must say of some rows: texts where they are, numbers and booleans as numbers. */
function plain(rows: readonly Row[]): readonly (readonly (string | number | null)[])[] {
  return rows.map((row) =>
    columns.map(({ name }) => {
      const value = row[name] ?? null
      return typeof value === 'boolean' ? Number(value) : (value as string | number | null)
    }),
  )
}

async function loaded(path: string, where?: string): Promise<readonly (readonly (string | number | null)[])[]> {
  return said(await loadFrames(path, where === undefined ? {} : { where }))
}

function said(frames: RunFrames): readonly (readonly (string | number | null)[])[] {
  const frame = frames.frame('strict')
  if (frame === null) throw new Error('there is no strict frame')
  const read = columns.map(({ name, type }) => {
    if (type === 'text') {
      const { codes, levels } = frame.category(name)
      expect(new Set(levels).size).toBe(levels.length)
      return (row: number) => levels[codes[row] as number] ?? null
    }
    const numbers = frame.number(name)
    return (row: number) => (Number.isNaN(numbers[row]) ? null : (numbers[row] as number))
  })
  return Array.from({ length: frame.length }, (_, row) => read.map((column) => column(row)))
}

/** A column of nothing, of one value, of few and of many, which come again at once or later. */
const texts = fc.oneof(
  fc.constant([null]),
  fc.constant(['one']),
  fc.array(fc.option(fc.string({ unit: 'grapheme', maxLength: 4 })), { minLength: 1, maxLength: 5 }),
)
const numbers = fc.oneof(
  fc.constant([null]),
  fc.constant([7]),
  fc.array(fc.option(fc.oneof(fc.integer({ min: -40_000, max: 40_000 }), fc.constant(2 ** 40))), {
    minLength: 1,
    maxLength: 5,
  }),
)

it('columns of nothing, of one value and of several are loaded as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      texts,
      numbers,
      fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: 1, maxLength: 3 }),
      fc.array(fc.option(fc.boolean()), { minLength: 1, maxLength: 3 }),
      fc.nat(40),
      async (items, models, indices, shares, legal, length) => {
        const rows = Array.from({ length }, (_, row) => ({
          item: items[row % items.length] ?? null,
          model: models[Math.floor(row / 3) % models.length] ?? null,
          index: indices[row % indices.length] ?? null,
          feature_share: shares[row % shares.length] ?? null,
          feature_legal: legal[row % legal.length] ?? null,
        }))
        // -0 and 0 are one number in Parquet's statistics and here.
        expect(JSON.stringify(await loaded(await written(rows)))).toBe(JSON.stringify(plain(rows)))
      },
    ),
    { numRuns: 25 },
  )
})

it('more texts than the database numbers, missing ones and runs of one text among them, with and without a condition', async () => {
  const rows = Array.from({ length: 9000 }, (_, row) => ({
    item: row % 7 === 3 ? null : `item ${Math.floor(row / 4)}`,
    model: `model ${row % 3}`,
    index: row,
    feature_share: row / 9000,
    feature_legal: row % 2 === 0,
  }))
  const path = await written(rows)
  expect(await loaded(path)).toEqual(plain(rows))
  const half = (row: Row): boolean => row['model'] !== 'model 1' && (row['index'] as number) > 2000
  expect(await loaded(path, 'model <> \'model 1\' AND "index" > 2000')).toEqual(plain(rows.filter(half)))
  const places = Int32Array.from(rows.keys()).filter((row) => half(rows[row] ?? {}))
  expect(said((await loadFrames(path)).ofRows(places))).toEqual(plain(rows.filter(half)))
})

it('a condition that cannot be used is told in words: what there is in its place, and what its columns hold', async () => {
  const path = await written([{ item: 'a', model: 'b', index: 1, feature_share: 0.5, feature_legal: true }])
  const said = async (where: string) => String(await loadFrames(path, { where }).catch((error: Error) => error.message))
  expect(await said('lenght(item) > 1')).toMatch(/no function "lenght" \(did you mean "length"\?\)/u)
  expect(await said('itm = 1')).toMatch(/no column "itm"; the nearest are item/u)
  expect(await said("feature_share > 'x'")).toContain("'x' stands where a number is needed (feature_share is a number)")
  expect(await said('item > 3')).toMatch(/a text cannot be compared with a number \(item is a text\)/u)
  expect(await said('upper(feature_share) = 1')).toContain('upper takes other values than a number')
  expect(await said('count(*) > 1')).toContain('one row at a time')
  expect(await said('item =')).toContain('something is missing at its end')
})
