import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLab } from '../../../src/lab/index.ts'
import { mcnemar } from '../../../src/libraries/statistics/index.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchstone-logs-test-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function file(name: string, content: object | readonly object[]): Promise<string> {
  const path = join(root, name)
  const text = Array.isArray(content)
    ? content.map((row) => `${JSON.stringify(row)}\n`).join('')
    : JSON.stringify(content)
  await writeFile(path, text)
  return path
}

interface Sample {
  readonly id: number
  readonly epoch?: number
  readonly value: unknown
  readonly input?: string
  readonly metadata?: object
}

const inspect = (model: string, samples: readonly Sample[], task = 'org/quiz') => ({
  version: 2,
  status: 'success',
  eval: { task, model, scorers: [{ name: 'match' }] },
  samples: samples.map(({ id, epoch = 1, value, input = `Question ${id}?`, metadata = {} }) => ({
    id,
    epoch,
    input,
    target: 'x',
    metadata,
    output: { choices: [{ message: { role: 'assistant', content: 'x' }, stop_reason: 'stop' }] },
    scores: { other: { value: 0 }, match: { value, answer: 'x' } },
  })),
})

/** The verdict and counts of a comparison of two files. */
async function compared(a: string, b: string, request = {}) {
  const lab = await openLab()
  const found = await lab.compare([a, b], request)
  if (!('overall' in found)) throw new Error('compared by a metric')
  return found
}

async function imported(tool: string, paths: readonly string[], name: string) {
  const lab = await openLab()
  const out = join(root, name)
  const found = await lab.import(tool, paths, { out })
  const { report } = await lab.report(out, { formats: [] })
  const rows = report.analyses.find(({ id }) => id === 'core/accuracy')?.tables[0]?.rows ?? []
  return { found, rows, report, lab, out }
}

