import { describe, expect, it } from 'vitest'
import { solutionText } from '../../../src/core/index.ts'
import { protocols } from '../../../src/extras/protocols/protocols/index.ts'
import { answerOf } from '../../../src/extras/protocols/protocols/nemo-gym.ts'
import { appWith, good, post, type Served, tasks } from './server.ts'

const app = appWith({}, protocols)
const FEASIBILITY = { task: 'recoglab/comparison', preset: 'feasibility' } as const
const ANSWERS = ['Answer: Yes', 'Answer: No', 'Answer: Unknown']
const ascending = (a: number, b: number): number => a - b
const tokenOf = async (index = 0): Promise<string> =>
  (await good<Served>(post(app, '/v1/items', { ...FEASIBILITY, index }))).items[0]?.token ?? ''

const message = (text: string, more: object = {}) => ({
  id: 'resp_x',
  created_at: 1,
  model: 'm',
  object: 'response',
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  status: 'completed',
  output: [
    { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  ...more,
})

describe('NeMo-Gym', () => {
  const row = {
    responses_create_params: { input: [{ role: 'user', content: 'q' }] },
    style: 'zero-shot',
    own: { a: [1] },
  }

  it('begins a rollout with nothing, and can verify again', async () => {
    expect(await good(post(app, '/seed_session', { ...row, token: 'x' }))).toEqual({})
    expect(await good(app.request('/reverify_mode'))).toBe('stateless')
  })

  it('verifies: one answer of three is right, and everything is echoed', async () => {
    const token = await tokenOf()
    const verdicts = await Promise.all(
      ANSWERS.map((text) =>
        good<{ reward: number }>(post(app, '/verify', { ...row, token, reward: 9, response: message(text) })),
      ),
    )
    expect(verdicts.map(({ reward }) => reward).toSorted(ascending)).toEqual([0, 0, 1])
    expect(verdicts[0]).toMatchObject({
      ...row,
      token,
      response: message('Answer: Yes'),
      status: 'graded',
      truncated: 0,
    })
  })

  const output = (...items: unknown[]) => ({ output: items }) as Parameters<typeof answerOf>[0]

  it('reads messages only, and knows how they ended', () => {
    const finishOf = (more: object) => answerOf(message('x', more) as Parameters<typeof answerOf>[0]).finish
    expect(answerOf(message('one') as Parameters<typeof answerOf>[0])).toEqual({ text: 'one', finish: 'stop' })
    expect(answerOf(output({ type: 'message', content: 'plain' })).text).toBe('plain')
    expect(answerOf(output({ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] })).finish).toBe('refused')
    expect(finishOf({ status: 'incomplete' })).toBe('truncated')
    expect(finishOf({ incomplete_details: { reason: 'max_output_tokens' } })).toBe('truncated')
    expect(finishOf({ incomplete_details: { reason: 'content_filter' } })).toBe('refused')
  })

  it.each([
    [{ role: 'assistant', content: 'Answer: Yes' }],
    [{ role: 'assistant', content: [{ text: 'Answer: Yes' }] }],
    [{ type: null, role: 'assistant', content: ['Answer: ', { type: 'text', text: 'Yes' }] }],
    [{ type: 'message', content: [{ type: 'output_text', text: 'Answer: Yes' }] }],
    [
      { type: 'message', role: 'user', content: 'Answer: No' },
      { role: 'assistant', content: 'Answer: Yes' },
    ],
  ])('understands a client that leaves out types: %j', (...items) => {
    expect(answerOf(output(...items))).toEqual({ text: 'Answer: Yes', finish: 'stop' })
  })

  it.each([
    [output()],
    [output({ content: 'Answer: Yes' })],
    [output({ type: 'message', content: null })],
    [output({ type: 'message', role: 'assistant' })],
    [output({ type: 'message', content: { text: 'Answer: Yes' } })],
    [output({ type: 'message', content: [null] })],
    [output({ type: 'assistant', role: 'assistant', content: 'Answer: Yes' })],
    [output({ type: 'message', role: 'user', content: 'Answer: Yes' })],
    [output({ type: 'message', content: [{ type: 'output_text' }] })],
    [output({ type: 'message', content: [{ type: 'output_text', text: 5 }] })],
    [output({ type: 'message', content: [{ type: 'image', text: 'Answer: Yes' }] })],
    [{ ...output({ type: 'message', content: '' }), error: { code: 'server_error' } }],
    [{ ...output({ type: 'message', content: '' }), incomplete_details: { reason: 'server_error' } }],
    [{ ...output({ type: 'message', content: '' }), status: 'odd' }],
    [{ choices: [{ message: { content: 'Answer: Yes' } }] }],
    [{ output: 'Answer: Yes' }],
    ['Answer: Yes'],
    [null],
  ])('gives no reward to %j: no such response was expected', async (response) => {
    const answer = await post(app, '/verify', { ...row, token: await tokenOf(), response })
    expect(answer.status).toBe(422)
    expect(await answer.json()).not.toHaveProperty('reward')
  })

  it('gives no reward where nothing was judged', async () => {
    const response = await post(app, '/verify', { ...row, token: 'forged', response: message('Yes') })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ error: { code: 'bad-token' } })
  })

  it.each(['failed', 'cancelled', 'queued', 'in_progress'])(
    'gives no reward to a response that is %s',
    async (status) => {
      const response = message('', { status, output: [], error: { code: 'server_error' } })
      const answer = await post(app, '/verify', { ...row, token: await tokenOf(), response })
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ error: { code: 'no-answer' } })
    },
  )

  it('means what it is given', async () => {
    const verify_responses = [
      { _ng_task_index: 0, reward: 1, strict: 1, status: 'graded' },
      { _ng_task_index: 0, reward: 0, strict: 0 },
      { _ng_task_index: 1, reward: 1, strict: 1 },
    ]
    expect(await good(post(app, '/aggregate_metrics', { verify_responses }))).toEqual({
      group_level_metrics: [
        { _ng_task_index: 0, 'mean/reward': 0.5, 'mean/strict': 0.5 },
        { _ng_task_index: 1, 'mean/reward': 1, 'mean/strict': 1 },
      ],
      agent_metrics: { 'mean/reward': 2 / 3, 'mean/strict': 2 / 3 },
      key_metrics: { 'mean/reward': 2 / 3 },
    })
  })
})

