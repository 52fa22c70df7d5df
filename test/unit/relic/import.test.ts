import { expect, it } from 'vitest'
import { type FileTree, type Imported, LONGEST_LINE } from '../../../src/core/index.ts'
import { release } from '../../../src/tasks/relic/import/release.ts'

const CFG = "S -> A B\nA -> 'a'\nB -> 'b'\n"
const SAMPLES = 'sample,type\na b,positive\nb a,negative\n'
const result = (row: number): string =>
  `${JSON.stringify({ custom_id: `request-${row}`, response: { body: { model: 'm', choices: [{ message: { content: 'Yes' } }] } } })}\n`
const RESULTS = result(0) + result(1)
const request = (row: number): string => `${JSON.stringify({ custom_id: `request-${row}`, body: {} })}\n`

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
      else for (let given = 0; given <= LONGEST_LINE; given += CHUNK.length) yield CHUNK
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
  }
}

it('a release is read without a problem', async () => {
  expect(await read()).toEqual({ problems: [], items: ['g/0', 'g/1'], responses: ['g/0', 'g/1'] })
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
