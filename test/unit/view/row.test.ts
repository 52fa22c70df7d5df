import { beforeAll, expect, test } from 'vitest'
import type { Item, Json, JsonObject, Source, Task } from '../../../src/core/index.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { pastedRow } from '../../../src/view/client/parts/pasted-row.ts'
import { findRow } from '../../../src/view/client/tasks/generated.ts'

const folders = { first: 0, count: 24 }
let task: Task
let source: Source
let item: Item
beforeAll(() => {
  task = comparison
  source = task.source(task.preset('people').config, { split: 'test', seed: '3' })
  item = source.item(17) as Item
})
const find = (row: JsonObject) => findRow(task, source, row, folders)
const line = (): JsonObject => {
  const { kind: _kind, ...rest } = item
  return JSON.parse(JSON.stringify(rest)) as JsonObject
}

test('a row is found by its index, its id, its hash, or by what it says', () => {
  const { id, hash, given, answer } = line()
  for (const row of [
    { index: 17 },
    { id },
    { hash },
    { given, answer },
    { given: JSON.stringify(given) },
  ] as JsonObject[]) {
    const found = find(row)
    if (found.kind !== 'item') throw new Error(`${JSON.stringify(row).slice(0, 40)}: ${found.kind}`)
    expect(found.item.id).toBe(item.id)
    expect(found.fields.length).toBeGreaterThan(0)
    expect(found.fields.every(({ same }) => same)).toBe(true)
  }
  const gold = task.gold?.(item)
  const whole = find({ ...line(), answer: gold ?? '' })
  expect(whole.kind === 'item' && whole.fields.every(({ same }) => same)).toBe(true)
})

test('whatever is changed in a row is told, with what it should be', () => {
  const other = source.item(3) as Item
  const changes: JsonObject[] = [
    { answer: other.answer === item.answer ? 'something else' : other.answer },
    { given: other.given },
    { hash: other.hash },
    { id: item.id.replace('/test/', '/train/') },
    { feature_distance: 99 },
  ]
  for (const change of changes) {
    const found = find({ ...line(), ...change })
    if (found.kind !== 'item') throw new Error(found.kind)
    expect(found.fields.filter(({ same }) => !same).map(({ name }) => name)).toEqual(Object.keys(change))
  }
})

test('what is no row of the set is told apart: beyond its end, nowhere, unnamed', () => {
  expect(find({ index: 24 })).toEqual({ kind: 'outside', index: 24 })
  expect(find({ index: -1 })).toEqual({ kind: 'outside', index: -1 })
  expect(find({ id: 'x@1/test/000000000000/999' })).toEqual({ kind: 'outside', index: 999 })
  expect(find({ hash: '0'.repeat(64) })).toEqual({ kind: 'nowhere', looked: 24 })
  expect(find({ given: { a: 1 } })).toEqual({ kind: 'nowhere', looked: 24 })
  expect(find({})).toEqual({ kind: 'unnamed' })
  expect(find({ index: 0.5, hash: 3 })).toEqual({ kind: 'unnamed' })
  const evil = find(JSON.parse('{"index": 3, "__proto__": {"x": 1}, "constructor": 1, "toString": 2}') as JsonObject)
  expect(evil.kind === 'item' && evil.fields.map(({ name }) => name)).toEqual(['index'])
})

test.each<[string, Json]>([
  ['17', { index: 17 }],
  [' a-b/c@3/test/0123456789ab/9\n', { id: 'a-b/c@3/test/0123456789ab/9' }],
  ['f'.repeat(64), { hash: 'f'.repeat(64) }],
  ['{"index": 1}', { index: 1 }],
])('%s is read', (text, row) => {
  expect(pastedRow(text)).toEqual({ kind: 'row', row })
})

test.each([
  ['', /field is empty/],
  ['hello', /expected an index/],
  ['[1]', /expected an index/],
  ['{"index": 1', /complete line/],
  ['{"a": 1}\n{"a": 2}', /expected one line/],
  [`{"a": "${'x'.repeat(1_000_001)}"}`, /too long/],
  [`${'['.repeat(100_000)}`, /expected an index/],
  [`{"a": ${'['.repeat(100_000)}`, /complete line/],
  ['<script>alert(1)</script>', /expected an index/],
])('what is none is refused with a reason: %.30s', (text, why) => {
  const read = pastedRow(text)
  if (read.kind !== 'refused') throw new Error('it was read')
  expect(read.why).toMatch(why)
  expect(read.next).not.toBe('')
})
