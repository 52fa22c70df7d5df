import { describe, expect, it } from 'vitest'
import { pythonDict } from '../../../src/tasks/recoglab/importers/records.ts'
import { crc32c } from '../../../src/tasks/recoglab/importers/tfrecord.ts'
import { concat, example, read, record, tree, utf8 } from './release.ts'

const chain = 'Bea is older than Abe\nBea is younger than Cy\nIs Cy older than Abe?'

describe('TFRecord', () => {
  it('has the checksum of RFC 3720', () => {
    expect(crc32c(utf8.encode('123456789'))).toBe(0xe3069283)
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa)
  })
})

describe('published records', () => {
  const metadata = "{'distance': '2', 'entities': \"['Abe', 'Bea', 'Cy']\", 'answer': 'Yes'}"
  it('reads Python dicts', () => {
    expect(pythonDict(metadata).get('entities')).toBe("['Abe', 'Bea', 'Cy']")
  })

  it('reads comparison from JSONL and TFRecord, with predictions', async () => {
    const files = tree({
      'set_test.jsonl': `${JSON.stringify({ index: 0, question: chain, answer: 'Yes', alternative_answers: '', metadata })}\n${JSON.stringify({ index: 1, question: chain, answer: 'No', metadata })}\nbroken\n`,
      'more.tfrecord': concat(
        record(example({ index: 5, question: chain, answer: 'Yes', alternative_answers: '', metadata })),
      ),
      'set_test_predictions/x_prompt:P1_model:gemma-2b.json': JSON.stringify([
        { index: 0, pred: 'Answer: Yes' },
        { index: 1, exception: 'timeout' },
        { index: 9, pred: 'x' },
      ]),
      'set_test_predictions/x_prompt:P1_model:gemma-2b_parse:BASE.json': '[]',
    })
    const all = await read('recoglab-comparison', files)
    const items = all.filter((entry) => entry.kind === 'item')
    expect(items.map(({ key, answer }) => [key, answer])).toEqual([
      ['set_test/0', 'Yes'],
      ['set_test/1', 'No'],
      ['more/5', 'Yes'],
    ])
    expect(items[2]?.given).toMatchObject({
      relation: 'age',
      entities: ['Abe', 'Bea', 'Cy'],
      statements: [
        [0, 1],
        [1, 2],
      ],
      ask: { first: 2, second: 0, word: 'greater' },
    })
    const problems = all.flatMap((entry) => (entry.kind === 'problem' ? [entry.problem] : []))
    expect(problems.sort()).toEqual([
      'label-mismatch',
      'malformed',
      'no-response',
      'parsed-predictions',
      'unknown-item',
    ])
    expect(all.filter((entry) => entry.kind === 'response')).toMatchObject([
      { item: 'set_test/0', model: 'gemma-2b', style: 'published-p1', text: 'Answer: Yes' },
    ])
  })

  it('reads syllogisms', async () => {
    const question =
      'All cats are pets\nNo pets are stones\nWhich of the following is true?\nAll cats are stones\nNo cats are stones\nSome cats are stones\nSome cats are not stones'
    const all = await read(
      'recoglab-syllogism',
      tree({ 's.jsonl': JSON.stringify({ question, answer: 'No cats are stones' }) }),
    )
    expect(all.map((entry) => entry.kind)).toEqual(['count', 'group', 'item'])
  })

  it('reads families, and tells an ambiguous person', async () => {
    const family = (name: string, people: string[]) =>
      JSON.stringify(
        {
          'Family Name': name,
          Address: '1 Oak St, Town, CA 12345',
          Members: people.map((person, i) => ({ Name: person, Age: 20 + i, Hobbies: ['chess'] })),
        },
        null,
        2,
      )
    const question = `${family('Reed', ['Al', 'Bo'])}\n${family('Wood', ['Cy', 'Cy'])}\n`
    const ask = (text: string, answer: string) =>
      read('recoglab-families', tree({ 'f.jsonl': JSON.stringify({ question: question + text, answer }) }))
    const size = await ask(
      'How many members are in the Reed family living on 1 Oak St, Town, CA 12345? Answer as a single number.',
      '2',
    )
    expect(size.map((entry) => entry.kind)).toEqual(['count', 'group', 'item'])
    const hobby = await ask(
      'Is chess a hobby of Cy from the Wood family living on 1 Oak St, Town, CA 12345? Answer with Yes or No.',
      'Yes',
    )
    expect(hobby).toMatchObject([{ kind: 'problem', problem: 'unread-question' }])
  })
})
