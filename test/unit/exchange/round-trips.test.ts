import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '../../../src/datasets/index.ts'
import { readResponses, responseReaders } from '../../../src/extras/exchange/imports.ts'
import { keysOfRun } from '../../../src/extras/exchange/run-questions.ts'
import { zip } from '../../../src/extras/exchange/zip.ts'
import { loadEnvironment } from '../../../src/lab/environment.ts'
import { exportDataset, exportRun, folderSink } from '../../../src/lab/exports.ts'
import { runOfDataset } from '../../../src/lab/imports.ts'
import { openLab } from '../../../src/lab/index.ts'
import { importResponses, openRun, type RunContext, withRun } from '../../../src/runner/index.ts'
import { scratch } from '../../e2e/cli/cli.ts'
import { responsesOf as inspected } from './responses-of.ts'

const folder = scratch()
afterAll(folder.remove)

const ITEMS = { task: 'recoglab/comparison', preset: 'feasibility', count: 9 } as const
const OPTIONS = { model: 'm-1', maxTokens: 100, detail: 'full' } as const
let context: RunContext
let names = 0

interface Row {
  readonly [key: string]: unknown
}
const rows = (path: string): readonly Row[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

beforeAll(async () => {
  const here = await loadEnvironment([], {}, [])
  context = await here.runContext()
  const lab = await openLab({ env: {} })
  await lab.generate({ ...ITEMS, out: folder.path('set') })
  const models = ['baseline:random']
  await lab.run({ experiment: { items: [ITEMS], models, seed: '1' }, out: folder.path('run') })
}, 60_000)

/** The questions of the set in a form. */
async function questions(to: string, name = `q-${to}`): Promise<string> {
  const out = folder.path(name)
  const dataset = await openDataset(folder.path('set'))
  const task = context.tasks(ITEMS.task)
  if (task === undefined) throw new Error('the task is gone')
  await exportDataset(dataset, task, await folderSink(out), { to, ...OPTIONS })
  return out
}

/** What the run got, in a form. */
async function answers(to: string): Promise<string> {
  const out = folder.path(`a-${to}`)
  const run = await openRun(folder.path('run'), context, { mode: 'read' })
  await withRun(run, async () => exportRun(run, await folderSink(out), { to, ...OPTIONS }))
  return out
}

/** Imports a file into a run of its own: what was taken, and the values by the strict parser. */
async function back(kind: string, path: string) {
  const reader = responseReaders[kind]
  if (reader === undefined) throw new Error(`no reader ${kind}`)
  const run = await runOfDataset(folder.path('set'), folder.path(`run-${names++}`), context)
  return withRun(run, async () => {
    const result = await importResponses(run, path, readResponses(reader, [path], await keysOfRun(run), 'm-1'))
    const cells = []
    for await (const page of run.ledger.finishedCalls()) cells.push(...page)
    return { ...result, cells }
  })
}

const valueIn = ({ cells }: Awaited<ReturnType<typeof back>>): readonly unknown[] =>
  cells.map(({ outcome }) => {
    const verdict = outcome.kind === 'answered' ? outcome.results['strict'] : undefined
    return verdict?.kind === 'graded' ? verdict.value : null
  })

/** The right answer to each question of the set, by the prompt's own text, from Inspect's form. */
async function golds(): Promise<ReadonlyMap<string, string>> {
  const found = rows(join(await questions('inspect-dataset'), 'dataset.jsonl'))
  return new Map(found.map(({ id, target }) => [String(id), String(target)]))
}

describe('batch files', () => {
  it('go out and come back: right answers are right, in a run of their own', async () => {
    const gold = await golds()
    expect(gold.size).toBe(9)
    const write = (name: string, lines: readonly object[]): string => {
      const path = folder.path(name)
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      return path
    }
    const openAi = rows(join(await questions('openai-batch'), 'requests.jsonl')).map(({ custom_id, url, body }) => {
      expect([url, (body as Row)['model'], String(custom_id).length <= 64]).toEqual([
        '/v1/chat/completions',
        'm-1',
        true,
      ])
      const choices = [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: gold.get(String(custom_id)) } },
      ]
      const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
      return { id: 'b', custom_id, response: { status_code: 200, body: { model: 'm-1', choices, usage } }, error: null }
    })
    const openAiBack = await back('openai-batch', write('openai.jsonl', openAi))
    expect([openAiBack.responses, openAiBack.problems, valueIn(openAiBack)]).toEqual([9, [], [...gold].map(() => 1)])
    expect(openAiBack.cells[0]?.response?.usage).toEqual({ inputTokens: 5, outputTokens: 2 })

    const anthropic = rows(join(await questions('anthropic-batch'), 'requests.jsonl')).map(({ custom_id, params }) => {
      expect(params).toMatchObject({ model: 'm-1', max_tokens: 100, messages: [{ role: 'user' }] })
      expect(custom_id).toMatch(/^[\w-]{1,64}$/u)
      const content = [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: gold.get(String(custom_id)) },
      ]
      return { custom_id, result: { type: 'succeeded', message: { model: 'm-1', content, stop_reason: 'end_turn' } } }
    })
    const anthropicBack = await back('anthropic-batch', write('anthropic.jsonl', anthropic))
    expect(valueIn(anthropicBack)).toEqual([...gold].map(() => 1))
    expect(anthropicBack.cells[0]?.response).toMatchObject({ reasoning: 'hm', finish: 'stop' })

    const gemini = rows(join(await questions('gemini-batch'), 'requests.jsonl')).map(({ key, request }) => {
      expect(request).toMatchObject({ contents: [{ role: 'user' }], generationConfig: { maxOutputTokens: 100 } })
      const parts = [{ text: 'hm', thought: true }, { text: gold.get(String(key)) }]
      return {
        key,
        response: { candidates: [{ finishReason: 'MAX_TOKENS', content: { parts } }], modelVersion: 'm-1' },
      }
    })
    const geminiBack = await back('gemini-batch', write('gemini.jsonl', gemini))
    expect(geminiBack.cells.map(({ response }) => response?.finish)).toEqual([...gold].map(() => 'truncated'))
  }, 60_000)

  it('tell what failed there, what is no line of theirs, and what is no question of the run', async () => {
    const path = folder.path('bad.jsonl')
    const lines = [
      '{"custom_id": "x", "response": null, "error": {"message": "expired"}}',
      '{',
      '{"custom_id": 5}',
      '{"custom_id": "0", "response": {"body": {"choices": [{"message": {"content": "Yes"}}]}}}',
      '{"__proto__": {"custom_id": "x"}}',
    ]
    writeFileSync(path, `${lines.join('\n')}\n`)
    const { responses, problems } = await back('openai-batch', path)
    expect([responses, problems.map(({ kind, count }) => [kind, count])]).toEqual([
      0,
      [
        ['missing', 1],
        ['missing', 1],
        ['missing', 1],
        ['unknown-item', 1],
        ['missing', 1],
      ],
    ])
  })
})

