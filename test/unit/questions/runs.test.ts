import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'
import { answeringBaselines } from '../../../src/models/index.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchstone-own-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

it('a run of a file needs its own copy only: the original may change or go, the copy may not', async () => {
  const path = join(root, 'mine.csv')
  await writeFile(path, 'question,answer,topic\nq1,a,x\nq2,b,y\nq3,c,x\nq4,d,y\n')
  const out = join(root, 'run')
  const first = await openLab({ tasks: [path] })
  const experiment = { items: [{ task: path }], models: ['baseline:gold'] }
  expect((await first.run({ experiment, out, planOnly: true })).counts.pending).toBe(4)
  await appendFile(path, 'q5,e,x\n')
  await rm(path)

  const later = await openLab({ tasks: [] })
  expect((await later.resume(out)).counts.done).toBe(4)
  const { report } = await later.report(out, { formats: [] })
  expect(report.headline.join('\n')).toContain('Answers as given, nothing proves them: questions/mine.')
  expect(await later.verify(out)).toMatchObject({ mismatches: 0 })

  await appendFile(join(out, 'questions', 'mine.csv'), 'q6,f,x\n')
  await expect(later.report(out, { formats: [] })).rejects.toThrow('mine.csv has changed')
})

it('rows that cannot be asked are counted with their reasons before a run, after it and in a card', async () => {
  const path = join(root, 'bad.jsonl')
  const choices = ['ice', 'fire']
  const rows = [
    { question: 'cold?', choices, answer: 'ice' },
    { question: 'blue?', choices, answer: 'ocean' },
    { question: '', choices, answer: 'ice' },
    { question: 'green?', choices, answer: null },
    { question: 'hot?', choices, answer: 'sun' },
    { question: 'warm?', choices, answer: 'fire' },
  ]
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const lab = await openLab({ tasks: [path] })
  const text =
    'skipped 4 of 6 rows of bad.jsonl: row 2 has an answer that is none of its choices; row 3 has no question; row 4 has no answer; and 1 more'
  const experiment = { items: [{ task: path }], models: ['baseline:gold'] }
  expect(await lab.plan({ experiment })).toMatchObject({ calls: 2, warnings: [text] })
  expect(await lab.plan({ experiment, count: 2 })).toMatchObject({ calls: 2 })
  const run = await lab.run({ experiment, out: join(root, 'bad-run') })
  expect(run).toMatchObject({ counts: { done: 2 }, warnings: [text] })
  const out = join(root, 'bad')
  await lab.generate({ task: path, out })
  expect(await readFile(join(out, 'README.md'), 'utf8')).toContain(text)
  expect(await lab.verify(out)).toMatchObject({ mismatches: 0 })
})

it('baselines that pick among choices are none of a task with open answers', async () => {
  const baselines = async (name: string, row: object) => {
    const path = join(root, name)
    await writeFile(path, `${JSON.stringify(row)}\n`)
    return answeringBaselines((await openLab({ tasks: [path] })).task(path))
  }
  expect(await baselines('open.jsonl', { question: 'why?', answer: 'so' })).toEqual(['gold'])
  const closed = { question: 'cold?', choices: ['ice', 'fire'], answer: 'ice' }
  expect(await baselines('closed.jsonl', closed)).toEqual(expect.arrayContaining(['gold', 'majority', 'random']))
})

it('a dataset of a file can be verified; its card names no licence and says that answers are as given', async () => {
  const path = join(root, 'set.jsonl')
  const rows = Array.from({ length: 20 }, (_, n) => `${JSON.stringify({ question: `${n} + 1?`, answer: n + 1 })}\n`)
  await writeFile(path, rows.join(''))
  const out = join(root, 'set')
  const lab = await openLab({ tasks: [path] })
  await lab.generate({ task: path, out })
  expect(await lab.verify(out, { oracles: true })).toMatchObject({ mismatches: 0, regenerated: 20 })
  const card = await readFile(join(out, 'README.md'), 'utf8')
  expect(card).not.toContain('license:')
  expect(card).toContain('| licence | Under which licence may the items be used? | _for a person to say_ |')
  expect(card).toContain('Answers as given')
})
