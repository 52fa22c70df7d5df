import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { About, ExportQuestion } from '../../../src/extras/exchange/line.ts'
import { questionExports } from '../../../src/extras/exchange/questions.ts'

const about: About = {
  name: 'set',
  split: 'test',
  version: '0',
  created: '2026-01-01T00:00:00Z',
  model: 'MODEL',
  maxTokens: 10,
  detail: 'full',
  perPerson: null,
  scripts: null,
}

async function testsOf(
  asked: Pick<ExportQuestion, 'gold'> & { readonly prompt: string; readonly accepted: readonly string[] },
) {
  const { prompt, accepted, gold } = asked
  const question: ExportQuestion = {
    item: 'toy/claim@1/test/0/0',
    task: 'toy/claim',
    config: 'plain',
    style: 'zero-shot',
    group: 'g',
    draw: 'd',
    stratum: 0,
    features: {},
    solution: null,
    request: { kind: 'chat', messages: [{ role: 'user', content: prompt }] },
    gold,
    choices: accepted.length === 0 ? null : accepted,
    right: () => accepted,
  }
  const files = new Map<string, string>()
  const sink = {
    append: async (path: string, text: string) => void files.set(path, (files.get(path) ?? '') + text),
    whole: () => Promise.reject(new Error('no file is written whole')),
  }
  async function* page() {
    yield [question]
  }
  await questionExports['promptfoo']?.write(page(), sink, about)
  return JSON.parse(files.get('tests.jsonl') ?? '') as {
    readonly vars: { readonly prompt: string }
    readonly metadata: { readonly gold?: string }
    readonly assert?: readonly [{ readonly value: string }]
  }
}

test('an answer that is listed must stand at the end, whatever signs it has', async () => {
  const gold = fc.string({ unit: fc.constantFrom(...'a.*+?()[]{}|^$\\/-:, '), minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(gold, gold, async (right, other) => {
      const { metadata, assert } = await testsOf({ prompt: 'Which?', gold: right, accepted: [right] })
      expect(metadata.gold).toBe(right)
      const pattern = new RegExp(assert?.[0].value ?? '')
      expect(pattern.test(`Well.\n${right}\n`)).toBe(true)
      const ends = Array.from(other, (_, n) => n + 1).filter((n) => other.slice(n).trim() === '')
      expect(pattern.test(other)).toBe(ends.some((n) => other.slice(0, n).endsWith(right)))
    }),
  )
})

test('any of several right answers passes', async () => {
  const { assert } = await testsOf({ prompt: 'Which?', gold: 'Answer: a', accepted: ['Answer: a', 'Answer: b'] })
  const pattern = new RegExp(assert?.[0].value ?? '')
  for (const [text, passes] of [
    ['Answer: a', true],
    ['Well.\nAnswer: b\n', true],
    ['Answer: c', false],
  ] as const)
    expect(pattern.test(text)).toBe(passes)
})

test('where answers are not listed nothing is asserted, and what has no gold answer says none', async () => {
  expect(await testsOf({ prompt: 'Write.', gold: 'a', accepted: [] })).not.toHaveProperty('assert')
  const open = await testsOf({ prompt: 'Write.', gold: null, accepted: [] })
  expect(open).not.toHaveProperty('assert')
  expect(open.metadata).not.toHaveProperty('gold')
})

test.each(['file:///etc/passwd', 'package:a:b'])(
  'a prompt that would be taken for a file is refused: %s',
  async (prompt) => {
    await expect(testsOf({ prompt, gold: null, accepted: [] })).rejects.toThrow('promptfoo would read a file')
  },
)

test('a prompt is no template: promptfoo, which renders variables, gives it as it is', async () => {
  const pieces = fc.array(fc.constantFrom('{', '}', '#', '%', ' ', 'env.HOME', "'", '{{ 7*7 }}'), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      pieces.map((parts) => parts.join('')),
      async (prompt) => {
        const { vars } = await testsOf({ prompt, gold: null, accepted: [] })
        // Its only marks are of single signs, which are rendered as themselves.
        const marks = /\{\{ '([{#])' \}\}/gu
        expect(vars.prompt.replaceAll(marks, '$1')).toBe(prompt)
        expect(vars.prompt.replaceAll(marks, '_')).not.toMatch(/\{[{%#]|#\}/u)
      },
    ),
  )
})