describe('lm-evaluation-harness, promptfoo, CSV', () => {
  it('take questions and give answers back', async () => {
    const prompts = rows(join(await questions('lm-eval'), 'prompts.jsonl'))
    expect(readFileSync(folder.path('q-lm-eval/task.yaml'), 'utf8')).toContain('doc_to_text: "{{prompt}}"')
    const samples = folder.path('samples.jsonl')
    writeFileSync(
      samples,
      prompts
        .map(
          (doc, doc_id) =>
            `${JSON.stringify({ doc_id, doc, target: doc['gold'], resps: [[doc['gold']]], filtered_resps: [''] })}\n`,
        )
        .join(''),
    )
    expect(valueIn(await back('lm-eval', samples))).toEqual(prompts.map(() => 1))

    const tests = rows(join(await questions('promptfoo'), 'tests.jsonl'))
    const results = folder.path('results.json')
    const gold = new Map(prompts.map(({ item, gold: right }) => [item, right]))
    for (const { metadata, assert } of tests as { metadata: Row; assert?: { type: string; value: string }[] }[]) {
      expect(metadata['gold']).toBe(gold.get(metadata['item']))
      const [closed] = assert ?? []
      expect(closed?.type).toBe('regex')
      expect(new RegExp(closed?.value ?? '').test(`So I say.\n${String(metadata['gold'])}\n`)).toBe(true)
      expect(new RegExp(closed?.value ?? '').test(`${String(metadata['gold'])} Or not.`)).toBe(false)
    }
    const answered = tests.map((testCase) => ({
      provider: { id: 'openai:m-1' },
      testCase,
      response: { output: gold.get((testCase['metadata'] as Row)['item']) },
    }))
    writeFileSync(results, JSON.stringify({ results: { version: 3, results: answered } }))
    expect(valueIn(await back('promptfoo', results))).toEqual(tests.map(() => 1))

    const csv = readFileSync(join(await questions('csv'), 'questions.csv'), 'utf8')
    expect(csv.startsWith('item,style,prompt,gold,choices\r\n')).toBe(true)
    const said = folder.path('said.csv')
    writeFileSync(
      said,
      `item,text\n${prompts.map(({ item, gold: right }) => `${String(item)},"${String(right).replace(':', ':\n')}"\n`).join('')}`,
    )
    expect(valueIn(await back('csv', said))).toEqual(prompts.map(() => 1))
  }, 60_000)
})

