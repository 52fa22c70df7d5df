import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { isUsageError } from '../../../src/core/index.ts'
import { type Model, type Provider, plainAnswer, providers } from '../../../src/models/index.ts'
import { LOCAL } from '../../../src/models/model.ts'
import {
  allowance,
  createRun,
  executeRun,
  openRun,
  parseExperiment,
  pushRun,
  retryFailed,
  type Trust,
  type Want,
  wantsOf,
  withRun,
} from '../../../src/runner/index.ts'
import type { SharedRunStore } from '../../../src/store/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { startMock } from '../../mock/server.ts'

const { folder, remove } = await scratch()
const server = await startMock({ answer: () => 'yes' })
afterAll(async () => {
  await server.close()
  await remove()
})
const origin = new URL(server.url).origin
const env = { MINE: 'my-secret-key-of-this-machine', OPENAI_API_KEY: 'my-openai-key-0123', ADDRESS: server.url }

const machine = (allowed: readonly Want[] = [], confirm?: Trust['confirm']): Trust => ({
  allowed,
  made: new Set<string>(),
  ...(confirm === undefined ? {} : { confirm }),
})
const context = (trust: Trust, more: readonly Provider[] = []) => mockContext({ env, trust, providers: more })

/** A provider of a program that embeds this one. */
const unknown: Provider = {
  name: 'unknown',
  argument: 'X',
  summary: '',
  open: (rest): Promise<Model> =>
    Promise.resolve({
      name: `unknown:${rest}`,
      kind: 'chat',
      route: 'unknown',
      concurrency: LOCAL,
      reusesContext: false,
      call: () => Promise.resolve(plainAnswer('yes')),
    }),
}

let n = 0
/** A folder that another machine made, as it arrives here; its models are written into run.json by its sender. */
async function received(model: object): Promise<string> {
  const dir = join(folder, `sent-${n++}`)
  const experiment = parseExperiment({
    items: { task: 'mock/parity', preset: 'small', count: 2 },
    models: ['baseline:exact'],
  })
  await withRun(await createRun({ experiment, dir }, context(machine())), (run) => executeRun(run, { planOnly: true }))
  const path = join(dir, 'run.json')
  const file = JSON.parse(await readFile(path, 'utf8')) as { models: object[] }
  // The calls of its ledger are to the model of this name.
  file.models = [{ ...file.models[0], ...model }]
  await writeFile(path, JSON.stringify(file))
  return dir
}

async function resume(dir: string, trust: Trust): Promise<string> {
  try {
    const run = await openRun(dir, context(trust, [unknown]), { mode: 'write' })
    return await withRun(run, async () => (await executeRun(run)).status)
  } catch (error) {
    if (!isUsageError(error)) throw error
    return error.message
  }
}

/** Every way in which a run can ask for something of this machine: the model, what is said of it, and the flags that allow it. */
const ways: readonly (readonly [what: string, model: object, flags: readonly string[]])[] = [
  ['a program', { spec: 'exec:cat' }, ['--allow-exec cat']],
  [
    'a program with hidden characters',
    { spec: 'exec:cat\u001b[2K\u202e' },
    [String.raw`--allow-exec 'cat\u{1b}[2K\u{202e}'`],
  ],
  ['a program behind another provider', { spec: 'hybrid:exec:cat' }, ['--allow-exec cat']],
  ['a program behind two', { spec: 'two-pass:hybrid:exec:cat' }, ['--allow-exec cat']],
  ['a provider that does not say what it needs', { spec: 'unknown:x' }, ['--allow-exec unknown:x']],
  ['a file of a model', { spec: 'gguf:/home/me/model.gguf' }, ['--allow-file /home/me/model.gguf']],
  [
    'a file of a chat model',
    { spec: 'llama:/home/me/model.gguf?threads=2' },
    ["--allow-file '/home/me/model.gguf?threads=2'"],
  ],
  ['weights', { spec: 'tiny:/etc/passwd' }, ['--allow-file /etc/passwd']],
  ['recorded responses', { spec: 'replay:/home/me/run#m' }, ["--allow-file '/home/me/run#m'"]],
  ['a server', { spec: 'openai-compatible:m', options: { baseUrl: server.url } }, [`--allow-host ${origin}`]],
  [
    'a server of log-probabilities',
    { spec: 'completions:m', options: { baseUrl: server.url } },
    [`--allow-host ${origin}`],
  ],
  [
    'the usual key, to its server',
    { spec: 'openai:m', options: { baseUrl: server.url } },
    [`--allow-env OPENAI_API_KEY=${origin}`],
  ],
  [
    'another key, to the usual server',
    { spec: 'openai:m', options: { apiKeyEnv: 'MINE' } },
    ['--allow-env MINE=https://api.openai.com'],
  ],
  [
    'a variable, to its server',
    { spec: 'openai-compatible:m', options: { baseUrl: server.url, apiKeyEnv: 'MINE' } },
    [`--allow-env MINE=${origin}`],
  ],
  [
    'a variable in a header',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so an experiment names a variable
    { spec: 'openai:m', options: { headers: { 'x-more': 'Bearer ${MINE}' } } },
    ['--allow-env MINE=https://api.openai.com'],
  ],
  [
    'a variable as the address',
    { spec: 'openai-compatible:m', options: { baseUrlEnv: 'ADDRESS' } },
    [`--allow-env ADDRESS=${origin}`],
  ],
  [
    'a plain connection to a known host',
    { spec: 'openai:m', options: { baseUrl: 'http://api.openai.com/v1' } },
    ['--allow-env OPENAI_API_KEY=http://api.openai.com'],
  ],
]

