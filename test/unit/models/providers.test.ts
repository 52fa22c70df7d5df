import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { RandomStreams, Task, TokenLogprob } from '../../../src/core/index.ts'
import {
  factsOf,
  type Model,
  type ModelCall,
  openModel,
  providers,
  scoringModel,
  settingsText,
} from '../../../src/models/index.ts'
import { LOCAL, plainMaximum } from '../../../src/models/model.ts'
import { scratch } from '../../mock/context.ts'
import { parity } from '../../mock/parity.ts'

const closing: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }
const open = async (spec: string): Promise<Model> => {
  const model = await openModel(spec, {}, providers, around)
  closing.push(() => model.close?.())
  return model
}

const config = parity.preset('small').config
const source = parity.source(config, { split: 'test', seed: 0 })

function callFor(index: number, task: Task = parity, more: Partial<ModelCall> = {}): ModelCall {
  const item = source.item(index)
  if (item.kind === 'hole') throw new Error('the small preset has no holes')
  return {
    task,
    item: item.id,
    config,
    style: 'plain',
    sample: 0,
    settings: {},
    request: source.request(item, 'plain'),
    question: { shared: item.shared, given: item.given },
    draws: (name): RandomStreams => source.baselineDraws(index, name),
    problem: () => item,
    attemptId: `${item.id}/${index}/1`,
    ...more,
  }
}
const signal = AbortSignal.timeout(20_000)

describe('specs', () => {
  it.each([
    ['opnai:x', /did you mean "openai"/u],
    ['openai', /names no model. Write openai:MODEL/u],
    ['baseline:', /names no model/u],
    ['nothing at all', /expected a model as provider:model/u],
  ])('%s is refused', async (spec, message) => {
    await expect(open(spec)).rejects.toThrow(message)
  })

  it('keep what follows the first colon whole', async () => {
    expect((await open('exec:echo a:b')).name).toBe('exec:echo a:b')
  })
})

describe('generic baselines', () => {
  it('random is fair and repeatable, and draws apart from item to item', async () => {
    const model = await open('baseline:random')
    const texts = []
    for (let i = 0; i < 100; i++) {
      const reply = await model.call(callFor(i), signal)
      expect(reply).toEqual(await model.call(callFor(i), signal))
      texts.push(reply.kind === 'answer' ? reply.text : '')
    }
    const yes = texts.filter((text) => text === 'Yes').length
    expect(yes).toBeGreaterThan(25)
    expect(yes).toBeLessThan(75)
  })

  it('majority is what is right most often in training items', async () => {
    const lopsided: Task = {
      ...parity,
      source: (c, key, plan) => {
        const whole = parity.source(c, key, plan)
        // Only odd numbers: "No" is right.
        const odd = Array.from({ length: 100 }, (_, i) => whole.item(i)).filter(
          (item) => item.kind === 'item' && item.answer === false,
        )
        return { ...whole, layout: { ...whole.layout, size: odd.length }, item: (i) => odd[i] ?? whole.item(i) }
      },
    }
    const model = await open('baseline:majority')
    expect(await model.call(callFor(0, lopsided), signal)).toMatchObject({ kind: 'answer', text: 'No' })
  })

  it('gold is right, and random has nothing to say where answers are not closed', async () => {
    for (let i = 0; i < 10; i++)
      expect(await (await open('baseline:gold')).call(callFor(i), signal)).toMatchObject({
        text: callFor(i).problem().answer === true ? 'Yes' : 'No',
      })
    const { choices: _, ...open_ } = parity
    expect(await (await open('baseline:random')).call(callFor(0, open_), signal)).toMatchObject({
      kind: 'failure',
      code: 'not-supported',
      retry: 'never',
    })
  })

  it('are not shown the truth', async () => {
    const call = callFor(0, parity, {
      problem: () => {
        throw new Error('looked at the answer')
      },
    })
    for (const name of ['random', 'majority', 'exact', 'even'])
      expect(await (await open(`baseline:${name}`)).call(call, signal)).toMatchObject({ kind: 'answer' })
    expect(await (await open('baseline:gold')).call(call, signal)).toMatchObject({ kind: 'failure', boundary: 'task' })
  })
})

