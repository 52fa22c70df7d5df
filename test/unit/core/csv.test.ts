import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvLines, csvRows, UsageError } from '../../../src/core/index.ts'

const rows = (text: string) => [...csvRows(text)]
const cell = fc
  .array(fc.constantFrom('a', ',', '"', '\n', '\r\n', '\r', ' ', 'é'), { maxLength: 6 })
  .map((s) => s.join(''))

/** A cell as RFC 4180 writes it, in quotes where it must be or by choice. */
const written = (text: string, always: boolean): string =>
  always || /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text

it('whatever cells are written is read again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
      fc.record({ quotes: fc.boolean(), end: fc.constantFrom('\n', '\r\n'), last: fc.boolean(), mark: fc.boolean() }),
      (table, { quotes, end, last, mark }) => {
        const lines = [['x', 'y', 'z'], ...table].map((row) => row.map((one) => written(one, quotes)).join(','))
        const text = (mark ? '\ufeff' : '') + lines.join(end) + (last ? end : '')
        expect(rows(text)).toEqual(table.map(([x, y, z]) => ({ x, y, z })))
      },
    ),
  )
})

it('empty lines are no rows, and what a short row lacks is empty', () => {
  expect(rows('')).toEqual([])
  expect(rows('x')).toEqual([])
  expect(rows('x\n\n1\n\n')).toEqual([{ x: '1' }])
  expect(rows('x,y\n\n1\n,\n1,2,,\n')).toEqual([
    { x: '1', y: '' },
    { x: '', y: '' },
    { x: '1', y: '2' },
  ])
})

it('what stands in no column is told, not dropped', () => {
  expect(() => rows('item,text\na,Yes\n\nb,Yes, Anna')).toThrow(/line 4 .* 3 cells, but the header has 2/u)
})

it('quotes that do not close, or close too soon, are told', () => {
  for (const text of ['"x', 'x\n"a""', 'x\n"a\nb']) expect(() => rows(text)).toThrow('that is never closed')
  expect(() => rows('x\n"a\nb"\n"c')).toThrow(new UsageError('the CSV file has a quote in line 4 that is never closed'))
  for (const text of ['x\n"a"b', 'x\n"a" ,b', '"x"\r1'])
    expect(() => rows(text)).toThrow(/^the CSV file has text after a closing quote in line \d$/u)
})

it('a row has the line at which it begins', () => {
  expect([...csvLines('x,y\n1,"a\nb"\n\n2,c\r\n3')].map(({ line, row }) => [line, row['x']])).toEqual([
    [2, '1'],
    [5, '2'],
    [6, '3'],
  ])
})
