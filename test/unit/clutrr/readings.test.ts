import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/index.ts'
import { kinship } from '../../../src/tasks/clutrr/kinship/task.ts'
import { itemsOf, sourceOf } from '../recoglab/items.ts'

const source = sourceOf(kinship, kinship.config.parse({ hops: 4 }) as JsonObject, 'test', 'unit')
const items = itemsOf(source, 12)
const question = { shared: items[0]?.shared, given: items[0]?.given }
const read = (parser: string, text: string): string | null => {
  const found = kinship.parsers?.[parser]?.(text, question as never)
  return found?.kind === 'extracted' ? (found.answer as string) : null
}

test.each([
  ['mother in law', 'mother-in-law'],
  ['She is his mother in law.', 'mother-in-law'],
  ['step-mother', null],
  ['step mother', null],
  ['great-aunt', null],
  ['Ann is her great aunt.', null],
  ['brother-in-law', null],
  ['brother (in law)', null],
  ['mother--in--law', 'mother-in-law'],
  ['mother_in_law', 'mother-in-law'],
  ["his brother's wife", null],
  ["It is his wife's brother", null],
  ['Answer: brother\nExplanation: Ann is the mother of Bob and the sister of Cid.', 'brother'],
  ['Tom is his brother in law.', null],
  ['Tom is his half-brother.', null],
  ['grandmother-in-law', null],
  ['aunt', 'aunt'],
  ['mother\u2011in\u2011law', 'mother-in-law'],
  ['mother\u2013in\u2013law', 'mother-in-law'],
  ['brother\u2011in\u2011law', null],
  ['grand-daughter', 'granddaughter'],
  ['grand\u00addaughter', 'granddaughter'],
  ['Great-great-grandmother', null],
  ['She is his grandmother\u2011in\u2011law.', null],
  ['stepbrother', null],
  ['adopted son', null],
  ["So he is her mother's brother.", null],
  ['So he is the brother of her mother.', null],
  ["Answer: uncle (her mother's brother)", 'uncle'],
  ['<answer>daughter</answer> He is the son.', 'daughter'],
  ['\\boxed{\\textbf{aunt}}', 'aunt'],
])('%j says %j: a relation outside of the eighteen is not the one that its word ends in', (text, relation) => {
  expect(read('lenient', text)).toBe(relation)
})

test('reasoning that is never closed is a null as published', () => {
  expect(read('published', '<think>aunt or')).toBeNull()
  expect(read('published', '<think>aunt?</think>\nuncle')).toBe('uncle')
  expect(read('published', '')).toBeNull()
})

test.each(Object.keys(kinship.baselines ?? {}))('baseline %s answers to the letter, as its prompt asks', (name) => {
  const baseline = kinship.baselines?.[name]
  for (const item of items) {
    const asked = { shared: item.shared, given: item.given }
    const text = baseline?.kind === 'chat' ? baseline.answer(asked, source.baselineDraws(item.index, name)) : ''
    expect(read('published', text)).toBe(read('strict', text))
    if (name === 'oracle') expect(read('published', text)).toBe(item.answer)
  }
})
