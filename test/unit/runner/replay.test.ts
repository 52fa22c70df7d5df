import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { failure, type Model, type Provider, plainAnswer, type Settings } from '../../../src/models/index.ts'
import {
  callDetails,
  createRun,
  executeRun,
  openReplay,
  openRun,
  parseExperiment,
  type Run,
  withRun,
} from '../../../src/runner/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { parity } from '../../mock/parity.ts'

const { folder, remove } = await scratch()
afterAll(remove)
const file = join(folder, 'answers.jsonl')

/** Opens a file of these lines. */
async function opened(lines: readonly (object | string)[], model = '') {
  await writeFile(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return openReplay(`${file}${model}`)
}

const line = (item: string, text: string, model = 'm') => ({ item, text, model })
const cell = { style: '', sample: 0, settings: '{}' }

describe('replay of a file', () => {
  it('answers from it, whatever stands twice in it', async () => {
    const replay = await opened([`\ufeff${JSON.stringify(line('a', 'yes'))}`, '', line('b', 'no'), line('a', 'yes')])
    expect(await replay.find({ item: 'a', ...cell })).toMatchObject({ text: 'yes' })
    expect(await replay.find({ item: 'c', ...cell })).toBeNull()
  })

  it('names the line that is none', async () => {
    await expect(opened([line('a', 'yes'), '', { item: 'b' }])).rejects.toThrow(/line 3: a response line is/u)
    await expect(opened([line('a', 'yes'), '{'])).rejects.toThrow(/line 2 is not JSON/u)
  })

  it('is refused where two lines answer one cell otherwise', async () => {
    await expect(opened([line('a', 'yes'), line('b', 'no'), line('a', 'no')])).rejects.toThrow(
      /line 3 answers a in style "", sample 0, as line 1 does with another text/u,
    )
  })

  it('takes one of several models, by name', async () => {
    const both = [line('a', 'yes', 'm'), line('a', 'no', 'n')]
    await expect(opened(both)).rejects.toThrow('#MODEL with one of m, n')
    await expect(opened(both, '#o')).rejects.toThrow('#MODEL with one of m, n')
    const replay = await opened(both, '#n')
    expect(await replay.find({ item: 'a', ...cell })).toMatchObject({ text: 'no' })
  })
})

/** Answers with its temperature, and fails where it is told to. */
const warm = (fails: (temperature: number, call: number) => boolean): Provider => {
  let calls = 0
  return {
    name: 'warm',
    argument: 'NAME',
    summary: 'says how warm it is',
    open: (rest): Promise<Model> =>
      Promise.resolve({
        name: `warm:${rest}`,
        kind: 'chat',
        route: 'warm',
        concurrency: { start: 1, most: 1 },
        reusesContext: false,
        call: ({ settings: { temperature = 0 } }) =>
          Promise.resolve(
            fails(temperature, calls++)
              ? failure('http-400', 'no', 'never', { boundary: 'task' })
              : plainAnswer(`Yes ${temperature}`),
          ),
      }),
  }
}

let made = 0
async function ran<T>(
  model: { readonly model: string; readonly settings?: readonly Settings[] },
  count: number,
  work: (run: Run, dir: string) => T | Promise<T>,
  context = mockContext(),
): Promise<T> {
  const dir = join(folder, `run-${made++}`)
  const experiment = parseExperiment({ items: { task: 'mock/parity', preset: 'small', count }, models: [model] })
  await using run = await createRun({ dir, experiment }, context)
  const { ignoredSettings, stoppedModels } = await executeRun(run)
  expect(stoppedModels).toEqual({})
  return await work(Object.assign(run, { ignored: ignoredSettings }), dir)
}

describe('replay of a run', () => {
  const settings = [{ temperature: 0 }, { temperature: 1 }]
  const context = mockContext({ providers: [warm((temperature, call) => temperature === 1 && call % 2 === 0)] })
  const both = (count = 20): Promise<string> => ran({ model: 'warm:x', settings }, count, (_run, dir) => dir, context)
  const texts = (run: Run) =>
    run.ledger.query('SELECT c.settings, r.text FROM call c JOIN response r ON r.call = c.id ORDER BY c.id')

  it('takes no response to other settings for one that failed', async () => {
    const dir = await both()
    await withRun(await openRun(dir, context, { mode: 'read' }), (run) => {
      const [failed] = run.ledger.query("SELECT id FROM call WHERE state = 'failed' LIMIT 1")
      expect(callDetails(run, Number(failed?.['id']))).toMatchObject({ response: null, outcome: { kind: 'error' } })
      return Promise.resolve()
    })
    await ran({ model: `replay:${dir}`, settings }, 20, async (run) => {
      const rows = texts(run)
      expect((await run.ledger.counts()).failed).toBeGreaterThan(0)
      for (const row of rows)
        expect(row['text']).toBe(`Yes ${(JSON.parse(String(row['settings'])) as Settings).temperature}`)
    })
  })

  it('asks which of several settings are meant', async () => {
    const dir = await both(2)
    await ran({ model: `replay:${dir}` }, 2, async (run) => {
      expect(await run.ledger.counts()).toMatchObject({ done: 0, failed: 2 })
      expect(run.ledger.failures()[0]?.message).toMatch(
        /with settings \{\}; it has \{"temperature":0\}, \{"temperature":1\}: write these/u,
      )
    })
  })

  it('tells settings that a recorded response cannot follow', async () => {
    const dir = await ran({ model: 'warm:x', settings: [{ temperature: 0 }] }, 2, (_run, at) => at, context)
    await ran({ model: `replay:${dir}`, settings: [{ temperature: 1 }] }, 2, (run) => {
      expect(texts(run)).toHaveLength(2)
      expect(run).toMatchObject({ ignored: { [`replay:${dir}`]: ['temperature'] } })
    })
  })

  it('goes on behind many that were not recorded', async () => {
    const dir = await ran({ model: 'baseline:random' }, 5, (_run, at) => at)
    await ran({ model: `replay:${dir}` }, 100, async (run) => {
      expect(await run.ledger.counts()).toMatchObject({ done: 5, failed: 95, waiting: 0 })
    })
  })

  it.each([
    ['version', 'items', { version: parity.version + 1 }],
    ['prompt version', 'prompts', { promptVersion: parity.promptVersion + 1 }],
  ])('is refused with another %s of the task', async (what, to, change) => {
    const dir = await ran({ model: 'baseline:random' }, 2, (_run, at) => at)
    const newer = mockContext({ tasks: [{ ...parity, ...change }] })
    await expect(ran({ model: `replay:${dir}` }, 2, () => null, newer)).rejects.toThrow(
      `asked with ${what} 1 of mock/parity, installed is ${what} 2: its responses answer other ${to}`,
    )
  })
})
