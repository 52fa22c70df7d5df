import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'

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
