import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ColumnSpec, framesOf, type Row, type RunFrames } from '../../../src/store/index.ts'
import { rowsWhere } from '../../../src/store/rows/where-clause.ts'
import { runColumns } from '../../mock/run-columns.ts'

const columns: readonly ColumnSpec[] = [
  { name: 'item', type: 'text' },
  { name: 'model', type: 'text' },
  { name: 'index', type: 'integer' },
  { name: 'feature_share', type: 'number' },
  { name: 'feature_legal', type: 'boolean' },
]

/** What a frame must say of some rows: texts where they are, numbers and booleans as numbers. */
function plain(rows: readonly Row[]): readonly (readonly (string | number | null)[])[] {
  return rows.map((row) =>
    columns.map(({ name }) => {
      const value = row[name] ?? null
      return typeof value === 'boolean' ? Number(value) : (value as string | number | null)
    }),
  )
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

it('columns of nothing, of one value and of several give what was put in', () => {
  fc.assert(
    fc.property(
      texts,
      texts,
      numbers,
      fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: 1, maxLength: 3 }),
      fc.array(fc.option(fc.boolean()), { minLength: 1, maxLength: 3 }),
      fc.nat(40),
      (items, models, indices, shares, legal, length) => {
        const rows = Array.from({ length }, (_, row) => ({
          item: items[row % items.length] ?? null,
          model: models[Math.floor(row / 3) % models.length] ?? null,
          index: indices[row % indices.length] ?? null,
          feature_share: shares[row % shares.length] ?? null,
          feature_legal: legal[row % legal.length] ?? null,
        }))
        const frames = framesOf(runColumns(columns, rows))
        expect(JSON.stringify(said(frames))).toBe(JSON.stringify(plain(rows)))
        expect(JSON.stringify([...frames.pages()].flat())).toBe(JSON.stringify(rows))
      },
    ),
    { numRuns: 25 },
  )
})

it('many texts, missing ones and runs of one text among them, with and without a condition', () => {
  const rows = Array.from({ length: 9000 }, (_, row) => ({
    item: row % 7 === 3 ? null : `item ${Math.floor(row / 4)}`,
    model: `model ${row % 3}`,
    index: row,
    feature_share: row / 9000,
    feature_legal: row % 2 === 0,
  }))
  const data = runColumns(columns, rows)
  const frames = framesOf(data)
  expect(said(frames)).toEqual(plain(rows))
  const half = (row: Row): boolean => row['model'] !== 'model 1' && (row['index'] as number) > 2000
  const places = rowsWhere(data, 'model <> \'model 1\' AND "index" > 2000')
  expect([...places]).toEqual([...rows.keys()].filter((row) => half(rows[row] ?? {})))
  expect(said(frames.ofRows(places))).toEqual(plain(rows.filter(half)))
})