describe('Inspect', () => {
  it('logs a run, whose answers come back with the same verdicts', async () => {
    const out = await answers('inspect-log')
    const [name = ''] = readdirSync(out)
    // The viewer lists only such names.
    expect(name).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}[:-]\d{2}[:-]\d{2}.*\.json$/u)
    const log = JSON.parse(readFileSync(join(out, name), 'utf8')) as {
      eval: Row
      samples: { id: string; epoch: number; scores: Row; messages: Row[]; output: { choices: Row[] } }[]
      results: { scores: { metrics: { accuracy: { value: number } } }[] }
    }
    for (const key of ['created', 'task', 'dataset', 'model', 'config']) expect(log.eval).toHaveProperty(key)
    expect(log.samples.every(({ id, epoch, scores }) => !id.includes('/') && epoch === 1 && 'strict' in scores)).toBe(
      true,
    )
    const { cells, problems } = await back('inspect', join(out, name))
    expect([cells.length, problems]).toEqual([9, []])
    const run = await openRun(folder.path('run'), context, { mode: 'read' })
    const before = await withRun(run, async () => {
      const all = []
      for await (const page of run.ledger.finishedCalls()) all.push(...page)
      return all
    })
    expect(new Map(cells.map(({ item, outcome }) => [item.id, outcome]))).toEqual(
      new Map(before.map(({ item, outcome }) => [item.id, { ...outcome, finish: cells[0]?.response?.finish }])),
    )
  }, 60_000)

  it('reads the smallest log there is', async () => {
    const path = folder.path('minimal.json')
    const about = { created: '2026-11-22T21:54:00+00:00', task: 't', dataset: {}, model: 'openai/m', config: {} }
    writeFileSync(path, JSON.stringify({ version: 2, status: 'success', eval: about }))
    expect(await back('inspect', path)).toMatchObject({ lines: 0, responses: 0 })
  })
})

const published = join(import.meta.dirname, '../../../../shared/data/inspect-logs')
if (!existsSync(published)) console.warn('../shared/data/inspect-logs is not there: its logs are not read')
describe.skipIf(!existsSync(published))('logs that the models of Inspect have opened', () => {
  it('are read', async () => {
    const [read] = await inspected(readFileSync(join(published, 'full.json')))
    expect(read).toMatchObject({
      key: 'relic/recognize@3/test/ab/0',
      model: 'openai/gpt-5-mini',
      sample: 0,
      text: 'Yes',
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 5 },
      settings: { temperature: 1, maxTokens: 100 },
    })
    expect(await inspected(readFileSync(join(published, 'minimal.json')))).toEqual([])
  })

  it('are read from an archive as well', async () => {
    const { samples, ...head } = JSON.parse(readFileSync(join(published, 'full.json'), 'utf8')) as { samples: object[] }
    const file = (path: string, value: object) => ({ path, bytes: new TextEncoder().encode(JSON.stringify(value)) })
    const archive = await zip([
      file('header.json', head),
      ...samples.map((one, i) => file(`samples/${i}_epoch_1.json`, one)),
    ])
    expect(await inspected(archive)).toEqual(await inspected(readFileSync(join(published, 'full.json'))))
  })
})

