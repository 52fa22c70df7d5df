import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvRows } from '../../../src/core/index.ts'
import { judgeFamily } from '../../../src/extras/questions/judge.ts'
import { openLab, type RunComparison } from '../../../src/lab/index.ts'
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

it('shards are merged with what judges and people said of their responses', async () => {
  const path = join(root, 'parts.jsonl')
  const rows = Array.from({ length: 12 }, (_, n) => ({ question: `Say ${n}.`, answer: `${n}`, rubric: 'It says it.' }))
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const folders = await Promise.all(
    [0, 1].map(async (index) => {
      const [out, lab] = [join(root, `part-${index}`), await openLab({ tasks: [path] })]
      const experiment = { items: [{ task: path }], models: ['baseline:gold'] }
      await lab.run({ experiment, out, shard: { index, of: 2 } })
      const judges = { experiment: { models: ['baseline:contains'] }, out: join(root, `part-${index}-judged`) }
      await (await openLab({ tasks: [] })).judge(out, judges)
      const csv = join(root, `part-${index}.csv`)
      await (await openLab({ tasks: [] })).export(out, { to: 'csv', out: csv })
      const [first] = [...csvRows(await readFile(csv, 'utf8'))]
      const labels = join(root, `part-${index}-labels.csv`)
      await writeFile(labels, `call,mark\n${first?.['call']},wrong\n`)
      await (await openLab({ tasks: [] })).score(out, { labels })
      return { out, item: first?.['item'] }
    }),
  )
  const [lab, whole] = [await openLab({ tasks: [] }), join(root, 'whole')]
  const shards = folders.map(({ out }) => out)
  expect(await lab.merge(shards, whole)).toMatchObject({ responses: 12, waiting: 0 })
  const after = await openLab({ tasks: [] })
  expect(await after.score(whole)).toMatchObject({ responses: 12, changed: 0 })
  expect(await after.verify(whole)).toMatchObject({ mismatches: 0 })
  await after.export(whole, { to: 'csv', out: join(root, 'whole.csv') })
  const merged = [...csvRows(await readFile(join(root, 'whole.csv'), 'utf8'))]
  expect(merged.map((row) => row['subscore_judge'])).toEqual(Array.from({ length: 12 }, () => '1'))
  const labelled = merged.filter((row) => row['subscore_truth'] === '0').map((row) => row['item'])
  expect(new Set(labelled)).toEqual(new Set(folders.map(({ item }) => item)))

  // One judge, one response, two labels.
  const [mine, theirs] = shards.map((folder) => join(folder, 'judgements.jsonl')) as [string, string]
  const [line = ''] = (await readFile(mine, 'utf8')).split('\n')
  await writeFile(theirs, `${await readFile(theirs, 'utf8')}${line.replace('"correct"', '"incorrect"')}\n`)
  await expect(lab.merge(shards, join(root, 'again'))).rejects.toThrow('that another shard holds as correct')
})