describe('two logs of Inspect', () => {
  it('are compared on the samples that both have, as counted by hand', async () => {
    const right = (n: number) => ({ value: n % 3 === 0 ? 'I' : 'C' })
    const ids = Array.from({ length: 60 }, (_, id) => id)
    const a = await file(
      'a.json',
      inspect(
        'maker/a',
        ids.map((id) => ({ id, ...right(id) })),
      ),
    )
    // Of the 20 wrong ones half are right, and five others are wrong; one sample is missing, another has another question.
    const b = await file(
      'b.json',
      inspect(
        'maker/b',
        ids.slice(0, -1).map((id) => ({
          id,
          value: id % 6 === 0 || (id % 3 !== 0 && id >= 8) ? 'C' : 'I',
          ...(id === 1 ? { input: 'Something else?' } : {}),
        })),
      ),
    )
    const found = await compared(a, b)
    const shared = ids.slice(0, -1).filter((id) => id !== 1)
    const [left, rest] = [(id: number) => id % 3 !== 0, (id: number) => id % 6 === 0 || (id % 3 !== 0 && id >= 8)]
    const onlyA = shared.filter((id) => left(id) && !rest(id)).length
    const onlyB = shared.filter((id) => !left(id) && rest(id)).length
    expect([found.a, found.b, found.overall.items]).toEqual(['maker/a', 'maker/b', 58])
    expect(found.overall.difference.value).toBeCloseTo((onlyA - onlyB) / 58, 12)
    expect(found.overall.p).toBeCloseTo(mcnemar(onlyA, onlyB).midP, 12)
  })

  it('of one model are told apart by what their paths have of their own', async () => {
    const samples = Array.from({ length: 12 }, (_, id) => ({ id, value: id % 2 }))
    const [a, b] = [await file('plain.json', inspect('maker/m', samples)), join(root, 'later', 'plain.json')]
    await cp(a, b)
    const found = await compared(a, b)
    expect([found.a, found.b]).toEqual([`maker/m (${a})`, 'maker/m (later)'])
    const other = await file('other.json', inspect('maker/m', samples))
    const second = await compared(a, other)
    expect([second.a, second.b]).toEqual(['maker/m (plain.json)', 'maker/m (other.json)'])
  })

  it('count epochs as samples of an item, and groups of samples as clusters', async () => {
    const samples = (wrong: number) =>
      Array.from({ length: 40 }, (_, k) => ({
        id: k >> 1,
        epoch: 1 + (k & 1),
        value: k >> 1 < wrong ? 0 : 1,
        metadata: { passage: String(k >> 3) },
      }))
    const [a, b] = [await file('e1.json', inspect('a', samples(4))), await file('e2.json', inspect('b', samples(12)))]
    const [alone, clustered] = [await compared(a, b), await compared(a, b, { group: 'passage' })]
    expect([alone.overall.items, alone.overall.difference.groups]).toEqual([20, 20])
    expect(clustered.overall.difference.groups).toBe(5)
    expect(clustered.overall.difference.value).toBe(alone.overall.difference.value)
  })

  it('keep scores as given when they are scored again, and errors are no zeros', async () => {
    const log = inspect('a', [
      { id: 1, value: 'C' },
      { id: 2, value: 'I' },
      { id: 3, value: 'N' },
      { id: 4, value: null },
    ])
    const { rows, lab, out } = await imported('inspect', [await file('s.json', log)], 'scored')
    const [row] = rows
    expect(row).toMatchObject({ failed: 1, correct: 1 })
    expect(await lab.score(out)).toMatchObject({ responses: 4, changed: 0 })
    expect(await lab.verify(out)).toMatchObject({ mismatches: 0 })
    const asked = lab.runImported(out, { experiment: { models: ['baseline:gold'] }, out: join(root, 'asked') })
    await expect(asked).rejects.toThrow('holds a log, whose scores cannot be recomputed here')
  })

  it('where the first scorer gave no score, no other one stands in for it', async () => {
    const without = (log: ReturnType<typeof inspect>, ids: readonly number[]) => ({
      ...log,
      samples: log.samples.map((one) => (ids.includes(one.id) ? { ...one, scores: { other: { value: 0.3 } } } : one)),
    })
    const samples = (values: readonly unknown[]) => values.map((value, id) => ({ id, value }))
    const a = await file('s1.json', without(inspect('a', samples(['C', 'C', 'I', 'C'])), [0]))
    const b = await file('s2.json', without(inspect('b', samples(['C', 'I', 'I', 'I'])), [0, 3]))
    expect((await compared(a, b)).overall).toMatchObject({ items: 2, accuracyA: 0.5, accuracyB: 0 })
  })

  it('with parts of points are compared by their means, also where one log has none', async () => {
    const samples = (values: readonly unknown[]) => values.map((value, id) => ({ id, value }))
    const a = await file('m1.json', inspect('a', samples(['C', 'P', 'P', 'I', 7])))
    const b = await file('m2.json', inspect('b', samples(['C', 'I', 'I', 'I', 1])))
    const lab = await openLab()
    const found = await lab.compare([a, b])
    if (!('effects' in found)) throw new Error('not compared by a metric')
    expect(found).toMatchObject({ metric: 'match', effects: [{ strings: 5, meanA: 1.8, meanB: 0.4 }] })
    const { out } = await imported('inspect', [a, b], 'parts')
    await expect(lab.compare([out], { models: ['a', 'b'] })).rejects.toThrow('--metric (match, other)')
    expect(await lab.compare([out], { models: ['a', 'b'], metric: 'match' })).toMatchObject({ effects: found.effects })
  })
})

