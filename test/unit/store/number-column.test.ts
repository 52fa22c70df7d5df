import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsNumber, NumberColumn, numbersAt, wideNumbers } from '../../../src/store/number-column.ts'

const value = fc.oneof(
  fc.constant(Number.NaN),
  fc.integer({ min: -0x8001, max: 0x8001 }),
  fc.constantFrom(-0x8000, 0x7fff, 2 ** 31, -(2 ** 53) + 1, Number.POSITIVE_INFINITY),
  fc.double({ noNaN: true }),
)
/** Mostly of one kind, so that columns of two bytes are common. */
const values = fc.oneof(fc.array(fc.integer({ min: -300, max: 300 })), fc.array(value, { size: 'small' }))

function columnOf(list: readonly number[]) {
  const column = new NumberColumn(list.length)
  list.forEach((one, at) => {
    column.set(at, one)
  })
  return column.done()
}

describe('a column of numbers', () => {
  test('gives what was put in, missing or not, whole or taken in parts', () => {
    fc.assert(
      fc.property(values, (list) => {
        const held = columnOf(list)
        const same = (a: Iterable<number>, b: Iterable<number>) => expect([...a].map(zero)).toEqual([...b].map(zero))
        same(wideNumbers(held), list)
        const odd = Int32Array.from(list.keys()).filter((row) => row % 2 === 1)
        same(
          wideNumbers(numbersAt(held, odd)),
          list.filter((_, row) => row % 2 === 1),
        )
        expect(holdsNumber(held)).toBe(list.some((one) => !Number.isNaN(one)))
      }),
    )
  })

  test('is widened once for all who use it', () => {
    const held = columnOf([1, 2, Number.NaN])
    expect(held.held).toBeInstanceOf(Int16Array)
    expect(wideNumbers(held)).toBe(wideNumbers(held))
  })

  test('holds nothing of rows before its first number and after its last, nor of the rows of others', () => {
    const column = new NumberColumn(100_000)
    column.put(40_000, Float64Array.of(1, Number.NaN, 0.5))
    const held = column.done()
    expect([held.held.byteLength, numbersAt(held, Int32Array.of(0, 40_000, 40_001)).held.byteLength]).toEqual([24, 8])
    expect(holdsNumber(numbersAt(held, Int32Array.of(0, 40_001, 99_999)))).toBe(false)
  })
})

/** No number of a run tells the two zeros apart. */
const zero = (one: number): number => (one === 0 ? 0 : one)
