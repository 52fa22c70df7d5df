import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { json, touchstone } from './here.ts'

const { path, remove } = scratch()
afterAll(remove)
const task = 'proficiency/discriminate'
const config = ['--set', 'languages=[dyck-2]', '--set', 'repetitions=1', '--set', 'examples=[0]', '--set', 'tests=4']

describe('export of what a task makes', () => {
  it('writes the training sets of a config or of a dataset’s, the same for every seed', async () => {
    const [first, second, data] = [path('first'), path('second'), path('data')]
    expect(await touchstone(['export', task, ...config, '--to', 'training', '--out', first])).toMatchObject({ code: 0 })
    expect((await touchstone(['generate', task, ...config, '--seed', '7', '--out', data])).code).toBe(0)
    expect((await touchstone(['export', data, '--to', 'training', '--out', second])).code).toBe(0)
    const files = readdirSync(first).sort()
    expect(files).toHaveLength(23)
    expect(readdirSync(second).sort()).toEqual(files)
    for (const file of files)
      expect(readFileSync(join(second, file), 'utf8')).toBe(readFileSync(join(first, file), 'utf8'))
    expect(readFileSync(join(first, 'dyck-2-r0-1024.txt'), 'utf8')).toMatch(/^\n(?:[^\n]+\n){1024}$/u)
    expect(JSON.parse(readFileSync(join(first, 'recipe.json'), 'utf8'))).toMatchObject({ batch: 8, warmup: 0.05 })
    const chat = JSON.parse(readFileSync(join(first, 'dyck-2-r0-1.jsonl'), 'utf8'))
    expect(chat.messages.map((message: { role: string }) => message.role)).toEqual(['user', 'assistant'])
  })

  it.each([
    [
      [task, '--to', 'trainings', '--out', path('x')],
      /to "trainings" \(did you mean "training"\?\); choose one of prompts, rows, parquet, training/u,
    ],
    [[task, '--to', 'training'], /missing --out: --to training writes files/u],
    [['proficiency/generate', '--to', 'training', '--out', path('x')], /choose one of prompts, rows/u],
  ])('%j is a usage error', async (args, message) => {
    const { code, stderr } = await touchstone(['export', ...args])
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })
})

describe('the responses of a run as one table', () => {
  it('has a row a response, whose correct ones are those of the report; CSV and Parquet say the same', async () => {
    const odd = path('odd.mjs')
    writeFileSync(
      odd,
      `import { createInterface } from 'node:readline'
let n = 0
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(JSON.stringify({ id: JSON.parse(line).id, text: n++ % 3 === 0 ? '=1+1, "who"\\nknows?' : 'Yes' }) + '\\n')`,
    )
    const run = path('run')
    const models = ['--model', 'baseline:gold', '--model', `exec:node ${odd}`]
    await touchstone(['run', 'recoglab/comparison', '--count', '30', ...models, '--out', run])
    for (const to of ['csv', 'parquet'])
      expect((await touchstone(['export', run, '--to', to, '--out', path(`responses.${to}`)])).code).toBe(0)
    const rows = parse(readFileSync(path('responses.csv')), { columns: true }) as unknown as readonly {
      readonly [column: string]: string
    }[]
    type Report = {
      analyses: readonly { tables: readonly { rows: readonly { model: string; correct: number }[] }[] }[]
    }
    const { analyses } = await json<Report>(['report', run, '--analysis', 'core/accuracy'])
    const { calls } = await json<{ calls: readonly { item: { id: string } }[] }>(['show', run, '--limit', '1000'])
    const asked = new Set(calls.map(({ item }) => item.id)).size
    expect(asked).toBeGreaterThan(25)
    for (const { model, correct } of analyses[0]?.tables[0]?.rows ?? []) {
      const own = rows.filter((row) => row['model'] === model)
      expect(own).toHaveLength(asked)
      expect(own.filter((row) => row['correct'] === '1')).toHaveLength(correct)
    }
    const unparsed = rows.filter((row) => row['status'] === 'unparsed')
    expect(unparsed).toHaveLength(Math.ceil(asked / 3))
    // A spreadsheet would run it as a formula.
    for (const row of unparsed) expect([row['response'], row['correct']]).toEqual([`'=1+1, "who"\nknows?`, '0'])
    expect(rows.every((row) => (row['prompt'] ?? '').length > 50)).toBe(true)
    const bytes = readFileSync(path('responses.parquet'))
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    const stored = await parquetReadObjects({ file, compressors })
    expect(stored.map((row) => String(row['item']))).toEqual(rows.map((row) => row['item']))
    expect(Object.keys(stored[0] ?? {})).toEqual(Object.keys(rows[0] ?? {}))
    expect(stored.filter((row) => row['response'] === '=1+1, "who"\nknows?')).toHaveLength(unparsed.length)
  })

  it('is not written over a file', async () => {
    const { code, stderr } = await touchstone(['export', path('run'), '--to', 'csv', '--out', path('responses.csv')])
    expect([code, stderr]).toEqual([2, expect.stringContaining('exists. Choose another name')])
  })
})
