import { expect, it } from 'vitest'
import { lineId, lineNumber } from '../../../src/extras/batches/index.ts'

it.each([0, 7, 10, 999_999_999])('line %i of a batch is known by its name', (no) => {
  expect(lineNumber('ts-1', lineId('ts-1', no))).toBe(no)
})

it.each(['ts-1-00', 'ts-1-07', 'ts-1-', 'ts-1--1', 'ts-1-1e3', 'ts-1-1 ', 'ts-10-1', 'xts-1-1', 'ts-1-1234567890'])(
  '%s is the name of no line of it',
  (id) => expect(lineNumber('ts-1', id)).toBeNull(),
)
