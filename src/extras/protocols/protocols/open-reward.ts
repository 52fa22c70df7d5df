import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Protocol } from '../app.ts'
import { HttpError, LIMITS, readAs } from '../http.ts'
import type { Selection, Service } from '../service.ts'
import { addressOf, refusal } from '../sessions.ts'
import { MAX_TOKEN } from '../token.ts'

const index = z.int().min(0)
/** End of a range; negative: counted from the end. */
const bound = z.int().nullish()
const splitRequest = z.strictObject({ split: z.string() })
const taskRequest = z.strictObject({ split: z.string(), index })
const rangeRequest = z.strictObject({ split: z.string(), start: bound, stop: bound })
const createRequest = z.strictObject({
  env_name: z.string().nullish(),
  task_spec: z
    .looseObject({ token: z.string().max(MAX_TOKEN), trace: z.boolean().optional() })
    .nullish()
    .describe('as listed; with "trace": true the reasoning steps are checked too, where the task can'),
  split: z.string().nullish(),
  index: index.nullish(),
  secrets: z.record(z.string(), z.string()).nullish(),
})
const callRequest = z.strictObject({
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  task_id: z.string().nullish(),
})

const TOOL = 'answer'
const answerInput = z.strictObject({ answer: z.string().max(LIMITS.text).describe('response of the model') })
const TOOLS = {
  tools: [
    {
      name: TOOL,
      description: 'Gives the answer. It is scored and ends the task.',
      input_schema: z.toJSONSchema(answerInput),
    },
  ],
}

/** Concurrent sessions; an unused one expires after `STALE_MS`. */
const MAX_SESSIONS = 8192
const STALE_MS = 900_000
/** Tasks listed by one call; the size reported for an endless preset. */
const MAX_LISTED = 10_000
const ENDLESS = 2 ** 31 - 1
/** Characters of an event. */
const CHUNK = 4096

/** The item of a session; or, as in the SDK, an index in the environment that is later asked for its prompt. */
type Target =
  | { readonly kind: 'item'; readonly token: string; readonly trace: boolean }
  | { readonly kind: 'index'; readonly split: string; readonly index: number }

interface Session {
  readonly target: Target
  readonly address: string
  seen: number
}

class Sessions {
  private readonly open = new Map<string, Session>()

  add(id: string, target: Target, address: string): void {
    if (this.open.has(id)) throw new HttpError(400, 'session-exists', 'the session exists already')
    let refused = refusal(this.open.values(), address, MAX_SESSIONS)
    if (refused !== null) {
      for (const [old, { seen }] of this.open) if (Date.now() - seen > STALE_MS) this.open.delete(old)
      refused = refusal(this.open.values(), address, MAX_SESSIONS)
    }
    if (refused !== null) throw new HttpError(503, 'busy', refused)
    this.open.set(id, { target, address, seen: Date.now() })
  }

  get(id: string): Target {
    const session = this.open.get(id)
    if (session === undefined || Date.now() - session.seen > STALE_MS)
      throw new HttpError(404, 'no-session', 'no such session: POST /create first')
    session.seen = Date.now()
    return session.target
  }

  end(id: string): void {
    this.open.delete(id)
  }
}

/** Names of environments: `family-task` and `family-task.preset`. */
function environments({ tasks }: Service): ReadonlyMap<string, Selection> {
  return new Map(
    tasks.flatMap(({ name, presets }) => {
      const base = name.replaceAll('/', '-')
      const own: [string, Selection] = [base, { task: name }]
      const named = Object.keys(presets).map((preset): [string, Selection] => [
        `${base}.${preset}`,
        { task: name, preset },
      ])
      return [own, ...named]
    }),
  )
}

const sessionId = (context: Context): string => {
  const id = context.req.header('x-session-id')?.trim() ?? ''
  if (id === '' || id.length > 256) throw new HttpError(400, 'no-session', 'send the header X-Session-ID')
  return id
}