describe('OpenRLHF', () => {
  it('takes tokens as labels, and the answer after the prompt', async () => {
    const token = await tokenOf()
    const prompts = ANSWERS.map(() => 'the prompt, which names Answer: Blue\n')
    const query = ANSWERS.map((answer, i) => `${prompts[i]}${answer}`)
    const labels = ANSWERS.map(() => token)
    const { rewards, scores, extra_logs } = await good<{
      rewards: number[]
      scores: number[]
      extra_logs: { [name: string]: number[] }
    }>(post(app, '/get_reward', { query, prompts, labels }))
    expect(rewards.toSorted(ascending)).toEqual([0, 0, 1])
    expect(scores).toEqual(rewards)
    expect(extra_logs).toEqual({ lenient: rewards, unparsed: [0, 0, 0] })
  })

  it('finds the answer after marks before the prompt and before marks of its end', async () => {
    const prompt = '[INST] Answer: Blue [/INST]'
    const { rewards } = await good<{ rewards: number[] }>(
      post(app, '/get_reward', {
        query: ANSWERS.map((answer) => `<s> ${prompt} ${answer}</s>`),
        prompts: ANSWERS.map(() => prompt),
        labels: await Promise.all(ANSWERS.map(() => tokenOf())),
      }),
    )
    expect(rewards.toSorted(ascending)).toEqual([0, 0, 1])
  })

  it('refuses prompts that the queries do not hold, since it would score the prompt', async () => {
    const labels = [await tokenOf()]
    for (const prompts of [['another prompt'], []])
      expect((await post(app, '/get_reward', { query: ['Answer: Yes'], prompts, labels })).status).toBe(422)
    expect((await post(app, '/get_reward', { query: ['Answer: Yes'], labels })).status).toBe(200)
  })

  it('refuses a call with a label that is no token', async () => {
    expect((await post(app, '/get_reward', { query: ['x'], prompts: ['x'], labels: ['forged'] })).status).toBe(422)
    expect((await post(app, '/get_reward', { query: ['x'], labels: [] })).status).toBe(422)
  })
})

