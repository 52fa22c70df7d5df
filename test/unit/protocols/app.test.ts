import { describe, expect, it } from 'vitest'
import type { Message, Source } from '../../../src/core/index.ts'
import type { Scored } from '../../../src/extras/protocols/job.ts'
import { keysOf, openToken, sealToken, servedSeed } from '../../../src/extras/protocols/token.ts'
import { appWith, good, keys, post, RECOGNIZE, type Served, tasks } from './server.ts'

const app = appWith()
const draw = (request: object) => good<Served>(post(app, '/v1/items', request))
const score = async (items: readonly object[], more: object = {}) =>
  (await good<{ readonly scores: readonly Scored[] }>(post(app, '/v1/score', { items, ...more }))).scores

const recognize = tasks.find(({ name }) => name === RECOGNIZE.task)
if (recognize === undefined) throw new Error('the task is gone')
const source = recognize.source(recognize.preset(RECOGNIZE.preset).config, {
  split: 'train',
  seed: servedSeed(keys, '1'),
})
const messagesOf = (from: Source, index: number): readonly Message[] => {
  const item = from.item(index)
  const request = item.kind === 'item' ? from.request(item, 'zero-shot') : null
  if (request?.kind !== 'chat') throw new Error(`no item ${index}`)
  return request.messages
}
const truth = (index: number): boolean => {
  const item = source.item(index)
  if (item.kind !== 'item') throw new Error(`no item ${index}`)
  return item.answer === true
}

describe('items', () => {
  it('are those of the seed that the secret gives', async () => {
    const { items } = await draw({ ...RECOGNIZE, index: 3, count: 2 })
    expect(items.map(({ index }) => index)).toEqual([3, 4])
    expect(items[1]?.messages).toEqual(messagesOf(source, 4))
  })

  it('of a plain seed are those that generate makes', async () => {
    const plain = appWith({ rawSeeds: true })
    const { items } = await good<Served>(post(plain, '/v1/items', { ...RECOGNIZE, seed: 7 }))
    const own = recognize.source(recognize.preset(RECOGNIZE.preset).config, { split: 'train', seed: '7' })
    expect(items[0]?.messages).toEqual(messagesOf(own, 0))
  })

  it('show nothing but the question and the token', async () => {
    const text = await (await post(app, '/v1/items', { ...RECOGNIZE, count: 5 })).text()
    const { items } = JSON.parse(text) as Served
    for (const item of items) expect(Object.keys(item).sort()).toEqual(['index', 'messages', 'token'])
    expect(text).not.toContain(servedSeed(keys, '1'))
  })

  it.each([
    ['no task', { task: 'relic/recognise' }, 404, 'did you mean'],
    ['the test split', { ...RECOGNIZE, split: 'test' }, 403, 'serves train'],
    ['no preset', { task: 'relic/recognize', preset: 'relic-dem' }, 422, 'did you mean'],
    ['a preset of the prototype', { task: 'relic/recognize', preset: 'constructor' }, 422, 'no preset'],
    ['an unknown knob', { task: 'relic/recognize', config: { nope: 1 } }, 422, 'unknown key'],
    ['no style', { ...RECOGNIZE, style: 'toString' }, 422, 'unknown style'],
    ['an index beyond the end', { ...RECOGNIZE, index: 1e9 }, 422, 'indices'],
    ['a list and a range', { ...RECOGNIZE, index: 1, indices: [1] }, 422, 'not both'],
    ['too many', { ...RECOGNIZE, count: 1e6 }, 422, 'count'],
    ['preset and config', { ...RECOGNIZE, config: { lengths: [2] } }, 422, 'not both'],
    ['a huge config', { task: 'relic/recognize', config: { note: 'x'.repeat(20_000) } }, 422, 'fits into a token'],
    ['a number that no config holds', { task: 'relic/recognize', config: { note: 1e308 } }, 422, 'note'],
    ['an integer past the last exact one', { task: 'relic/recognize', config: { note: [2 ** 53] } }, 422, 'note'],
    ['half a character', { task: 'relic/recognize', config: { note: '\ud800' } }, 422, 'note'],
    ['half a seed', { ...RECOGNIZE, seed: '\ud800' }, 422, 'well-formed'],
    ['an unknown key', { ...RECOGNIZE, answer: true }, 422, 'answer'],
  ])('of %s are refused', async (_, request, status, message) => {
    const response = await post(app, '/v1/items', request)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(message)
  })
})

