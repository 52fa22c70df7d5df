import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject, Task } from '../../../src/core/index.ts'
import { readResponses, responseReaders } from '../../../src/extras/exchange/imports.ts'
import { parseGraph } from '../../../src/libraries/graphs/parse-graph.ts'
import { byName } from '../../../src/tasks/by-name.ts'
import { importEdictor } from '../../../src/tasks/pbebench/import/word-lists.ts'
import { importTexts } from '../importing.ts'
import { itemsOf, sourceOf } from '../recoglab/items.ts'
import { responsesOf } from './responses-of.ts'

/** Small inputs from real reports, which lie beside the repository, and what is right of each. */
const folder = join(import.meta.dirname, '../../../../shared/cases')
if (!existsSync(folder)) console.warn('../shared/cases is not there: its files are not read')
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')

interface Case {
  readonly id: string
  readonly task: string
  readonly preset: string
  readonly text: string
}
const linesOf = (name: string): readonly Case[] =>
  textOf(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case)

/** What a parser makes of a response to an item with this answer (or to any); null: unparsed. */
async function read(parser: string, { task: name, preset, text }: Case, answer?: unknown) {
  const family = await byName[name.split('/')[0] ?? '']?.()
  const task = family?.tasks.find((one) => one.name === name) as Task
  const source = sourceOf(task, (task.presets[preset]?.config ?? {}) as JsonObject, 'test', '1')
  const items = itemsOf(source, answer === undefined ? 1 : 400)
  const item = answer === undefined ? items[0] : items.find((one) => one.answer === answer)
  if (item === undefined) throw new Error(`no item with the answer ${String(answer)}`)
  const question = { shared: item.shared, given: item.given, answer: item.answer }
  const found = task.parsers?.[parser]?.(text, question)
  return found?.kind === 'extracted' ? { said: found.answer, value: task.grade?.(question, found.answer).value } : null
}

describe.skipIf(!existsSync(folder))('cases', () => {
  it('thoughts', async () => {
    const expected = [null, null, 'Yes', 'Yes', null]
    for (const [k, one] of linesOf('thoughts.jsonl').entries())
      for (const parser of ['strict', 'lenient']) {
        const found = await read(parser, one)
        expect([one.id, parser, found === null ? null : JSON.stringify(found.said)]).toEqual([
          one.id,
          parser,
          expected[k] === null ? null : expect.stringMatching(/true|Yes|yes/),
        ])
      }
  })

  it('kinship with hyphens', async () => {
    const lines = linesOf('kinship-hyphens.jsonl')
    const answers = ['brother', 'mother', 'granddaughter', 'mother-in-law']
    const values = await Promise.all(lines.map(async (one, k) => (await read('lenient', one, answers[k]))?.value ?? 0))
    expect(values).toEqual([0, 0, 1, 1])
  })

  it('sound laws, each as it is written', async () => {
    const laws = [
      ['p > h / # _', '[voiced stop] > [voiceless] / # _'],
      ['p > h / # _', '[voiced stop] > [voiceless] / # _'],
      ['i > ∅ / C _ C V', '[high] > [close-mid] / _ C #', '[nasal] > ∅ / _ #'],
      ['p > h / # _', '[voiced stop] > [voiceless] / # _'],
    ]
    for (const [k, one] of linesOf('sound-law-notation.jsonl').entries())
      for (const parser of ['strict', 'lenient']) {
        expect([one.id, (await read(parser, one))?.said]).toEqual([one.id, { laws: [laws[k]] }])
      }
  })

  it('d3 with places, a word list of LingPy', async () => {
    expect(parseGraph(textOf('d3-names.json'))).toMatchObject({
      graph: {
        names: ['Ann', 'Ben', 'Cas', 'Dee'],
        edges: [
          [0, 1],
          [1, 2],
          [2, 3],
        ],
      },
    })
    const list = { 'list.tsv': textOf('lingpy-headers.tsv') }
    const messages = async (...ancestors: string[]) =>
      (await importTexts(importEdictor, list, ancestors)).flatMap((entry) => ('message' in entry ? entry.message : []))
    expect(await messages()).toContainEqual(expect.stringMatching(/--ancestor NAME. There are Northish, Southish, Old/))
    expect(await messages('Old Northish')).toContain('Old Northish and Southish share 2 words, 20 are wanted')
  })

  it('both archives of one log of Inspect hold the same six responses', async () => {
    const [zstd, deflated] = await Promise.all(
      ['inspect-zstd.eval', 'inspect-deflate.eval'].map((name) => responsesOf(readFileSync(join(folder, name)))),
    )
    expect(zstd).toHaveLength(6)
    expect(zstd).toEqual(deflated)
  })

  it.each([
    ['csv', 'csv-semicolon.csv', 6, 0],
    ['promptfoo', 'promptfoo-one-foreign-test.json', 6, 1],
    ['openai-batch', 'openai-batch-responses-endpoint.jsonl', 6, 0],
  ])('%s: %s', async (tool, name, taken, others) => {
    const reader = responseReaders[tool]
    if (reader === undefined) throw new Error(`no reader ${tool}`)
    const keys = new Map<string, never>()
    const found: object[] = []
    for await (const batch of readResponses(reader, [join(folder, name)], keys, null)) found.push(...batch)
    const count = (kind: string) => found.filter((one) => kind in one).length
    expect([count('text'), count('missing')]).toEqual([taken, others])
  })
})
