import { expect, it } from 'vitest'
import { type FileTree, type Imported, MAX_LINE } from '../../../src/core/index.ts'
import { release } from '../../../src/tasks/relic/import/release.ts'

const CFG = "S -> A B\nA -> 'a'\nB -> 'b'\n"
const SAMPLES = 'sample,type\na b,positive\nb a,negative\n'
const result = (row: number): string =>
  `${JSON.stringify({ custom_id: `request-${row}`, response: { body: { model: 'm', choices: [{ message: { content: 'Yes' } }] } } })}\n`
const RESULTS = result(0) + result(1)
const asked = (row: number) => [{ role: 'user', content: `Is string ${row} in the language?` }]
const request = (row: number): string =>
  `${JSON.stringify({ custom_id: `request-${row}`, body: { messages: asked(row) } })}\n`

/** More characters than are read of one line. */
const LONG = Symbol('long')
type Part = string | typeof LONG

const tree = (files: { readonly [path: string]: readonly Part[] }): FileTree => ({
  async *list() {
    for (const path of Object.keys(files)) yield { path, bytes: 1 }
  },
  async *text(path) {
    for (const part of files[path] ?? [])
      if (typeof part === 'string') yield part
      else for (let given = 0; given <= MAX_LINE; given += CHUNK.length) yield CHUNK
  },
})
const CHUNK = 'x'.repeat(1 << 20)

async function read(changed: { readonly [path: string]: readonly Part[] } = {}) {
  const files = {
    'g/g.cfg': [CFG],
    'g/filtered_samples.csv': [SAMPLES],
    'g/batch_1_inputs.jsonl': [request(0), request(1)],
    'g/batch_1_results.jsonl': [RESULTS],
    ...changed,
  }
  const all: Imported[] = []
  for await (const entry of release.read(tree(files))) all.push(entry)
  return {
    problems: all.flatMap((e) => (e.kind === 'problem' ? [[e.problem, e.path, e.line]] : [])),
    items: all.flatMap((e) => (e.kind === 'item' ? [e.key] : [])),
    responses: all.flatMap((e) => (e.kind === 'response' ? [e.item] : [])),
    prompts: all.flatMap((e) => (e.kind === 'response' ? [e.prompt] : [])),
  }
}

it('a release is read without a problem', async () => {
  const keys = ['g/0', 'g/1']
  expect(await read()).toEqual({ problems: [], items: keys, responses: keys, prompts: [asked(0), asked(1)] })
})

it.each([
  ['g/g.cfg', [CFG, LONG], null, [], []],
  ['g/filtered_samples.csv', [LONG, '\n', SAMPLES], 1, [], []],
  // Rows keep their numbers: the long one was row 0.
  ['g/filtered_samples.csv', ['sample,type\n', LONG, '\nb a,negative\n'], 2, ['g/1'], ['g/1']],
  ['g/batch_1_inputs.jsonl', [request(0), LONG, '\n'], 2, ['g/0', 'g/1'], ['g/0', 'g/1']],
  ['g/batch_1_results.jsonl', [LONG, '\n', result(1)], 1, ['g/0', 'g/1'], ['g/1']],
] as const)('%s: what is too long is told, the rest is read', async (path, parts, line, items, responses) => {
  const found = await read({ [path]: parts })
  expect(found.problems).toContainEqual(['too-long', path, line])
  expect(found.items).toEqual(items)
  expect(found.responses).toEqual(responses)
})

it.each([1001, 5001, 100_000])('a row of %i tokens is told, the rest is read', async (tokens) => {
  const long = `${'a '.repeat(tokens - 1)}b`
  const found = await read({
    'g/filtered_samples.csv': [`sample,type,num_parses\n${long},negative,\n${long},positive,1\na b,positive,1\n`],
    'g/batch_1_results.jsonl': [result(0) + result(2)],
  })
  const samples = 'g/filtered_samples.csv'
  expect(found.problems).toEqual([
    ['unusable-row', samples, 2],
    ['unusable-row', samples, 3],
    ['unknown-item', 'g/batch_1_results.jsonl', 1],
    ['lost-line', 'g/batch_1_results.jsonl', null],
  ])
  expect(found.items).toEqual(['g/2'])
  expect(found.responses).toEqual(['g/2'])
})