/** What `openenv validate URL` asks of a running environment. */
describe('OpenEnv: the six checks of its validator', () => {
  it('openapi_version_available', async () => {
    const { info } = await good<{ info: { version: unknown } }>(app.request('/openapi.json'))
    expect(info.version).toMatch(/^1\./u)
  })
  it('health_endpoint', async () => {
    expect(await good(app.request('/health'))).toMatchObject({ status: 'healthy' })
  })
  it('metadata_endpoint', async () => {
    const { name, description } = await good<{ name: unknown; description: unknown }>(app.request('/metadata'))
    expect([typeof name, typeof description]).toEqual(['string', 'string'])
  })
  it('schema_endpoint', async () => {
    const schema = await good<{ action: { required: string[] }; observation: object; state: object }>(
      app.request('/schema'),
    )
    expect([typeof schema.observation, typeof schema.state]).toEqual(['object', 'object'])
    // Clients that know nothing of us put the reply into the one required property.
    expect(schema.action.required).toEqual(['answer'])
  })
  it('mcp_endpoint', async () => {
    const answer = await good<{ jsonrpc: string; error: object }>(post(app, '/mcp', {}))
    expect(answer).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
  })
  it('mode_endpoint_consistency', async () => {
    const { paths } = await good<{ paths: object }>(app.request('/openapi.json'))
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/reset', '/step', '/state']))
  })
})

describe('OpenEnv over HTTP', () => {
  it('is an episode of one question', async () => {
    const { observation, reward, done } = await good<{
      observation: { question: string; token: string }
      reward: null
      done: boolean
    }>(post(app, '/reset', { ...FEASIBILITY, index: 2 }))
    expect([reward, done]).toEqual([null, false])
    expect(observation.token).toBe(await tokenOf(2))
    const ends = await Promise.all(
      ANSWERS.map((answer) =>
        good<{ reward: number; done: boolean }>(post(app, '/step', { action: { answer, token: observation.token } })),
      ),
    )
    expect(ends.map((end) => end.reward).toSorted(ascending)).toEqual([0, 0, 1])
    expect(ends.every((end) => end.done)).toBe(true)
  })

  it('says with detail what is wrong, and rewards no forged token', async () => {
    const missing = await post(app, '/step', { action: {} })
    expect(missing.status).toBe(422)
    expect(await missing.json()).toMatchObject({ detail: expect.stringContaining('answer') as unknown })
    expect((await post(app, '/step', { action: { answer: 'Yes' } })).status).toBe(422)
    const forged = await good(post(app, '/step', { action: { answer: 'Yes', token: 'forged' } }))
    expect(forged).toMatchObject({ reward: null, done: true, observation: { status: 'error', score: null } })
  })
})