describe('what a run from elsewhere asks of this machine', () => {
  let before = 0
  beforeEach(() => {
    before = server.books.length
  })

  it.each(ways)('%s is refused, and the message names what allows it', async (_, model, flags) => {
    const said = await resume(await received(model), machine())
    expect(said).toMatch(/^this run was not made on this machine\. It would /u)
    expect(said.slice(said.indexOf('If you trust'))).toBe(
      `If you trust its author: touchstone resume ${join(folder, `sent-${n - 1}`)} ${flags.join(' ')}`,
    )
    expect(server.books.length).toBe(before)
  })

  it('every provider of the package says what it needs', () => {
    expect(providers.filter(({ needs }) => needs === undefined).map(({ name }) => name)).toEqual([])
  })

  it('what providers have by themselves needs no allowance', async () => {
    for (const spec of ['baseline:exact', 'tiny:', 'tiny', 'tiny:40k'])
      expect(await resume(await received({ spec }), machine()), spec).not.toMatch(/not made on this machine/u)
    const own = context(machine())
    const of = (spec: string) => wantsOf([{ spec, options: {} } as never], own)
    expect(
      ['openai:m', 'openai-responses:m', 'anthropic:m', 'google:m', 'openai-compatible:m', 'completions:m'].flatMap(of),
    ).toEqual([])
  })

  it('is done where it is allowed, and nothing else is', async () => {
    const model = { spec: 'openai-compatible:m', options: { baseUrl: server.url, apiKeyEnv: 'MINE' } }
    const dir = await received(model)
    // A variable is allowed for one server only, and a server alone gets no variable.
    for (const wrong of [
      allowance('host', origin),
      allowance('env', 'MINE=api.example.org'),
      allowance('env', `OPENAI_API_KEY=${origin}`),
    ])
      expect(await resume(dir, machine(wrong))).toMatch(/--allow-env MINE=/u)
    expect(server.books.length).toBe(before)
    expect(await resume(dir, machine(allowance('env', `MINE=${origin}`)))).toBe('completed')
    expect(server.books.length).toBe(before + 2)
  })

  it('is asked at a terminal, once; a changed run is asked about again', async () => {
    const dir = await received({ spec: 'openai-compatible:m', options: { baseUrl: server.url } })
    const asked: string[] = []
    let answer = false
    const trust = machine([], (question) => {
      asked.push(question)
      return Promise.resolve(answer)
    })
    expect(await resume(dir, trust)).toMatch(/--allow-host/u)
    answer = true
    expect(await resume(dir, trust)).toBe('completed')
    expect(await resume(dir, trust)).toBe('completed')
    expect(asked.length).toBe(2)
    const path = join(dir, 'run.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('openai-compatible:m', 'exec:cat /etc/passwd'))
    answer = false
    expect(await resume(dir, trust)).toMatch(/cat \/etc\/passwd/u)
  })

  it('a run that was made here is resumed where it was moved, without a question', async () => {
    const trust = machine()
    const experiment = parseExperiment({
      items: { task: 'mock/parity', preset: 'small', count: 2 },
      models: [{ model: 'openai-compatible:m', baseUrl: server.url, apiKeyEnv: 'MINE' }],
    })
    const [dir, moved] = [join(folder, 'own'), join(folder, 'moved')]
    await withRun(await createRun({ experiment, dir }, context(trust)), (run) => executeRun(run, { planOnly: true }))
    await cp(dir, moved, { recursive: true })
    expect(await resume(moved, machine())).toMatch(/not made on this machine/u)
    expect(await resume(moved, trust)).toBe('completed')
  })

  it('no other way leads to a model: retries and a push of a plan that was not finished are asked too', async () => {
    const dir = await received({ spec: 'exec:cat' })
    const open = () => openRun(dir, context(machine()), { mode: 'write' })
    await expect(withRun(await open(), (run) => retryFailed(run, undefined))).rejects.toThrow(
      'not made on this machine',
    )
    await withRun(await open(), async (run) => {
      await run.ledger.setMeta('planned', 'no')
      const never = (): Promise<SharedRunStore> => Promise.reject(new Error('opened the store'))
      await expect(pushRun(run, never, 'here')).rejects.toThrow('not made on this machine')
    })
  })
})