describe('scores', () => {
  it('judge by token, and say what was read', async () => {
    const { items } = await draw({ ...RECOGNIZE, count: 8 })
    const answers = items.map(({ token, index }) => ({ token, text: `Answer: ${truth(index) ? 'Yes' : 'No'}` }))
    const right = await score(answers)
    expect(right.map(({ status, reward }) => [status, reward])).toEqual(items.map(() => ['graded', 1]))
    expect(right[0]?.prediction).toMatchObject({ parser: 'strict', answer: truth(0), span: [8, truth(0) ? 11 : 10] })
    const wrong = await score(items.map(({ token, index }) => ({ token, text: truth(index) ? 'No' : 'Yes' })))
    expect(wrong.map(({ reward }) => reward)).toEqual(items.map(() => 0))
  })

  it('need an answer: what was left out is not an empty one', async () => {
    const token = (await draw({ ...RECOGNIZE, count: 1 })).items[0]?.token
    const response = await post(app, '/v1/score', { items: [{ token, text: '' }, { token }] })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('items.1.text: missing') as unknown })
  })

  it('tell an error from a wrong answer: null, never 0', async () => {
    const [item] = (await draw({ ...RECOGNIZE, count: 1 })).items
    const token = item?.token ?? ''
    const foreign = openToken(keys, token)
    if (foreign === null) throw new Error('no token')
    const other = keysOf('another secret, as long as the first')
    const scores = await score([
      { token, text: 'I cannot tell.' },
      { token, text: `${truth(0) ? 'Yes' : 'No'}`, finish: 'truncated' },
      { token, text: `${truth(0) ? 'Yes' : 'No'}`, finish: 'refused' },
      { token: `${token.slice(0, -2)}AA`, text: 'Yes' },
      { token: sealToken(other, foreign), text: 'Yes' },
      { token: sealToken(keys, { ...foreign, version: 1 }), text: 'Yes' },
      { token: sealToken(keys, { ...foreign, configHash: '000000000000' }), text: 'Yes' },
      { token: sealToken(keys, { ...foreign, split: 'test' }), text: 'Yes' },
      { token: sealToken(keys, { ...foreign, task: '__proto__' }), text: 'Yes' },
      { token: sealToken(keys, { ...foreign, index: 1e9 }), text: 'Yes' },
    ])
    expect(scores.map(({ status, reward, error }) => [status, reward, error?.code ?? null])).toEqual([
      ['unparsed', 0, null],
      ['truncated', 0, null],
      ['refused', 0, null],
      ['error', null, 'bad-token'],
      ['error', null, 'bad-token'],
      ['error', null, 'stale-token'],
      ['error', null, 'stale-token'],
      ['error', null, 'split-not-served'],
      ['error', null, 'unknown-task'],
      ['error', null, 'no-item'],
    ])
  })

  it('are what they are alone at a server that has seen nothing, however they are mixed and repeated', async () => {
    const { items } = await draw({ ...RECOGNIZE, count: 6 })
    const ours = items.map(({ token }) => token)
    const tokens = [...ours, 'no token', `${ours[0]?.slice(0, -2)}AA`]
    const texts = ['Answer: Yes', 'Answer: No', 'Who knows?', '']
    const answers = Array.from({ length: 64 }, (_, i) => ({
      token: tokens[(i * 5) % tokens.length] ?? '',
      text: texts[(i >> 3) % texts.length] ?? '',
    }))
    const together = await score(answers)
    expect(await score(answers.toReversed())).toEqual(together.toReversed())
    for (const [i, one] of answers.slice(0, 24).entries()) {
      const alone = await good<{ readonly scores: readonly Scored[] }>(post(appWith(), '/v1/score', { items: [one] }))
      expect(alone.scores).toEqual([together[i]])
    }
  })

  it('are by the parser asked for; an unknown one is an error', async () => {
    const [item] = (await draw({ ...RECOGNIZE, count: 1 })).items
    const answers = [{ token: item?.token, text: `${truth(0) ? 'Yes' : 'No'}, and that is all there is to say.` }]
    expect((await score(answers, { parser: 'lenient' }))[0]).toMatchObject({
      reward: 1,
      prediction: { parser: 'lenient' },
    })
    for (const parser of ['constructor', '__proto__', 'nope'])
      expect((await score(answers, { parser }))[0]).toMatchObject({ reward: null, error: { code: 'unknown-parser' } })
  })

  it('of every task: gold has the reward 1', async () => {
    for (const task of tasks) {
      if (task.parsers === undefined || task.gold === undefined) continue
      const names = Object.keys(task.presets)
      const preset = names.find((name) => name.endsWith('-demo')) ?? names[0] ?? ''
      const { items } = await draw({ task: task.name, preset, count: 2 })
      const made = task.source(task.preset(preset).config, { split: 'train', seed: servedSeed(keys, '1') })
      const answers = items.flatMap(({ token, index }) => {
        const item = made.item(index)
        return item.kind === 'item' && token !== undefined ? [{ token, text: task.gold?.(item) ?? '' }] : []
      })
      for (const { reward } of await score(answers)) expect([task.name, reward]).toEqual([task.name, 1])
    }
  })

  it('check the steps of an answer, where that is asked', async () => {
    const [item] = (await draw({ ...RECOGNIZE, count: 1 })).items
    const answers = [
      { token: item?.token, text: "S[1-9999] -> NT1[1-2] NT2[3-9999]\nNT1[1-1] -> 'nothing'\nAnswer: Yes" },
    ]
    const [traced] = await score(answers, { trace: true })
    expect(traced?.trace).toMatchObject({ steps: 2, trueSteps: 0, firstFalse: [0, 33], supportsAnswer: null })
    expect((await score(answers))[0]).not.toHaveProperty('trace')
  })

  it('of log-probabilities are values', async () => {
    const served = await good<{ items: readonly { token: string; text: string }[] }>(
      post(app, '/v1/items', { task: 'proficiency/discriminate', preset: 'g1' }),
    )
    const [item] = served.items
    const logprobs = (item?.text ?? '').split(/(?<= )/u).map((text) => ({ text, logprob: -1 }))
    const [measured, none] = await score([
      { token: item?.token, logprobs },
      { token: item?.token, text: 'abc' },
    ])
    expect(measured).toMatchObject({ status: 'loglikelihood', reward: null, error: null })
    expect(Object.keys(measured?.values ?? {})).not.toEqual([])
    expect(none).toMatchObject({ status: 'error', reward: null, error: { code: 'no-logprobs' } })
  })
})