describe('Open Reward Standard', () => {
  const ENV = 'recoglab-comparison.feasibility'
  const events = async (response: Response | Promise<Response>) =>
    (await (await response).text())
      .trimEnd()
      .split('\n\n')
      .map((block) => {
        const [event = '', data = ''] = block.split('\n')
        return { event: event.replace('event: ', ''), data: data.replace(/^data: ?/u, '') }
      })
  const session = async (): Promise<string> => {
    const [named, end] = await events(post(app, '/create_session', ''))
    expect([named?.event, end]).toEqual(['task_id', { event: 'end', data: '' }])
    return named?.data ?? ''
  }

  it('lists environments, tools and splits', async () => {
    expect(await good(app.request('/list_environments'))).toContain(ENV)
    expect(await good(app.request(`/${ENV}/splits`))).toEqual([{ name: 'train', type: 'train' }])
    const { tools } = await good<{ tools: { name: string; input_schema: { required: string[] } }[] }>(
      app.request(`/${ENV}/tools`),
    )
    expect(tools.map(({ name, input_schema: input }) => [name, input.required])).toEqual([['answer', ['answer']]])
    expect((await app.request('/nowhere/tools')).status).toBe(404)
  })

  it('has tasks by index, which are tokens and nothing else', async () => {
    const { task } = await good<{ task: object }>(post(app, `/${ENV}/task`, { split: 'train', index: 2 }))
    expect(task).toEqual({ token: await tokenOf(2), index: 2 })
    const { tasks } = await good<{ tasks: object[] }>(
      post(app, `/${ENV}/task_range`, { split: 'train', start: 1, stop: 4 }),
    )
    expect(tasks[1]).toEqual(task)
    const demo = 'relic-recognize.relic-demo'
    const { num_tasks } = await good<{ num_tasks: number }>(post(app, `/${demo}/num_tasks`, { split: 'train' }))
    const all = await good<{ tasks: object[]; env_name: string }>(post(app, `/${demo}/tasks`, { split: 'train' }))
    expect([all.tasks.length, all.env_name]).toEqual([num_tasks, demo])
    expect((await post(app, `/${ENV}/tasks`, { split: 'train' })).status).toBe(400)
    expect((await post(app, `/${ENV}/task`, { split: 'test', index: 0 })).status).toBe(403)
    expect((await post(app, `/${ENV}/task`, { split: 'train', index: 0, more: 1 })).status).toBe(422)
  })

  it('is a session, a prompt and one call', async () => {
    const sid = await session()
    const headers = { 'x-session-id': sid }
    expect((await post(app, '/create', { env_name: ENV, split: 'train', index: 2 })).status).toBe(400)
    await good(post(app, '/create', { env_name: ENV, split: 'train', index: 2 }, headers))
    expect((await post(app, '/create', { env_name: ENV, split: 'train', index: 2 }, headers)).status).toBe(400)
    const [block] = await good<{ type: string; text: string }[]>(app.request(`/${ENV}/prompt`, { headers }))
    expect(block?.type).toBe('text')
    const rewards = await Promise.all(
      ANSWERS.map(async (answer) => {
        const [id, ...pieces] = await events(post(app, `/${ENV}/call`, { name: 'answer', input: { answer } }, headers))
        expect([id?.event, pieces.at(-1)?.event]).toEqual(['task_id', 'end'])
        const result = JSON.parse(pieces.map(({ data }) => data).join('')) as {
          ok: true
          output: { reward: number; finished: boolean; metadata: null }
        }
        expect([result.ok, result.output.finished, result.output.metadata]).toEqual([true, true, null])
        return result.output.reward
      }),
    )
    expect(rewards.toSorted(ascending)).toEqual([0, 0, 1])
    expect(await good(post(app, '/ping', '', headers))).toEqual({ status: 'ok' })
    await good(post(app, '/delete', '', headers))
    expect((await app.request(`/${ENV}/prompt`, { headers })).status).toBe(404)
  })

  it('takes the environment from the path where a session is begun by index alone, as its SDK does', async () => {
    const headers = { 'x-session-id': 'by index' }
    await good(post(app, '/create', { split: 'train', index: 2 }, headers))
    const [block] = await good<{ text: string }[]>(app.request(`/${ENV}/prompt`, { headers }))
    const { items } = await good<Served>(post(app, '/v1/items', { ...FEASIBILITY, index: 2 }))
    expect(block?.text).toBe(items[0]?.messages[0]?.content)
    const rewards = await Promise.all(
      ANSWERS.map(async (answer) => {
        const [, end] = await events(post(app, `/${ENV}/call`, { name: 'answer', input: { answer } }, headers))
        return (JSON.parse(end?.data ?? '') as { output: { reward: number } }).output.reward
      }),
    )
    expect(rewards.toSorted(ascending)).toEqual([0, 0, 1])
    const elsewhere = { 'x-session-id': 'another split' }
    expect((await post(app, '/create', { split: 'test', index: 2 }, elsewhere)).status).toBe(403)
  })

  it('counts ends of a range from behind where they are below 0', async () => {
    const of = async (range: object): Promise<number[]> => {
      const path = '/relic-recognize.relic-demo/task_range'
      const { tasks } = await good<{ tasks: { index: number }[] }>(post(app, path, { split: 'train', ...range }))
      return tasks.map(({ index }) => index)
    }
    const all = await of({})
    expect(await of({ start: -2 })).toEqual(all.slice(-2))
    expect(await of({ start: 1, stop: -300 })).toEqual(all.slice(1, -300))
    expect(await of({ start: -9999, stop: 2 })).toEqual([0, 1])
    expect(await of({ start: 9, stop: 3 })).toEqual([])
  })

  it('takes the key of the server as its clients send it', async () => {
    const locked = appWith({ key: 'k' }, protocols)
    expect((await locked.request('/list_environments', { headers: { 'x-api-key': 'k' } })).status).toBe(200)
    expect((await locked.request('/list_environments', { headers: { 'x-api-key': 'no' } })).status).toBe(401)
  })

  it('begins no session for what is no task', async () => {
    const headers = { 'x-session-id': 'mine' }
    for (const body of [
      { env_name: ENV, task_spec: { token: 'forged' } },
      { env_name: ENV, split: 'train' },
      { env_name: ENV, split: 'train', index: 1, task_spec: { token: 'x' } },
      { env_name: ENV },
    ])
      expect((await post(app, '/create', body, headers)).status).toBe(422)
    expect((await app.request(`/${ENV}/prompt`, { headers })).status).toBe(404)
  })
})

