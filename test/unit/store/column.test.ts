import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Column,
  columnAt,
  holdsValue,
  NumberBuilder,
  TextBuilder,
  wideNumbers,
} from '../../../src/store/rows/column.ts'

const value = fc.oneof(
  fc.constant(Number.NaN),
  fc.integer({ min: -0x8001, max: 0x8001 }),
  fc.constantFrom(-0x8000, 0x7fff, 2 ** 31, -(2 ** 53) + 1, Number.POSITIVE_INFINITY),
  fc.double({ noNaN: true }),
)
/** Mostly of one kind, so that columns of two bytes are common. */
const values = fc.oneof(fc.array(fc.integer({ min: -300, max: 300 })), fc.array(value, { size: 'small' }))

function columnOf(list: readonly number[]): Column {
  const builder = new NumberBuilder(list.length)
  list.forEach((one, at) => {
    builder.set(at, one)
  })
  return builder.done()
}

function numbersOf(column: Column) {
  if (column.kind === 'text') throw new Error('not a column of numbers')
  return column.numbers
}

describe('a column of numbers', () => {
  test('gives what was put in, missing or not, whole or taken in parts', () => {
    fc.assert(
      fc.property(values, (list) => {
        const held = columnOf(list)
        const same = (a: Column, b: Iterable<number>) =>
          expect([...wideNumbers(numbersOf(a))].map(zero)).toEqual([...b].map(zero))
        same(held, list)
        const odd = Int32Array.from(list.keys()).filter((row) => row % 2 === 1)
        same(
          columnAt(held, odd),
          list.filter((_, row) => row % 2 === 1),
        )
        expect(holdsValue(held)).toBe(list.some((one) => !Number.isNaN(one)))
      }),
    )
  })

  test('is widened once for all who use it', () => {
    const held = numbersOf(columnOf([1, 2, Number.NaN]))
    expect(held.held).toBeInstanceOf(Int16Array)
    expect(wideNumbers(held)).toBe(wideNumbers(held))
  })

  test('holds nothing of rows before its first number and after its last, nor of the rows of others', () => {
    const builder = new NumberBuilder(100_000)
    builder.set(40_000, 1)
    builder.set(40_002, 0.5)
    const held = builder.done()
    const bytes = (column: Column): number => numbersOf(column).held.byteLength
    expect([bytes(held), bytes(columnAt(held, Int32Array.of(0, 40_000, 40_001)))]).toEqual([24, 8])
    expect(holdsValue(columnAt(held, Int32Array.of(0, 40_001, 99_999)))).toBe(false)
  })
})

describe('a column of texts', () => {
  test.each([1, 127, 128, 129, 32_768, 32_769])('of %d different ones gives them back in their order', (count) => {
    const builder = new TextBuilder(count + 1)
    for (let row = 0; row < count; row++) builder.set(row, `text ${row}`)
    const column = builder.done()
    if (column.kind === 'number') throw new Error('not a column of texts')
    expect(column.levels).toHaveLength(count)
    expect([...column.codes]).toEqual([...Array.from({ length: count }, (_, row) => row), -1])
    expect(columnAt(column, Int32Array.of(count, count - 1, 0))).toMatchObject({
      levels: [...new Set([`text ${count - 1}`, 'text 0'])],
    })
  })

  test('makes texts well-formed, so that they are as files hold them', () => {
    const builder = new TextBuilder(2)
    builder.set(0, 'a\ud800')
    builder.set(1, 'a\ufffd')
    expect(builder.done()).toMatchObject({ levels: ['a\ufffd'], codes: Int8Array.of(0, 0) })
  })
})

/** No number of a run tells the two zeros apart. */
const zero = (one: number): number => (one === 0 ? 0 : one)