describe('the server', () => {
  it('says what it is and what it has', async () => {
    expect(await good(app.request('/health'))).toEqual({ status: 'healthy' })
    const document = await good<{ openapi: string; paths: object }>(app.request('/openapi.json'))
    expect(document.openapi).toBe('3.1.0')
    // Whatever it refers to is there, from the root of the document.
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/gu)].map(([, path = '']) =>
      path.split('/'),
    )
    expect(refs.length).toBeGreaterThan(0)
    for (const path of refs) expect(document).toHaveProperty(path)
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/v1/items', '/v1/score', '/v1/tasks']))
    const { splits, tasks: listed } = await good<{ splits: string[]; tasks: { task: string }[] }>(
      app.request('/v1/tasks'),
    )
    expect(splits).toEqual(['train'])
    expect(listed.map(({ task }) => task)).toEqual(tasks.map(({ name }) => name))
  })

  it('counts, in the format of OpenMetrics', async () => {
    const counted = appWith()
    await post(counted, '/v1/items', { ...RECOGNIZE, count: 4 })
    await post(counted, '/v1/score', { items: [{ token: 'x', text: 'Yes' }] })
    await counted.request('/a/path/of/"the client')
    const response = await counted.request('/metrics')
    expect(response.headers.get('content-type')).toContain('application/openmetrics-text')
    const text = await response.text()
    expect(text).toContain('touchstone_items_total{task="relic/recognize",kind="item"} 4\n')
    expect(text).toContain('touchstone_scores_total{task="",status="error",error="bad-token"} 1\n')
    expect(text).toContain('touchstone_requests_total{route="",status="404"} 1\n')
    expect(text.endsWith('# EOF\n')).toBe(true)
    expect(text).not.toContain('client')
  })

  it('asks for its key, where it has one', async () => {
    const locked = appWith({ key: 'open sesame' })
    expect((await locked.request('/v1/tasks')).status).toBe(401)
    expect((await locked.request('/v1/tasks', { headers: { authorization: 'Bearer open sesam' } })).status).toBe(401)
    expect((await locked.request('/v1/tasks', { headers: { authorization: 'Bearer open sesame' } })).status).toBe(200)
    expect((await locked.request('/health')).status).toBe(200)
  })

  it.each([
    ['no JSON', '{', 400, 'bad-json'],
    ['NaN', '{"items":[{"token":"x","text":NaN}]}', 400, 'bad-json'],
    ['two hundred brackets', '['.repeat(200), 400, 'too-deep'],
    ['a million brackets', '['.repeat(1e6), 400, 'too-deep'],
    ['nothing', '', 400, 'bad-json'],
    ['a list', '[]', 422, 'bad-request'],
    ['an infinite number', '{"items":[{"token":"x","logprobs":[{"text":"a","logprob":1e999}]}]}', 422, 'bad-request'],
    ['keys of the prototype', '{"__proto__":{"items":[]},"items":[]}', 422, 'bad-request'],
  ])('refuses a body of %s', async (_, body, status, code) => {
    const response = await post(app, '/v1/score', body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  it('refuses what is too large, whatever it says of its length', async () => {
    const piece = new Uint8Array(1 << 20).fill(0x20)
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) })
    const headers = { 'content-type': 'application/json' }
    const response = await app.request('/v1/score', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    expect(response.status).toBe(413)
  })

  it('refuses what a web page could post without asking', async () => {
    const response = await post(app, '/v1/score', '{}', { 'content-type': 'text/plain' })
    expect(response.status).toBe(415)
  })
})