describe('the steps of a response, where they are asked for', () => {
  const overGrammars = ['parse', 'next', 'fill', 'count', 'repair', 'translate'].map((name) => ({
    task: `relic/${name}`,
    preset: `${name}-easy`,
  }))

  it.each([FEASIBILITY, ...overGrammars])('are in every protocol: $task', async ({ task: name, preset }) => {
    const task = tasks.find((one) => one.name === name)
    const source = task?.source(task.preset(preset).config, { split: 'train', seed: '1' })
    const index = [0, 1, 2, 3, 4].find((at) => source?.item(at).kind === 'item') ?? 0
    const [item, other] = [source?.item(index), source?.item(index + 16)]
    const solution = item?.kind === 'item' ? solutionText(task?.solution?.(item) ?? [], 'full') : ''
    const wrong = other?.kind === 'item' ? (task?.gold?.(other) ?? '') : ''
    const raw = appWith({ rawSeeds: true }, protocols)
    const { items } = await good<Served>(post(raw, '/v1/items', { task: name, preset, index }))
    const token = items[0]?.token ?? ''
    const { scores } = await good<{
      scores: { reward: number; subscores: object; trace: { readonly steps: number } }[]
    }>(post(raw, '/v1/score', { items: [solution, wrong].map((text) => ({ token, text })), trace: true }))
    const trace = scores[0]?.trace
    expect(trace).toMatchObject({ firstFalse: null, reward: 1 })
    if (name.startsWith('relic/')) {
      expect(scores.map(({ reward }) => reward)).toEqual([1, 0])
      expect(Object.keys(scores[0]?.subscores ?? {})).not.toEqual([])
      expect(scores[1]?.trace).toMatchObject({ reward: 0 })
    }
    const row = { responses_create_params: {}, token, trace: true }
    const verified = await good<object>(post(raw, '/verify', { ...row, response: message(solution) }))
    expect(verified).toMatchObject({
      reward: 1,
      step_reward: 1,
      true_share: 1,
      steps: trace?.steps,
      steps_checked: trace,
    })
    const stepped = await good<object>(post(raw, '/step', { action: { answer: solution, token, trace: true } }))
    expect(stepped).toMatchObject({ reward: 1, observation: { trace } })
    const rewarded = await good<object>(
      post(raw, '/get_reward?trace=true', { query: [`q${solution}`], prompts: ['q'], labels: [token] }),
    )
    expect(rewarded).toMatchObject({ rewards: [1], extra_logs: { step_reward: [1], true_share: [1] } })
    const headers = { 'x-session-id': 'traced' }
    await good(post(raw, '/create', { task_spec: { token, index, trace: true } }, headers))
    const env = `${name.replace('/', '-')}.${preset}`
    const called = await post(raw, `/${env}/call`, { name: 'answer', input: { answer: solution } }, headers)
    const data = [...(await called.text()).matchAll(/event: (?:chunk|end)\ndata: (.*)\n\n/gu)]
      .map(([, one]) => one)
      .join('')
    expect(JSON.parse(data)).toMatchObject({ ok: true, output: { reward: 1, metadata: { trace } } })
    for (const [path, body] of [
      ['/verify', { ...row, trace: false, response: message(solution) }],
      ['/step', { action: { answer: solution, token } }],
      ['/get_reward', { query: [solution], labels: [token] }],
    ] as const)
      expect(await (await post(raw, path, body)).text()).not.toMatch(/true_?share/iu)
  })
})
