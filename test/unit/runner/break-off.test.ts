import { expect, it } from 'vitest'
import { type Model, openModel, type Provider, plainAnswer, providers } from '../../../src/models/index.ts'
import { failure, LOCAL } from '../../../src/models/model.ts'
import { openTiny } from '../../../src/models/scoring/index.ts'
import { createRun, executeRun, parseExperiment, readExperiment } from '../../../src/runner/index.ts'
import { parityCall } from '../../contract/parity-call.ts'
import { mockContext, scratch } from '../../mock/context.ts'

/** A model that never answers, and gives up when it is told to. */
const silent = (more: Partial<Model>, asked: () => void): Provider => ({
  name: 'silent',
  argument: 'NAME',
  summary: 'no reply',
  open: (rest) =>
    Promise.resolve({
      name: `silent:${rest}`,
      kind: 'chat',
      route: 'silent',
      concurrency: LOCAL,
      reusesContext: false,
      ...more,
      call: (_call, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(failure('aborted', 'told to', 'never')), { once: true })
          asked()
        }),
    }),
})

it.each<readonly [string, Partial<Model>]>([
  ['is computed here', { isLocal: true }],
  ['scores given strings', { kind: 'score' }],
])('a run that is told to stop does not wait for what %s: it is asked again later', async (_, more) => {
  const { folder, remove } = await scratch()
  const stop = new AbortController()
  const context = mockContext({ providers: [silent(more, () => stop.abort())] })
  const yaml = 'items: { task: mock/parity, preset: small, count: 3 }\nmodels: ["silent:x"]'
  const run = await createRun({ experiment: readExperiment(yaml), dir: `${folder}/run` }, context)
  try {
    expect(await executeRun(run, { stop: stop.signal })).toMatchObject({ status: 'interrupted' })
    expect(await run.ledger.counts()).toMatchObject({ waiting: 3, leased: 0, failed: 0, done: 0 })
  } finally {
    await run[Symbol.asyncDispose]()
    await remove()
  }
})

it('what has a price is waited for, wherever it is computed: a program may hand it on to somebody who is paid', async () => {
  const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }
  expect(await openModel('exec:x', {}, providers, around)).toMatchObject({ isLocal: true })
  const { folder, remove } = await scratch()
  const stop = new AbortController()
  const slow = silent({ isLocal: true }, () => undefined)
  const answering: Provider = {
    ...slow,
    open: async (...args) => ({
      ...(await slow.open(...args)),
      call: async (_call, signal) => {
        stop.abort()
        await new Promise((resolve) => setTimeout(resolve, 50))
        return signal.aborted ? failure('aborted', 'told to', 'never') : plainAnswer('Yes')
      },
    }),
  }
  const experiment = parseExperiment({
    items: { task: 'mock/parity', preset: 'small', count: 3 },
    models: [{ model: 'silent:x', price: { input: 1, output: 1 } }],
  })
  const run = await createRun({ experiment, dir: `${folder}/run` }, mockContext({ providers: [answering] }))
  try {
    expect(await executeRun(run, { stop: stop.signal })).toMatchObject({ status: 'interrupted' })
    expect(await run.ledger.counts()).toMatchObject({ waiting: 2, leased: 0, failed: 0, done: 1 })
  } finally {
    await run[Symbol.asyncDispose]()
    await remove()
  }
})

it('reasoning without text at a normal end is told, once, as what the server may have done', async () => {
  const { folder, remove } = await scratch()
  const base = silent({ isLocal: true }, () => undefined)
  const replying = (reply: Parameters<typeof plainAnswer>[1]): Provider => ({
    ...base,
    open: async (...args) => ({ ...(await base.open(...args)), call: async () => plainAnswer('', reply) }),
  })
  const experiment = parseExperiment({
    items: { task: 'mock/parity', preset: 'small', count: 3 },
    models: [{ model: 'silent:x', price: { input: 1, output: 1 } }],
  })
  const doubtsOf = async (name: string, reply: Parameters<typeof plainAnswer>[1]) => {
    const run = await createRun({ experiment, dir: `${folder}/${name}` }, mockContext({ providers: [replying(reply)] }))
    try {
      return (await executeRun(run)).warnings
    } finally {
      await run[Symbol.asyncDispose]()
    }
  }
  try {
    expect(await doubtsOf('a', { reasoning: 'It is even.\nYes' })).toEqual([
      expect.stringContaining('ended normally with reasoning and no text: its server may take answers for reasoning'),
    ])
    expect(await doubtsOf('b', { reasoning: 'It is', finish: 'truncated' })).toEqual([])
    expect(await doubtsOf('c', {})).toEqual([])
  } finally {
    await remove()
  }
})

it('the embedded model stops in the middle of a context, and scores the next string as if nothing had been', async () => {
  const model = await openTiny()
  const request = { context: '\n123\n', text: '123\n' }
  const before = await model.score([request])
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('enough')), 100)
  // Hours of work.
  const long = model.score([{ context: '312654\n'.repeat(100_000), text: '1\n' }], stop.signal)
  await expect(long).rejects.toThrow('enough')
  expect(await model.score([request])).toEqual(before)
})

it('a program that nobody waits for any more is not waited for', async () => {
  const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }
  const model = await openModel(`exec:${process.execPath} -e "setInterval(() => 0, 1000)"`, {}, providers, around)
  const stop = new AbortController()
  const asked = model.call(parityCall(0, { request: { kind: 'score', context: 'a', text: 'b' } }), stop.signal)
  stop.abort(new DOMException('stop', 'AbortError'))
  expect(await asked).toMatchObject({ kind: 'failure', code: 'aborted' })
  await model.close?.()
})
