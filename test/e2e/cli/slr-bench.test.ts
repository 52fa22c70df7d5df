import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { record } from '../../unit/slr-bench/records.ts'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

interface Estimate {
  readonly value: number
}
interface Report {
  readonly analyses: readonly { readonly tables: readonly { readonly rows: readonly Row[] }[] }[]
}
interface Row {
  readonly model: string
  readonly tier: string
  readonly items: number
  readonly accuracy: Estimate
  readonly partial: Estimate
  readonly syntax: Estimate
  readonly nulls: number
}

const folder = scratch()
afterAll(folder.remove)
const run = folder.path('run')
const asked = folder.path('asked')

const block = (program: string): string => `\`\`\`prolog\n${program}\n\`\`\``
const rule = record['ground-truth rule']
/** Each a record of a tier of its own wording, and what a model says to it. */
const said = [
  ['basic', block(rule)],
  ['basic', `${block('eastbound(_).')}\nNo, better:\n${block(rule)}`],
  ['basic', rule],
  ['hard', block('eastbound(T) :- has_car(T, C), car_len(C, long).')],
  ['hard', block('eastbound(T) :- has_car(T, C')],
  ['hard', '<think>one of the cars is red, so'],
] as const

beforeAll(async () => {
  mkdirSync(folder.path('v1-All'))
  writeFileSync(
    folder.path('v1-All/test.jsonl'),
    said
      .map(([tier], i) => JSON.stringify({ ...record, prompt: `${record.prompt} (${i})`, 'curriculum tier': tier }))
      .join('\n'),
  )
  const imported = await json(['import', 'slr-bench', folder.path('v1-All'), '--out', run])
  expect(imported).toMatchObject({ items: 6, rulesAgree: 6, problems: [] })
  const { code, stderr } = await touchstone(['run', run, '--model', 'baseline:everything', '--out', asked])
  expect(code, stderr).toBe(0)
})

it('asks a published record in its own prompt, and nothing else', async () => {
  const prompts = folder.path('prompts.jsonl')
  expect((await touchstone(['export', asked, '--to', 'prompts', '--out', prompts])).code).toBe(0)
  const lines = readFileSync(prompts, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { item: string; style: string; messages: { content: string }[] })
  expect(lines.map(({ messages }) => messages.map(({ content }) => content))).toEqual(
    said.map((_, i) => [`${record.prompt} (${i})`]),
  )
  const answers = folder.path('answers.jsonl')
  writeFileSync(
    answers,
    lines
      .map(({ item, style }, i) => JSON.stringify({ item, style, model: 'mine', sample: 0, text: said[i]?.[1] }))
      .join('\n'),
  )
  expect(await json(['import', 'responses', answers, '--out', asked])).toMatchObject({ responses: 6, problems: [] })
})

it('gives accuracy, partial and syntax score and nulls, of all and by tier', async () => {
  const report = await json<Report>(['report', asked, '--parser', 'published', '--analysis', 'slr-bench/tiers'])
  const rows = (report.analyses[0]?.tables[0]?.rows ?? []).filter(({ model }) => model === 'mine')
  expect(rows.map(({ tier, items, nulls }) => [tier, items, nulls])).toEqual([
    ['all', 6, 1],
    ['basic', 3, 0],
    ['hard', 3, 1],
  ])
  expect(rows.map(({ accuracy }) => accuracy.value)).toEqual([3 / 6, 1, 0])
  // Nothing is cut to whole numbers.
  expect(rows.map(({ partial }) => partial.value)).toEqual([3.75 / 6, 1, 0.75 / 3])
  expect(rows.map(({ syntax }) => syntax.value)).toEqual([4 / 6, 1, 1 / 3])
})
