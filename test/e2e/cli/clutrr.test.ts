import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

interface Report {
  readonly analyses: readonly { readonly tables: readonly { readonly rows: readonly Row[] }[] }[]
}
interface Row {
  readonly model: string
  readonly part: string
  readonly items: number
  readonly accuracy: { readonly value: number }
  readonly nonNull: { readonly value: number } | null
  readonly nulls: number
}

const folder = scratch()
afterAll(folder.remove)
const run = folder.path('run')
const asked = folder.path('asked')

const head = 'id,story,query,target,target_text,f_comb'
const son = `"[Vera] asked her daughter, [Lotte]. [Lotte], and her brother [Emil]: ""no"".","('Vera', 'Emil')",16,son,daughter-brother`
const inLaw = `"[Ada] has a husband, [Otto]. [Otto] called his mother [Ina].","('Ada', 'Ina')",6,mother-in-law,husband-mother`
/** One part of four stories and one of two. */
const files = {
  'v1/gen_train234_test2to10/test.csv': [head, ...[1, 2, 3, 4].map((id) => `${id},${son}`)],
  'v1/rob_train_irr_23_test_all_23/test.csv': [head, ...[1, 2].map((id) => `${id},${inLaw}`)],
}

beforeAll(async () => {
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(folder.path(path)), { recursive: true })
    writeFileSync(folder.path(path), `${lines.join('\n')}\n`)
  }
  const imported = await json(['import', 'clutrr', folder.path('v1'), '--out', run])
  expect(imported).toMatchObject({ items: 6, chainsAgree: 6, problems: [] })
  const { code, stderr } = await touchstone([
    'run',
    run,
    '--style',
    'one-example',
    '--model',
    'baseline:random',
    '--out',
    asked,
  ])
  expect(code, stderr).toBe(0)
})

/** The answers a model gave in order of the files: right, with a full stop, capital, cut in thought; right after thinking, wrong. */
const said = [
  'son',
  'Son.',
  'daughter',
  '<think>Vera has two children</think>',
  '<think>a</think> mother-in-law ',
  'aunt',
]

it('asks a published story after one worked example and the eighteen relations', async () => {
  const prompts = folder.path('prompts.jsonl')
  expect((await touchstone(['export', asked, '--to', 'prompts', '--out', prompts])).code).toBe(0)
  const lines = readFileSync(prompts, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { item: string; style: string; messages: { content: string }[] })
  const prompt = lines[0]?.messages[0]?.content ?? ''
  expect(prompt.match(/^Example$/gm)).toHaveLength(1)
  expect(/one of these eighteen: (.+)\.( |$)/m.exec(prompt)?.[1]?.split('. ')[0]?.split(', ')).toHaveLength(18)
  expect(prompt).toContain('[Vera] asked her daughter, [Lotte]. [Lotte], and her brother [Emil]: "no".')
  expect(prompt).toMatch(/How is Emil related to Vera\?$/)
  // The chain of words that the file keeps is the solution, and "son" stands in the list alone.
  expect(prompt).not.toContain('daughter-brother')
  const answers = folder.path('answers.jsonl')
  writeFileSync(
    answers,
    lines
      .map(({ item, style }, i) => JSON.stringify({ item, style, model: 'mine', sample: 0, text: said[i] }))
      .join('\n'),
  )
  expect(await json(['import', 'responses', answers, '--out', asked])).toMatchObject({ responses: 6, problems: [] })
})

const rowsOf = async (parser: string): Promise<readonly Row[]> => {
  const report = await json<Report>(['report', asked, '--parser', parser, '--analysis', 'clutrr/nulls'])
  return (report.analyses[0]?.tables[0]?.rows ?? []).filter(({ model }) => model === 'mine')
}

it('gives accuracy, accuracy without nulls and nulls, of all and by part, to the letter as published', async () => {
  const rows = await rowsOf('published')
  expect(rows.map(({ part, items, nulls }) => [part, items, nulls])).toEqual([
    ['all', 6, 1],
    ['gen_train234_test2to10', 4, 1],
    ['rob_train_irr_23_test_all_23', 2, 0],
  ])
  // "Son." is wrong to the letter, and the empty answer is the one null.
  expect(rows.map(({ accuracy }) => accuracy.value)).toEqual([2 / 6, 1 / 4, 1 / 2])
  expect(rows.map(({ nonNull }) => nonNull?.value)).toEqual([2 / 5, 1 / 3, 1 / 2])
})

it('takes a full stop and a capital for what they are in the corrected match', async () => {
  const [all] = await rowsOf('lenient')
  expect(all).toMatchObject({ part: 'all', accuracy: { value: 3 / 6 }, nonNull: { value: 3 / 5 }, nulls: 1 })
})

it('from a folder that holds none of its files says what was looked for, and fails', async () => {
  mkdirSync(folder.path('nothing'), { recursive: true })
  const { code, stdout } = await touchstone(['import', 'clutrr', folder.path('nothing'), '--out', folder.path('none')])
  expect(code).toBe(1)
  expect(stdout).toMatch(/found nothing to import in .*nothing; searched for: .*CLUTRR/)
})
