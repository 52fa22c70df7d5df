import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { scratch } from './cli.ts'
import { touchstone } from './here.ts'

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
    expect(files).toHaveLength(22)
    expect(readdirSync(second).sort()).toEqual(files)
    for (const file of files)
      expect(readFileSync(join(second, file), 'utf8')).toBe(readFileSync(join(first, file), 'utf8'))
    expect(readFileSync(join(first, 'dyck-2-r0-1024.txt'), 'utf8')).toMatch(/^\n(?:[^\n]+\n){1024}$/u)
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