describe('a model that gives probabilities', () => {
  const scorer = (logprob: (context: string, text: string) => number): Model =>
    scoringModel(
      {
        name: 's',
        score: (requests) =>
          Promise.resolve(
            requests.map(({ context, text }): TokenLogprob[] => [{ text, logprob: logprob(context, text) }]),
          ),
      },
      { name: 's', route: 's', concurrency: LOCAL, reusesContext: true },
    )

  it('answers a closed question by the likeliest choice, after the prompt', async () => {
    const contexts = new Set<string>()
    const model = scorer((context, text) => {
      contexts.add(context)
      return text === ' No' ? -1 : -2
    })
    expect(await model.call(callFor(0), signal)).toMatchObject({
      text: 'No',
      logprobs: [
        { text: 'Yes', logprob: -2 },
        { text: 'No', logprob: -1 },
      ],
    })
    expect(contexts.size).toBe(1)
    expect([...contexts][0]).toContain('is this number even')
  })

  it('scores the text of a scored request', async () => {
    const request = { kind: 'score', context: 'abc', text: 'de' } as const
    expect(
      await scorer(() => -3).call(callFor(0, parity, { request, settings: { temperature: 1 } }), signal),
    ).toMatchObject({
      logprobs: [{ text: 'de', logprob: -3 }],
      ignored: ['temperature'],
    })
  })

  it('cannot answer an open question', async () => {
    const { choices: _, ...open_ } = parity
    expect(await scorer(() => 0).call(callFor(0, open_), signal)).toMatchObject({
      kind: 'failure',
      code: 'not-supported',
    })
  })
})

describe('a command', () => {
  const program = `
import { createInterface } from 'node:readline'
const held = []
for await (const line of createInterface({ input: process.stdin })) {
  const { id, messages } = JSON.parse(line)
  const n = Number(/(\\d+)\\?/.exec(messages[0].content)[1])
  if (process.argv[2] === 'die') { console.error('out of memory'); process.exit(3) }
  if (process.argv[2] === 'odd') { console.log('loading...'); console.log(JSON.stringify({ id, txt: 1 })); continue }
  if (process.argv[2] === 'half') { console.log(JSON.stringify({ id, text: 'Yes', usage: { inputTokens: 1.5 } })); continue }
  if (process.argv[2] === 'error') { console.log(JSON.stringify({ id, error: 'cannot', retry: true })); continue }
  if (process.argv[2] === 'prose') { console.log('The answer is yes.'); continue }
  if (process.argv[2] === 'flood') { process.stdout.write('x'.repeat(6e6)); continue }
  if (process.argv[2] === 'nan') { console.log('{"id":' + JSON.stringify(id) + ',"text":"Yes","usage":{"outputTokens":NaN}}'); continue }
  held.push({ id, text: n % 2 ? 'No' : 'Yes', finish: 'stop', usage: { outputTokens: 1 } })
  // Answers come in another order than the questions.
  if (held.length === 3) for (const answer of held.splice(0).reverse()) console.log(JSON.stringify(answer))
}
`
  const start = async (mode = ''): Promise<Model> => {
    const { folder, remove } = await scratch()
    closing.push(remove)
    const file = join(folder, 'program.mjs')
    await writeFile(file, program)
    return open(`exec:"${process.execPath}" "${file}" ${mode}`)
  }

  it('answers line by line, in any order', async () => {
    const model = await start()
    const replies = await Promise.all([0, 1, 2].map((i) => model.call(callFor(i), signal)))
    expect(replies.map((reply) => reply.kind === 'answer' && reply.text)).toEqual(
      [0, 1, 2].map((i) => (callFor(i).problem().answer === true ? 'Yes' : 'No')),
    )
    expect(replies[0]).toMatchObject({ usage: { outputTokens: 1 } })
  })

  it.each([
    ['die', { code: 'exec-ended', retry: 'again', message: expect.stringMatching(/exit code 3: out of memory/u) }],
    ['odd', { code: 'bad-body', retry: 'again' }],
    ['half', { code: 'bad-body', message: expect.stringMatching(/usage\.inputTokens/u) }],
    ['error', { code: 'exec-error', retry: 'again', message: 'cannot' }],
    ['nan', { code: 'bad-body', message: expect.stringMatching(/NaN.*not JSON/u) }],
    ['flood', { code: 'exec-ended', message: expect.stringMatching(/line longer than/u) }],
  ])('that does %s is a failure', async (mode, expected) => {
    expect(await (await start(mode)).call(callFor(0), signal)).toMatchObject({ kind: 'failure', ...expected })
  })

  it.each([
    ['a text of its own', '[{"text": "dx", "logprob": -1}]', /spell "dx", and the text is "de"/u],
    ['a part of the text', '[{"text": "d", "logprob": -1}]', /spell "d", and/u],
    ['no token', '[]', /spell ""/u],
    ['a likelihood above 1', '[{"text": "de", "logprob": 1}]', /above 0/u],
    ['a number that means none', '[{"text": "de", "logprob": -9999}]', /-9999/u],
    ['less mass than the token has', '[{"text": "de", "logprob": -1, "mass": 0.1}]', /mass 0\.1/u],
    ['mass above 1', '[{"text": "de", "logprob": -1, "mass": 2}]', /mass 2/u],
  ])('that scores %s has scored nothing', async (_, logprobs, message) => {
    const scores = `process.stdin.once("data", (d) => console.log(JSON.stringify({ id: JSON.parse(d).id, logprobs: ${logprobs} })))`
    const model = await open(`exec:"${process.execPath}" -e '${scores}'`)
    const request = { kind: 'score', context: 'abc', text: 'de' } as const
    expect(await model.call(callFor(0, parity, { request }), signal)).toMatchObject({
      kind: 'failure',
      code: 'bad-answer',
      retry: 'never',
      message: expect.stringMatching(message),
    })
    await model.close?.()
  })

  it('that answers in another form is told so when its time is over', async () => {
    const model = await start('prose')
    expect(await model.call(callFor(0), AbortSignal.timeout(1500))).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/JSON with "id" and "text" was expected, and what came is The answer is yes\./u),
    })
  })

  it.each(['{"text": "Yes"}', '{"id": 1, "text": "Yes"}', '{"logprobs": [], "id": null}'])(
    'that answers %s, to no question, is told so at once and not asked again',
    async (answer) => {
      const model = await open(`exec:while read line; do echo '${answer}'; done`)
      const told = {
        code: 'exec-ended',
        retry: 'never',
        message: expect.stringContaining(
          `wrote ${answer}: an answer has the "id" of its question, copied from there`,
        ) as string,
      }
      expect(await Promise.all([0, 1].map((i) => model.call(callFor(i), signal)))).toMatchObject([told, told])
      expect(await model.call(callFor(2), signal)).toMatchObject(told)
    },
  )

  it('that waits for the end of its input is told so when its time is over', async () => {
    const model = await open('exec:cat >/dev/null')
    expect(await model.call(callFor(0), AbortSignal.timeout(50))).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/has written nothing yet: it is to answer each line as it comes/u),
    })
    await model.close?.()
  })

  it('is started again after it ended', async () => {
    const model = await start('die')
    expect(await model.call(callFor(0), signal)).toMatchObject({ code: 'exec-ended' })
    expect(await model.call(callFor(1), signal)).toMatchObject({ code: 'exec-ended' })
  })

  it('may write null for what it does not have, and no line break at its end', async () => {
    const nothing =
      'finish: null, reasoning: null, logprobs: null, error: null, usage: { inputTokens: 3, outputTokens: null }'
    const writes = `process.stdin.once("data", (d) => { process.stdout.write(JSON.stringify({ id: JSON.parse(d).id, text: "Yes", ${nothing} })); process.exit(0) })`
    const model = await open(`exec:"${process.execPath}" -e '${writes}'`)
    expect(await model.call(callFor(0), signal)).toMatchObject({
      kind: 'answer',
      text: 'Yes',
      usage: { inputTokens: 3 },
    })
  })

  it.skipIf(process.platform === 'win32')('leaves nothing at work that it began', async () => {
    const { folder, remove } = await scratch()
    closing.push(remove)
    const told = join(folder, 'told')
    // A server, say, that has its output elsewhere and is not waited for.
    const server = `(trap 'echo yes >${told}; exit' TERM; while :; do sleep 0.05; done) >/dev/null 2>&1 </dev/null &`
    const answers =
      'process.stdin.once("data", (d) => console.log(JSON.stringify({ id: JSON.parse(d).id, text: "Yes" })))'
    const model = await open(`exec:${server} "${process.execPath}" -e '${answers}'`)
    expect(await model.call(callFor(0), signal)).toMatchObject({ text: 'Yes' })
    expect(existsSync(told)).toBe(false)
    await model.close?.()
    await expect.poll(() => existsSync(told), { timeout: 10_000 }).toBe(true)
  })

  it('that does not exist is a failure', async () => {
    const model = await open('exec:no-such-program-here')
    for (const i of [0, 1])
      expect(await model.call(callFor(i), signal)).toMatchObject({
        code: 'exec-ended',
        retry: 'never',
        message: expect.stringMatching(/exit code 127: .*not found/u),
      })
  })
})

