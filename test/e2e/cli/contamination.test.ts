import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const folder = scratch()
afterAll(folder.remove)

const careless = `
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line)
  process.stdout.write(JSON.stringify({ id, text: 'Yes' }) + '\\n')
}`

it('compares a model on two runs with one released before, and says which models there are', async () => {
  const script = folder.path('careless.mjs')
  writeFileSync(script, careless)
  const model = `exec:node ${script}`
  for (const [name, seed] of [
    ['published', '3'],
    ['fresh', '4'],
  ] as const) {
    const items = ['recoglab/comparison', '--preset', 'people', '--count', '40', '--seed', seed]
    const asked = ['--model', model, '--model', 'baseline:oracle', '--out', folder.path(name)]
    const run = await touchstone(['run', ...items, ...asked])
    expect(run.code, run.stderr).toBe(0)
  }
  // The commands of the page, with the folders and models of this test.
  const page = readFileSync(join(import.meta.dirname, '../../../docs/statistics.md'), 'utf8')
  const commands = [...page.matchAll(/^touchstone (analyze contamination .*)$/gmu)].map(([, words = '']) => words)
  expect(commands).toHaveLength(2)
  const shown = await json<{ calls: readonly { item: { id: string } }[] }>([
    'show',
    folder.path('published'),
    '--model',
    model,
  ])
  // The first answer of each item was published, of four that are right: "Yes" throughout, as the careless model says.
  const key = shown.calls.map(({ item }) => JSON.stringify({ item: item.id, answer: 'Yes', right: 4 }))
  writeFileSync(folder.path('key.jsonl'), key.join('\n'))
  const here: { readonly [word: string]: string } = {
    'runs/published': folder.path('published'),
    'runs/fresh': folder.path('fresh'),
    'openai:new': model,
    'openai:old': 'baseline:oracle',
    'key.jsonl': folder.path('key.jsonl'),
    feature_length: 'feature_relation',
  }
  for (const command of commands) {
    const asked = await touchstone(command.split(' ').map((word) => here[word] ?? word))
    expect(asked.code, asked.stderr).toBe(0)
    if (command.includes('--answer-key'))
      expect(asked.stdout).toMatch(new RegExp(`published answer to ${key.length} of ${key.length} items`, 'u'))
  }
  writeFileSync(folder.path('broken.jsonl'), '{"item":"x","answer":"Yes"}')
  const around = [
    'analyze',
    'contamination',
    folder.path('published'),
    folder.path('fresh'),
    '--reference',
    'baseline:oracle',
  ]
  const found = await json<{ result: { estimate: { value: number } } }>([...around, '--model', model])
  expect(found).toMatchObject({ schema: 'touchstone/contamination/1', result: { estimate: { n: 80 } } })
  // Answers are balanced, so that "Yes" is right as often on both sides.
  expect(found.result.estimate.value).toBeCloseTo(0, 5)
  const said = await touchstone([...around, '--model', 'nobody'])
  expect(said.code).toBe(2)
  expect(said.stderr).toMatch(/nobody has no outcome on published items. Models with outcomes:/)
  const broken = await touchstone([...around, '--model', model, '--answer-key', folder.path('broken.jsonl')])
  expect(broken.code).toBe(2)
  expect(broken.stderr).toMatch(/broken\.jsonl, line 1 is not/u)
})
