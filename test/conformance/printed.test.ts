import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PrintedTable } from '../../src/core/index.ts'
import { families } from '../../src/tasks/index.ts'

const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../shared')
const texts = join(shared, 'papers')

const PAPERS = [
  ['relic', 'relic.txt'],
  ['pbebench', 'pbebench.txt'],
  ['recoglab', 'recoglab.txt'],
  ['proficiency', 'formal-language-benchmark.txt'],
] as const

/** Printed in other words: `(0.5)^{23}`. */
const IN_WORDS = [`proficiency/figure2: ${0.5 ** 23}`]

/** The ways to print a number: with zeros at the end, without the one before the point, in thousands, as `19k`, as `2.92e-6`. */
function spellings(value: number): readonly string[] {
  const fixed = Array.from({ length: 7 }, (_, digits) => value.toFixed(digits)).filter((text) => Number(text) === value)
  return [
    ...fixed,
    ...fixed.map((text) => text.replace(/^(-?)0\./u, '$1.')),
    value.toExponential(),
    ...(Number.isInteger(value) ? [value.toLocaleString('en-US'), `${value / 1000}k`] : []),
  ]
}

/** A stroke between two numbers is that of a range. */
const numbersOf = (line: string): ReadonlySet<string> =>
  new Set(line.match(/(?:(?<!\d)-)?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+|k\b)?/gu) ?? [])

/** A cell that spans rows is printed in the first of them. */
const spans = (row: PrintedTable['rows'][number], before: PrintedTable['rows'][number] | undefined, key: string) =>
  before !== undefined && before[key] === row[key]

describe.skipIf(!existsSync(texts))(`printed results (skipped where ${texts} is absent)`, () => {
  it.each(PAPERS)('%s: the numbers of a row stand on one line of the paper', (name, file) => {
    const text = readFileSync(join(texts, file), 'utf8').replaceAll(/[−–]/gu, '-')
    const lines = text.split('\n').map(numbersOf)
    const printed = families.find((family) => family.name === name)?.paper?.printed ?? []
    const missing = printed.flatMap(({ id, columns, rows, readOff }) =>
      readOff !== undefined
        ? []
        : rows.flatMap((row, r) => {
            const [first] = columns
            // A column may number the rows, where the paper has none for it.
            const printedColumns = columns.filter(({ key }) => !rows.every((one, at) => one[key] === at + 1))
            const values = printedColumns.flatMap(({ key }) => {
              const value = row[key]
              return typeof value === 'number' && !(key === first?.key && spans(row, rows[r - 1], key)) ? [value] : []
            })
            const found = lines.some((line) => values.every((value) => spellings(value).some((one) => line.has(one))))
            return found ? [] : [`${id}: ${values.join(', ')}`]
          }),
    )
    expect(missing.filter((one) => !IN_WORDS.includes(one))).toEqual([])
    expect(printed.length).toBeGreaterThan(0)
  })

  it('a number that is not printed is missed', () => {
    const line = numbersOf('o3 | 70.4 ± 1.9 | .031 | 1,008 | 2.92e-6 | -0.5 | 250-1000 | 19k')
    const stands = (value: number) => spellings(value).some((one) => line.has(one))
    expect([70.4, 1.9, 0.031, 1008, 2.92e-6, -0.5, 250, 1000, 19_000].every(stands)).toBe(true)
    expect([70.5, 70, 0.31, 8, 2.92, 0.5, -1000, 19].some(stands)).toBe(false)
  })
})