describe('settings', () => {
  it('have one text whatever the order of their keys', () => {
    expect(settingsText({ topP: 1, temperature: 0 })).toBe(settingsText({ temperature: 0, topP: 1 }))
    expect(settingsText({})).toBe('{}')
  })
})

it.each([
  'anthropic:m',
  'completions:m',
  'exec:cat',
  'google:m',
  'hybrid:anthropic:m',
  'hybrid:completions:m',
  'openai-responses:m',
  'two-pass-user:openai:m',
  'two-pass:anthropic:m',
])('what is set aside for %s is known without opening it', async (spec) => {
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k' }
  const model = await openModel(spec, { baseUrl: 'http://127.0.0.1:1/v1' }, providers, { ...around, env })
  const facts = factsOf(spec, providers)
  expect([facts.kind, facts.probing]).toEqual([model.kind, model.probing])
  for (const settings of [{}, { maxTokens: 9 }, { maxTokens: 9, effort: 'low', thinkingBudget: 7 }] as const) {
    const most = ({ maxOutput, maxInput }: Pick<Model, 'maxOutput' | 'maxInput'>): readonly unknown[] => [
      (maxOutput ?? plainMaximum)(settings),
      maxInput?.(1000, settings) ?? 1000,
    ]
    expect(most(facts)).toEqual(most(model))
  }
})