it('a judge grades by its rubric, people correct it, and every reader of the run shows the corrected shares', async () => {
  const path = join(root, 'essays.jsonl')
  const rows = Array.from({ length: 60 }, (_, n) => ({
    question: `Say ${n}.`,
    answer: `${n}`,
    rubric: 'It says the number.',
  }))
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const lab = await openLab({ tasks: [path] })
  // Answers with numbers that hold the right one: a judge that looks for it calls all of them correct.
  const script = join(root, 'model.mjs')
  const solver = `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, messages } = JSON.parse(line)
  const n = Number(/Say (\\d+)/.exec(messages.at(-1).content)[1])
  console.log(JSON.stringify({ id, text: 'I say ' + (n % 3 === 0 ? '9' + n : n) + '.' }))
}`
  await writeFile(script, solver)
  const out = join(root, 'essays-run')
  const model = `exec:node ${script}`
  const first = await lab.run({ experiment: { items: [{ task: path }], models: [model, 'baseline:gold'] }, out })
  expect(first.counts.done).toBe(120)
  const accuracies = async () => {
    const { report } = await (await openLab({ tasks: [] })).report(out, { formats: [], analyses: ['core/accuracy'] })
    return new Map(report.analyses[0]?.tables[0]?.rows.map((row) => [row['model'], row]))
  }
  expect((await accuracies()).get(model)).toMatchObject({ unparsed: 60, accuracy: { value: 0 } })

  const judged = await (await openLab({ tasks: [] })).judge(out, {
    experiment: { models: ['baseline:contains'] },
    out: join(root, 'essays-judged'),
  })
  expect(judged).toMatchObject({ judged: 120, counts: { done: 120 }, scored: 120 })
  expect((await accuracies()).get(model)).toMatchObject({ unparsed: 0, accuracy: { value: 1 } })

  // Every second question of both models is labelled, item by item.
  const rowsOf = async () => {
    await (await openLab({ tasks: [] })).export(out, { to: 'csv', out: join(root, 'essays.csv') })
    return [...csvRows(await readFile(join(root, 'essays.csv'), 'utf8'))]
  }
  const marks = (await rowsOf())
    .filter(({ index }) => Number(index) % 2 === 0)
    .map(({ call, index, model: by }) => `${call},${by === model && Number(index) % 3 === 0 ? 'wrong' : 'right'}`)
  const labels = join(root, 'labels.csv')
  await writeFile(labels, ['call,mark', ...marks].join('\n'))
  const scored = await (await openLab({ tasks: [] })).score(out, { labels })
  expect(scored).toMatchObject({ responses: 120, changed: 60 })
  const corrected = (await accuracies()).get(model)
  expect(corrected).toMatchObject({ judge: 1, accuracy: { method: expect.stringContaining('prediction-powered') } })
  const { low, value, high } = (corrected?.['accuracy'] ?? {}) as { low?: number; value?: number; high?: number }
  expect(value).toBeCloseTo(2 / 3, 10)
  expect(low).toBeGreaterThan(0.4)
  expect(high).toBeLessThan(0.9)

  const later = await openLab({ tasks: [] })
  const compared = (await later.compare([out], { models: ['gold', model] })) as RunComparison
  expect(compared.verdict).toMatchObject({ kind: 'better', winner: 'a' })
  expect(compared.verdict.text).toContain('Scores by a judge, corrected by what people say')
  expect(compared.overall.difference.value).toBeCloseTo(1 / 3, 10)
  // Other analyses show the judge's labels, and say so.
  const { report } = await later.report(out, {
    formats: [],
    analyses: ['core/ranks', 'core/accuracy', 'core/pass-at-k'],
  })
  const note = 'By the labels of a judge, not corrected by those of people.'
  expect(report.analyses.map(({ id, notes }) => [id, notes.includes(note)])).toEqual([
    ['core/accuracy', false],
    ['core/ranks', true],
  ])
  // Scoring again, and verifying, keep both.
  expect(await later.score(out)).toMatchObject({ changed: 0 })
  expect(await later.verify(out)).toMatchObject({ mismatches: 0 })
})

it('labels that name no response, or several, are refused', async () => {
  const path = join(root, 'two.jsonl')
  await writeFile(path, '{"question":"q1","answer":"a"}\n{"question":"q2","answer":"b"}\n')
  const out = join(root, 'two-run')
  const lab = await openLab({ tasks: [path] })
  await lab.run({ experiment: { items: [{ task: path }], models: ['baseline:gold'] }, out })
  const labels = join(root, 'two.csv')
  for (const [text, message] of [
    ['call,mark\n9,right\n', 'line 2: expected one response'],
    ['item,mark\nnone,right\n', 'line 2: expected one response'],
    ['call,verdict\n1,right\n', 'holds no labels'],
  ] as const) {
    await writeFile(labels, text)
    await expect(lab.score(out, { labels })).rejects.toThrow(message)
  }
  await expect(lab.score(out, { judgements: [out] })).rejects.toThrow('is not a judge run of own questions')
  const judges = { experiment: { models: ['baseline:contains'] }, out: join(root, 'two-judged') }
  await expect(lab.judge(out, judges)).rejects.toThrow('holds no response that can be judged')
})

it('a judge that says its label twice is read, one that says both is not', () => {
  const strict = judgeFamily.imported?.[0]?.parsers?.strict
  const read = (text: string) => strict?.(text, { shared: null, given: {} })
  expect(read('incorrect\n\nVerdict: **incorrect**')).toMatchObject({ answer: 'incorrect' })
  expect(read('The response is incorrect.\n\nincorrect')).toMatchObject({ answer: 'incorrect' })
  expect(read('correct\nincorrect')?.kind).toBe('unparsed')
})
