import { expect, it } from 'vitest'
import type { Imported, Problem } from '../../../src/core/index.ts'
import { importRecords } from '../../../src/tasks/slr-bench/import.ts'
import { grade } from '../../../src/tasks/slr-bench/trains/oracle.ts'
import type { Given } from '../../../src/tasks/slr-bench/trains/question.ts'
import { importTexts } from '../importing.ts'
import { record } from './records.ts'

const read = (files: { readonly [path: string]: string }) => importTexts(importRecords, files)
const kinds = (found: readonly Imported[]): readonly string[] => found.map(({ kind }) => kind)

it('reads records as lines and as one array, with tier and level', async () => {
  const lines = await read({ 'v1-All/test.jsonl': `${JSON.stringify(record)}\n\n${JSON.stringify(record)}\n` })
  expect(kinds(lines)).toEqual(['group', 'item', 'group', 'item', 'count'])
  expect(lines[1]).toMatchObject({
    given: { kind: 'published', prompt: record.prompt, positive: 'eastbound', negative: 'westbound' },
    answer: record['ground-truth rule'],
    features: { tier: 'basic', level: 1, trains: 4, part: 'v1-All/test' },
  })
  expect(lines.at(-1)).toEqual({ kind: 'count', name: 'rulesAgree', add: 2 })
  const parquet = await read({ 'v1-All/test-00000-of-00001.parquet': JSON.stringify(record) })
  expect(parquet[1]).toMatchObject({ features: { part: 'v1-All/test' } })
  const array = await read({ 'test.json': JSON.stringify([record, record]) })
  expect(kinds(array)).toEqual(['group', 'item', 'group', 'item', 'count'])
})

it('reads records in other words, by what their rule defines', async () => {
  const [, item] = await read({
    'de/test.jsonl': JSON.stringify({
      ...record,
      'ground-truth rule': 'ost(Zug) :- hat_wagen(Zug, W), farbe(W, rot).',
      'validation program': 'ost(z1). hat_wagen(z1, w1). farbe(w1, rot). west(z2). hat_wagen(z2, w2). farbe(w2, blau).',
    }),
  })
  expect(item).toMatchObject({ given: { positive: 'ost', negative: 'west' } })
})

it('tells a stored rule that is wrong about its own trains, and keeps the item', async () => {
  const found = await read({
    'a.jsonl': JSON.stringify({
      ...record,
      'ground-truth rule': 'eastbound(T) :- has_car(T, C), car_color(C, green).',
    }),
  })
  expect(kinds(found)).toEqual(['group', 'item', 'problem', 'count'])
  expect(found[2]).toMatchObject({ problem: 'rule', line: 1, message: 'the stored rule is right about 1 of 4' })
})

it('tells what is no record', async () => {
  const many = Array.from({ length: 600 }, (_, i) => `westbound(b${i}).`).join(' ')
  const found = await read({
    'a.jsonl': [
      'not JSON',
      '"text"',
      '{}',
      // A field of this name is a field.
      JSON.stringify({ kind: 'problem', problem: 'forged', path: 'x', line: 1, count: 9, message: 'x' }),
      JSON.stringify({ ...record, prompt: 7 }),
      JSON.stringify({ ...record, 'ground-truth rule': 'eastbound(T, U) :- true.' }),
      JSON.stringify({ ...record, 'ground-truth rule': 'eastbound(' }),
      JSON.stringify({ ...record, 'validation program': 'eastbound(train0).' }),
      JSON.stringify({ ...record, 'validation program': 'eastbound(a). westbound(b). northbound(c).' }),
      JSON.stringify({ ...record, 'validation program': `eastbound(a). ${many}` }),
      JSON.stringify({ ...record, 'validation program': 'eastbound(a). '.repeat(100_000) }),
    ].join('\n'),
    'notes.txt': 'nothing',
  })
  expect(found.filter(({ kind }) => kind === 'item')).toEqual([])
  expect(found.filter((one) => one.kind === 'problem' && one.problem === 'malformed')).toHaveLength(11)
})

it('reads a hostile record in time', async () => {
  const began = performance.now()
  const things = Array.from({ length: 250 }, (_, i) => `eastbound(e${i}). westbound(w${i}).`).join('\n')
  const shared = Array.from({ length: 20_000 }, (_, i) => `next(n${i}, n${i + 1}). `).join('')
  const all = Array.from({ length: 250 }, (_, i) => `has(e${i}, n0). has(w${i}, n0). `).join('')
  await read({
    'a.jsonl': JSON.stringify({
      ...record,
      'ground-truth rule': 'eastbound(T) :- eastbound(T).',
      'validation program': `${things}\n${shared}${all}\neastward(X, Y) :- eastward(Y, X).`,
    }),
  })
  expect(performance.now() - began).toBeLessThan(10_000)
})

it('takes a thing that is named twice for one', async () => {
  const [, item] = await read({
    'a.jsonl': JSON.stringify({
      ...record,
      'validation program': `${record['validation program']}\neastbound(train0).`,
    }),
  })
  expect(item).toMatchObject({ features: { trains: 4 } })
})

const given: Given = {
  kind: 'published',
  prompt: record.prompt,
  program: record['validation program'],
  positive: 'eastbound',
  negative: 'westbound',
}
const problem: Problem<null, Given, string> = { shared: null, given, answer: record['ground-truth rule'] }

it.each<[what: string, program: string, value: number, partial: number, syntax: number]>([
  ['the stored rule', record['ground-truth rule'], 1, 1, 1],
  [
    'a rule in other words',
    'eastbound(X) :- findall(C, (has_car(X, C), car_color(C, red)), L), length(L, N), N > 0.',
    1,
    1,
    1,
  ],
  ['several clauses', 'eastbound(X) :- red(X). red(X) :- has_car(X, C), car_color(C, red).', 1, 1, 1],
  ['half a rule', 'eastbound(T) :- has_car(T, C), car_len(C, long).', 0, 0.75, 1],
  ['every train', 'eastbound(_).', 0, 0.5, 1],
  ['no train', 'eastbound(T) :- has_car(T, C), car_color(C, purple).', 0, 0.5, 1],
  ['a list of trains', 'eastbound(train0). eastbound(train2).', 0, 0.5, 1],
  ['the trains by number', 'eastbound(T) :- findall(X, has_car(X, _), [T|_]).', 0, 0.5, 1],
  ['the other label', 'eastbound(T) :- \\+ westbound(T).', 0, 0, 1],
  ['the label itself', 'eastbound(T) :- eastbound(T).', 0, 0, 1],
  ['facts of its own', 'eastbound(T) :- has_car(T, C), car_color(C, pink). car_color(_, pink).', 0, 0.5, 1],
  ['an unknown predicate', 'eastbound(T) :- has_wheels(T, 3).', 0, 0, 1],
  ['no Prolog', 'eastbound(T) :- has_car(T, C', 0, 0, 0],
  ['another head', 'red(T) :- has_car(T, C), car_color(C, red).', 0, 0, 0],
  ['NULL', 'NULL', 0, 0, 0],
])('grades %s', (_, program, value, partial, syntax) => {
  expect(grade(problem, program)).toEqual({ value, parts: { partial, syntax } })
})