it('a row of 1,000 tokens is read, its parses counted', async () => {
  const grammar = ['S -> A B', 'S -> A A', 'B -> A B', 'B -> A A', "A -> 'a'"]
  const found = await read({
    'g/g.cfg': [grammar.join('\n')],
    'g/filtered_samples.csv': [
      `sample,type,num_parses\n${'a '.repeat(999)}a,positive,1\n${'a '.repeat(20)}a,positive,7\n`,
    ],
  })
  expect(found.items).toEqual(['g/0', 'g/1'])
  expect(found.problems).toEqual([['parse-count-mismatch', 'g/filtered_samples.csv', 3]])
})

it.each([
  ['left-hand sides', Array.from({ length: 100_000 }, (_, i) => `N${i} -> A B`)],
  ['terminals', Array.from({ length: 20_000 }, (_, i) => `A -> 't${i}'`)],
  ['rules', Array.from({ length: 12_000 }, (_, i) => `N${i % 1000} -> N${(i + 1) % 1000} N${Math.floor(i / 1000)}`)],
])('a grammar of too many %s is told, other folders are read', async (_, rules) => {
  const found = await read({
    'h/h.cfg': [`${CFG}${rules.join('\n')}`],
    'h/filtered_samples.csv': [SAMPLES],
  })
  expect(found.problems).toEqual([['bad-file', 'h/h.cfg', null]])
  expect(found.items).toEqual(['g/0', 'g/1'])
})

const said = (row: number, content: string, reason?: string): string =>
  `${JSON.stringify({ custom_id: `request-${row}`, response: { body: { model: 'm', choices: [{ message: { content }, finish_reason: reason }] } } })}\n`

async function finishes(results: string) {
  const files = {
    'g/g.cfg': [CFG],
    'g/filtered_samples.csv': [SAMPLES],
    'g/batch_1_inputs.jsonl': [request(0), request(1)],
    'g/batch_1_results.jsonl': [results],
  }
  const out: string[] = []
  for await (const entry of release.read(tree(files))) if (entry.kind === 'response') out.push(entry.finish)
  return out
}

it('without a reason, reasoning that others of the batch close and this one does not was cut off', async () => {
  expect(await finishes(said(0, 'so it goes on') + said(1, 'thus</think> Yes'))).toEqual(['truncated', 'stop'])
  // Nobody closes: the model may not reason aloud.
  expect(await finishes(said(0, 'so it goes on') + said(1, '<think> thus'))).toEqual(['unknown', 'unknown'])
  // What the provider said counts.
  expect(await finishes(said(0, 'Yes', 'stop') + said(1, 'x</think> Yes', 'length'))).toEqual(['stop', 'truncated'])
})

it('the stated sizes of the positives are checked, and make the compression ratio', async () => {
  const files = (stats: string) => ({
    'g/g.cfg': [CFG],
    'g/filtered_samples.csv': [SAMPLES],
    'g/filtered_samples_stats.json': [stats],
  })
  // "a b\n" in gzip: 10 bytes of head, 6 of content, 8 of tail, and 30 of name.
  expect((await read(files('{"uncompressed_size": 4, "compressed_size": 54}'))).problems).toEqual([])
  expect((await read(files('{"uncompressed_size": 5, "compressed_size": 54}'))).problems).toEqual([
    ['size-mismatch', 'g/filtered_samples_stats.json', null],
  ])
  expect((await read(files('{"uncompressed_size": "4"}'))).problems).toEqual([
    ['bad-file', 'g/filtered_samples_stats.json', null],
  ])
  for await (const entry of release.read(tree(files('{}'))))
    if (entry.kind === 'item') expect(entry.features['compression']).toBeCloseTo(4 / 54, 5)
})