function events(list: readonly { readonly event: string; readonly data: string }[]): Response {
  const text = list.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join('')
  return new Response(text, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' } })
}

const chunks = (text: string) =>
  Array.from({ length: Math.ceil(text.length / CHUNK) }, (_, i) => ({
    event: (i + 1) * CHUNK >= text.length ? 'end' : 'chunk',
    data: text.slice(i * CHUNK, (i + 1) * CHUNK),
  }))

/** The routes of Open Reward Standard: tasks by index, a session a rollout, one tool that ends it. */
export const openReward: Protocol = {
  routes: [
    { method: 'get', path: '/list_environments', summary: 'ORS: tasks and presets by name' },
    { method: 'get', path: '/{env}/tools', summary: 'ORS: the answer tool' },
    { method: 'get', path: '/{env}/task_tools', summary: 'ORS: the answer tool' },
    { method: 'get', path: '/{env}/splits', summary: 'ORS: splits' },
    { method: 'post', path: '/{env}/tasks', summary: 'ORS: all tasks of a finite preset', body: splitRequest },
    { method: 'post', path: '/{env}/num_tasks', summary: 'ORS: number of tasks', body: splitRequest },
    { method: 'post', path: '/{env}/task', summary: 'ORS: token of one task', body: taskRequest },
    { method: 'post', path: '/{env}/task_range', summary: 'ORS: tasks of a range of indices', body: rangeRequest },
    { method: 'post', path: '/create_session', summary: 'ORS: new session id' },
    { method: 'post', path: '/create', summary: 'ORS: start a session', body: createRequest },
    { method: 'get', path: '/{env}/prompt', summary: 'ORS: the question' },
    { method: 'post', path: '/{env}/call', summary: 'ORS: the answer', body: callRequest },
    { method: 'post', path: '/ping', summary: 'ORS: keep the session alive' },
    { method: 'post', path: '/delete', summary: 'ORS: end the session' },
    { method: 'post', path: '/delete_session', summary: 'ORS: end the session' },
  ],
  mount(app, service) {
    const known = environments(service)
    const sessions = new Sessions()

    const find = (name: string): Selection => {
      const selection = known.get(name.toLowerCase())
      if (selection === undefined)
        throw new HttpError(404, 'unknown-environment', `unknown environment "${name.slice(0, 100)}"`)
      return selection
    }
    const of = (context: Context): Selection => find(context.req.param('env') ?? '')
    const task = (selection: Selection, split: string, at: number) => ({
      token: service.token({ ...selection, split }, at),
      index: at,
    })
    function targetOf(name: string | null, split: string, at: number): Target {
      if (name !== null) return { kind: 'item', token: task(find(name), split, at).token, trace: false }
      service.choose(service.tasks[0]?.name ?? '', split)
      return { kind: 'index', split, index: at }
    }
    const itemOf = (context: Context): { readonly token: string; readonly trace: boolean } => {
      const selection = of(context)
      const target = sessions.get(sessionId(context))
      return target.kind === 'item' ? target : { ...task(selection, target.split, target.index), trace: false }
    }
    const sizeOf = async (selection: Selection, split: string): Promise<number> =>
      (await service.size({ ...selection, split })) ?? ENDLESS
    async function listed(selection: Selection, split: string, from: number | null, to: number | null) {
      const size = await sizeOf(selection, split)
      const place = (at: number): number => Math.min(size, at < 0 ? Math.max(0, size + at) : at)
      const [start, stop] = [place(from ?? 0), place(to ?? size)]
      if (stop - start > MAX_LISTED)
        throw new HttpError(400, 'too-many', `at most ${MAX_LISTED} tasks at once, of ${size}: ask by index or range`)
      return Array.from({ length: Math.max(0, stop - start) }, (_, i) => task(selection, split, start + i))
    }

    app.get('/list_environments', (context) => context.json([...known.keys()]))
    app.post('/ping', (context) => {
      sessions.get(sessionId(context))
      return context.json({ status: 'ok' })
    })
    app.post('/create_session', () =>
      events([
        { event: 'task_id', data: randomUUID() },
        { event: 'end', data: '' },
      ]),
    )
    for (const path of ['/delete', '/delete_session'])
      app.post(path, (context) => {
        const sid = sessionId(context)
        sessions.end(sid)
        return context.json({ sid })
      })
    app.post('/create', async (context) => {
      const sid = sessionId(context)
      const { env_name: name, task_spec: spec, split, index: at } = await readAs(context.req.raw, createRequest)
      const bySpec = (spec ?? null) !== null
      if (bySpec === ((split ?? null) !== null && (at ?? null) !== null))
        throw new HttpError(422, 'bad-request', 'give task_spec, or split and index')
      const { token, trace = false } = spec ?? {}
      const target =
        token === undefined ? targetOf(name ?? null, split ?? '', at ?? 0) : ({ kind: 'item', token, trace } as const)
      // A token without an item fails here, not when its prompt is requested.
      if (target.kind === 'item') await service.question(target.token)
      sessions.add(sid, target, addressOf(context))
      return context.json({ sid })
    })
    for (const route of ['tools', 'task_tools'])
      app.get(`/:env/${route}`, (context) => {
        of(context)
        return context.json(TOOLS)
      })
    app.get('/:env/splits', (context) => {
      of(context)
      const standard = ['train', 'validation', 'test']
      return context.json(service.splits.map((name) => ({ name, type: standard.includes(name) ? name : 'validation' })))
    })
    app.post('/:env/tasks', async (context) => {
      const selection = of(context)
      const { split } = await readAs(context.req.raw, splitRequest)
      return context.json({ tasks: await listed(selection, split, null, null), env_name: context.req.param('env') })
    })
    app.post('/:env/num_tasks', async (context) => {
      const selection = of(context)
      const { split } = await readAs(context.req.raw, splitRequest)
      return context.json({ num_tasks: await sizeOf(selection, split) })
    })
    app.post('/:env/task', async (context) => {
      const selection = of(context)
      const { split, index: at } = await readAs(context.req.raw, taskRequest)
      return context.json({ task: task(selection, split, at) })
    })
    app.post('/:env/task_range', async (context) => {
      const selection = of(context)
      const { split, start, stop } = await readAs(context.req.raw, rangeRequest)
      return context.json({ tasks: await listed(selection, split, start ?? null, stop ?? null) })
    })
    app.get('/:env/prompt', async (context) => {
      return context.json([{ type: 'text', text: await service.question(itemOf(context).token) }])
    })
    app.post('/:env/call', async (context) => {
      const item = itemOf(context)
      const { name, input } = await readAs(context.req.raw, callRequest)
      const result = JSON.stringify(await scoreCall(service, item, name, input))
      return events([{ event: 'task_id', data: randomUUID() }, ...chunks(result)])
    })
  },
}

async function scoreCall(
  service: Service,
  { token, trace }: { readonly token: string; readonly trace: boolean },
  name: string,
  input: object,
): Promise<object> {
  const parsed = answerInput.safeParse(input)
  if (name !== TOOL || !parsed.success) return { ok: false, error: `the tool is ${TOOL} {"answer": "..."}` }
  const [scored] = await service.score(
    [{ token, text: parsed.data.answer, finish: 'unknown', logprobs: null }],
    'strict',
    trace,
  )
  const { reward = null, status = 'error', error = null, trace: checked } = scored ?? {}
  if (reward === null) return { ok: false, error: error?.message ?? 'the answer could not be scored' }
  const blocks = [{ type: 'text', text: status }]
  const metadata = checked === undefined ? null : { trace: checked }
  return { ok: true, output: { blocks, reward, finished: true, metadata } }
}
