import { expect, it } from 'vitest'
import type { ColumnSpec, Row } from '../../../src/store/index.ts'
import { columnTypesIn, rowsWhere } from '../../../src/store/rows/where-clause.ts'
import { runColumns } from '../../mock/run-columns.ts'

const specs: readonly ColumnSpec[] = [
  { name: 'item', type: 'text' },
  { name: 'index', type: 'integer' },
  { name: 'group', type: 'text' },
  { name: 'answer@lenient', type: 'text' },
  { name: 'feature_share', type: 'number' },
  { name: 'feature_legal', type: 'boolean' },
  { name: 'feature_odd "name"', type: 'text' },
]
const rows: readonly Row[] = [
  { item: 'rx', index: 7, group: 'A', 'answer@lenient': "it's", feature_share: 0.5, feature_legal: true },
  { item: 'b', index: 1, group: 'a', feature_share: 0.25, feature_legal: false, 'feature_odd "name"': 'x' },
  { item: 'ü%', index: null, group: 'a' },
]
const columns = runColumns(specs, rows)
const places = (where: string): readonly number[] => [...rowsWhere(columns, where)]

it.each<readonly [where: string, rows: readonly number[]]>([
  ["item = 'rx'", [0]],
  ["item = 'rx' -- and so on", [0]],
  ["item IN ('rx', 'b') /* some */", [0, 1]],
  ["item NOT IN ('rx')", [1, 2]],
  ['1=1', [0, 1, 2]],
  ["')' <> item", [0, 1, 2]],
  ['index > 1', [0]],
  ['"index" BETWEEN 0 AND 3', [1]],
  ['"INDEX" IS NULL', [2]],
  ["index = '7'", [0]],
  ['index / 2 = 3.5', [0]],
  ['7 / 2 = 3.5', [0, 1, 2]],
  ["group = 'a'", [1, 2]],
  ["group LIKE 'A'", [0]],
  ["item LIKE 'ü%'", [2]],
  ['feature_legal', [0]],
  ['NOT feature_legal', [1]],
  ['feature_legal = true', [0]],
  ["feature_legal = 'true'", [0]],
  ["feature_legal <> 'true'", [1]],
  ["answer@lenient = 'it''s'", [0]],
  [`"answer@lenient" IS NOT NULL AND length("answer@lenient") = 4`, [0]],
  [`"feature_odd ""name""" = 'x'`, [1]],
  ["contains(item, 'x') OR starts_with(item, 'ü')", [0, 2]],
  ["regexp_matches(item, '^[rb]')", [0, 1]],
  ["CASE WHEN feature_share >= 0.5 THEN item ELSE group END = 'rx'", [0]],
  ['coalesce(feature_share, 0) < 0.3', [1, 2]],
  ['round(ln(exp(abs(-2)))) = 2', [0, 1, 2]],
  ["item = 'nothing'", []],
])('a condition holds for its rows: %s', (where, expected) => {
  expect(places(where)).toEqual(expected)
})

it.each([
  "1=1; COPY (SELECT 1) TO 'x'",
  '1=1) UNION SELECT (1',
  '1=1) OR (1=1',
  '1=1 THEN 1 END, CASE WHEN 1=1',
  "item = 'rx' LIMIT 0",
  '1=1 /*',
  '',
  'SET threads = 8',
  '(SELECT count(*) FROM rows) > 0',
  'item IN (VALUES (1))',
  'EXISTS (SELECT 1 FROM sqlite_schema)',
  'rowid = 1',
  'rows.item = 1',
  "item = 'rx",
  '(item = 1',
  `item = '${'x'.repeat(20_000)}'`,
])('what is more than one expression, or none, is refused: %s', (where) => {
  expect(() => rowsWhere(columns, where)).toThrow(/is not one SQL expression/u)
})

it.each<readonly [where: string, message: RegExp]>([
  ['lenght(item) > 1', /unknown function "lenght" \(did you mean "length"\?\)/u],
  ['itm = 1', /unknown column "itm"; the nearest are item/u],
  ['legl', /unknown column "legl"; the nearest are feature_legal/u],
  ['"itm" = 1', /unknown column "itm"; the nearest are item/u],
  ["feature_share > 'x'", /feature_share is a number and is compared with the text 'x'/u],
  ["'x' < feature_share", /feature_share is a number and is compared with the text 'x'/u],
  ["feature_share IN (0.5, 'x')", /feature_share is a number and is compared with the text 'x'/u],
  ["feature_share BETWEEN 0 AND 'x'", /feature_share is a number and is compared with the text 'x'/u],
  ["feature_legal = 'yes'", /feature_legal is true or false and is compared with the text 'yes'/u],
  ['item > 3', /item is a text and is compared with the number 3; texts stand in single quotes/u],
  ['count(*) > 1', /one row at a time/u],
  ['row_number() OVER () = 1', /one row at a time|not one SQL expression/u],
  ['item =', /something is missing at its end/u],
  ["regexp_matches(item, '(')", /cannot be used: Invalid regular expression/u],
  ["load_extension('x') = 1", /cannot be used/u],
  ['random() > 0', /cannot be used/u],
  ["readfile('/etc/passwd') <> ''", /unknown function "readfile"/u],
])('a condition that cannot be used is explained: %s', (where, message) => {
  expect(() => rowsWhere(columns, where)).toThrow(message)
})

it('more combinations than are judged at once', () => {
  const many = runColumns(
    specs,
    Array.from({ length: 45_000 }, (_, index) => ({ index, item: `item ${index % 3}` })),
  )
  const found = rowsWhere(many, "index >= 100 AND item <> 'item 1'")
  expect(found).toHaveLength(29_933)
  expect([found[0], found.at(-1)]).toEqual([101, 44_999])
})

it('tells what the columns of a condition hold', () => {
  expect(columnTypesIn("index = 1 AND item = 'x'", specs)).toBe('item is a text, index is a number')
  expect(columnTypesIn('1 = 1', specs)).toBe('')
})