describe('Every Eval Ever', () => {
  it('is what its schemas allow', async () => {
    const out = await answers('every-eval-ever')
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
    const schema = (name: string): object =>
      JSON.parse(readFileSync(join(import.meta.dirname, 'every-eval-ever-0.3.0', name), 'utf8')) as object
    const ajv = new Ajv({ strict: false, allErrors: true })
    const aggregate = ajv.compile(schema('eval.schema.json'))
    const instance = ajv.compile(schema('instance.schema.json'))
    const whole = files.filter((name) => name.endsWith('.json'))
    const single = files.filter((name) => name.endsWith('.jsonl'))
    expect([whole.length, single.length]).toEqual([1, 1])
    for (const name of whole) {
      aggregate(JSON.parse(readFileSync(join(out, name), 'utf8')))
      expect(aggregate.errors).toBeNull()
    }
    for (const row of rows(join(out, single[0] ?? ''))) {
      instance(row)
      expect(instance.errors).toBeNull()
    }
    // The check can fail.
    expect(aggregate({})).toBe(false)
    expect(instance({})).toBe(false)
  })
})

describe('Hugging Face and Croissant', () => {
  it('name the files of a set with their hashes, and the results of a run', async () => {
    const croissant = JSON.parse(readFileSync(join(await questions('croissant'), 'croissant.json'), 'utf8')) as Row
    expect(croissant['conformsTo']).toBe('http://mlcommons.org/croissant/1.1')
    // What version 1.1 requires of every dataset.
    for (const key of [
      '@context',
      '@type',
      'description',
      'license',
      'name',
      'url',
      'creator',
      'datePublished',
      'distribution',
    ])
      expect(croissant).toHaveProperty([key])
    const files = (croissant['distribution'] as Row[]).filter((one) => one['@type'] === 'cr:FileObject')
    const { manifest } = await openDataset(folder.path('set'))
    expect(files.map(({ contentUrl, sha256 }) => [contentUrl, sha256])).toEqual(
      manifest.shards.map(({ file, sha256 }) => [file, sha256]),
    )
    const registered = readFileSync(join(await questions('hf-eval'), 'eval.yaml'), 'utf8')
    expect(registered).toContain('evaluation_framework: touchstone')
    const out = await answers('hf-results')
    const [path = ''] = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))
    const results = readFileSync(join(out, path), 'utf8')
    expect(results).toMatch(/^ {2}value: \d+\.\d+$/mu)
    // Results are of a task that is registered.
    expect(/task_id: (.+)/u.exec(results)?.[1]).toBe(/ id: (.+)/u.exec(registered)?.[1])
  })
})

describe('a response that was imported', () => {
  it('leaves with the prompt that its model saw, and others with the one of the task', async () => {
    const [dataset, prompts] = [
      folder.path('set'),
      rows(join(await questions('lm-eval', 'seen-questions'), 'prompts.jsonl')),
    ]
    const seen = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Another wording: is it?' },
    ]
    const lines = prompts
      .slice(0, 2)
      .map(({ item, style }, i) =>
        JSON.stringify({ item, style, model: 'm', text: 'Answer: Yes', ...(i === 0 ? { prompt: seen } : {}) }),
      )
    const path = folder.path('seen.jsonl')
    writeFileSync(path, lines.join('\n'))
    const dir = folder.path('seen-run')
    const out = folder.path('seen-log')
    await withRun(await runOfDataset(dataset, dir, context), async (run) => {
      expect(await importResponses(run, path)).toMatchObject({ responses: 2, problems: [] })
      await exportRun(run, await folderSink(out), { to: 'inspect-log', ...OPTIONS })
      expect(run.ledger.query('SELECT raw FROM response WHERE raw IS NOT NULL')).toEqual([
        { raw: JSON.stringify({ prompt: seen }) },
      ])
    })
    const [log = ''] = readdirSync(out)
    const responses = await inspected(readFileSync(join(out, log)))
    expect(responses.map(({ prompt }) => prompt)).toEqual([seen, [{ role: 'user', content: prompts[1]?.['prompt'] }]])
  })
})