describe('logs of other programs', () => {
  it('of lm-evaluation-harness hold a sample once, with its filters', async () => {
    const line = (doc: number, filter: string, score: number) => ({
      doc_id: doc,
      doc: { question: `q${doc}`, level: doc % 2 },
      target: '4',
      arguments: { gen_args_0: { arg_0: `Q: q${doc}` } },
      resps: [['four']],
      filtered_resps: ['4'],
      filter,
      metrics: ['exact_match'],
      exact_match: score,
    })
    const rows = [0, 1, 2].flatMap((doc) => [line(doc, 'strict', doc === 0 ? 1 : 0), line(doc, 'flexible', 1)])
    const path = await file('samples_sums_2026-01-01T00-00-00.000000.jsonl', rows)
    await file('results_2026-01-01T00-00-00.000000.json', { model_name: 'maker/model' })
    const { found, rows: table, report } = await imported('lm-eval', [path], 'lm')
    expect(found).toMatchObject({ kind: 'release', items: 3, responses: 3 })
    expect(table[0]).toMatchObject({ model: 'maker/model', correct: 1 })
    expect(report.headline.join('\n')).toContain('Answers as given')
  })

  it('of lm-evaluation-harness of 2024 and before name no metrics', async () => {
    const rows = (model: number) =>
      Array.from({ length: 6 }, (_, doc_id) => ({
        doc_id,
        doc: { question: `q ${doc_id}` },
        target: 'x',
        arguments: [['q', 'x']],
        resps: [[['-1', 'False']]],
        filtered_resps: [['-1', 'False']],
        acc: doc_id < 3 + model ? 1 : 0,
        acc_norm: 0,
      }))
    const paths = await Promise.all([0, 1].map((model) => file(`samples_old${model}.jsonl`, rows(model))))
    expect((await compared(paths[0] ?? '', paths[1] ?? '')).overall).toMatchObject({ items: 6, onlyA: 0, onlyB: 1 })
  })

  it('of promptfoo count repeats as samples, templates as styles, and API errors as errors', async () => {
    const result = (vars: object, more: object) => ({
      provider: { id: 'openai:m', label: '' },
      prompt: { raw: 'Say', label: 'short' },
      vars,
      response: { output: 'A' },
      score: 1,
      success: true,
      ...more,
    })
    const results = [
      result({ q: 1 }, {}),
      result({ q: 1 }, { score: 0, success: false, failureReason: 1, error: 'Expected B' }),
      result({ q: 2 }, { response: { error: '500' }, score: 0, success: false, failureReason: 2, error: '500' }),
    ]
    const { found, rows } = await imported('promptfoo', [await file('pf.json', { results: { results } })], 'pf')
    expect(found).toMatchObject({ items: 2, responses: 3 })
    expect(rows[0]).toMatchObject({ model: 'openai:m', style: 'short', correct: 1, failed: 1 })
  })

  it('of Every Eval Ever are compared by sample_id, also where version 0.2 has numbers', async () => {
    const rows = (model: string, wrong: number) =>
      Array.from({ length: 30 }, (_, k) => ({
        schema_version: '0.3.0',
        evaluation_id: 'e',
        model_id: model,
        evaluation_name: 'bench',
        sample_id: model === 'm/a' ? `${k}` : k,
        interaction_type: 'single_turn',
        input: { raw: `q${k}`, reference: ['4'] },
        output: { raw: ['4'] },
        answer_attribution: [],
        evaluation: { score: k < wrong ? 0 : 1, is_correct: k >= wrong },
      }))
    const [a, b] = [await file('x.jsonl', rows('m/a', 2)), await file('y.jsonl', rows('m/b', 12))]
    const { overall, verdict } = await compared(a, b)
    expect([overall.items, verdict.kind, verdict.winner]).toEqual([30, 'better', 'a'])
  })

  it('that are none of these are refused with their name', async () => {
    const lab = await openLab()
    const path = await file('none.json', { some: 'thing' })
    await expect(lab.import('inspect', [path], { out: join(root, 'none') })).rejects.toThrow('not a log of Inspect')
    await expect(lab.import('promptfoo', [path], { out: join(root, 'none') })).rejects.toThrow(
      `${path} is not a log of promptfoo`,
    )
  })
})
