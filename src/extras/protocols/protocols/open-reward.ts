import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Protocol } from '../app.ts'
import { HttpError, LIMITS, readAs } from '../http.ts'
import type { Selection, Service } from '../service.ts'
import { questionText } from '../service.ts'
import { MAX_TOKEN } from '../token.ts'

const index = z.int().min(0)
/** Of a range: those below 0 count from its end. */
const bound = z.int().nullish()
const splitRequest = z.strictObject({ split: z.string() })
const taskRequest = z.strictObject({ split: z.string(), index })
const rangeRequest = z.strictObject({ split: z.string(), start: bound, stop: bound })
const createRequest = z.strictObject({
  env_name: z.string().nullish(),
  task_spec: z.looseObject({ token: z.string().max(MAX_TOKEN) }).nullish(),
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
const answerInput = z.strictObject({ answer: z.string().max(LIMITS.text).describe('what the model answered') })
const TOOLS = {
  tools: [
    {
      name: TOOL,
      description: 'Give the answer; it is scored, and the task is over.',
      input_schema: z.toJSONSchema(answerInput),
    },
  ],
}

/** Sessions at once, and how long one lives that nobody asks for. */
const MAX_SESSIONS = 8192
const STALE = 900_000
/** Tasks listed by one call; what an endless preset says of its size. */
const MAX_LISTED = 10_000
const ENDLESS = 2 ** 31 - 1
/** Characters of an event. */
const CHUNK = 4096

/** What a session is about: an item, or an index of whichever environment is asked for its prompt, as the SDK has it. */
type About =
  | { readonly kind: 'item'; readonly token: string }
  | { readonly kind: 'index'; readonly split: string; readonly index: number }

interface Session {
  readonly about: About
  seen: number
}

class Sessions {
  private readonly open = new Map<string, Session>()

  add(id: string, about: About): void {
    this.sweep()
    if (this.open.has(id)) throw new HttpError(400, 'session-exists', 'this session exists already')
    if (this.open.size >= MAX_SESSIONS) throw new HttpError(503, 'busy', `there are ${MAX_SESSIONS} sessions already`)
    this.open.set(id, { about, seen: Date.now() })
  }

  get(id: string): About {
    const session = this.open.get(id)
    if (session === undefined || Date.now() - session.seen > STALE)
      throw new HttpError(404, 'no-session', 'there is no such session: POST /create first')
    session.seen = Date.now()
    return session.about
  }

  end(id: string): void {
    this.open.delete(id)
  }

  private sweep(): void {
    if (this.open.size < MAX_SESSIONS) return
    for (const [id, { seen }] of this.open) if (Date.now() - seen > STALE) this.open.delete(id)
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
    { method: 'get', path: '/list_environments', summary: 'ORS: tasks and their presets by name' },
    { method: 'get', path: '/{env}/tools', summary: 'ORS: the tool that gives the answer' },
    { method: 'get', path: '/{env}/task_tools', summary: 'ORS: the same' },
    { method: 'get', path: '/{env}/splits', summary: 'ORS: splits served' },
    { method: 'post', path: '/{env}/tasks', summary: 'ORS: all tasks of a finite preset', body: splitRequest },
    { method: 'post', path: '/{env}/num_tasks', summary: 'ORS: how many there are', body: splitRequest },
    { method: 'post', path: '/{env}/task', summary: 'ORS: one task: its token', body: taskRequest },
    { method: 'post', path: '/{env}/task_range', summary: 'ORS: tasks from an index to another', body: rangeRequest },
    { method: 'post', path: '/create_session', summary: 'ORS: a name for a session' },
    { method: 'post', path: '/create', summary: 'ORS: a session begins', body: createRequest },
    { method: 'get', path: '/{env}/prompt', summary: 'ORS: the question' },
    { method: 'post', path: '/{env}/call', summary: 'ORS: the answer', body: callRequest },
    { method: 'post', path: '/ping', summary: 'ORS: the session is still wanted' },
    { method: 'post', path: '/delete', summary: 'ORS: the session ends' },
    { method: 'post', path: '/delete_session', summary: 'ORS: its name is given back' },
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
    function aboutOf(token: string | null, name: string | null, split: string, at: number): About {
      if (token !== null) return { kind: 'item', token }
      if (name !== null) return { kind: 'item', token: task(find(name), split, at).token }
      service.choose(service.tasks[0]?.name ?? '', split)
      return { kind: 'index', split, index: at }
    }
    /** The item of a session, in the environment that is asked for it. */
    const itemOf = (context: Context): string => {
      const selection = of(context)
      const about = sessions.get(sessionId(context))
      return about.kind === 'item' ? about.token : task(selection, about.split, about.index).token
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
      const about = aboutOf(spec?.token ?? null, name ?? null, split ?? '', at ?? 0)
      // What stands for no item is told now, not when the prompt is asked for.
      if (about.kind === 'item') questionText(await service.question(about.token))
      sessions.add(sid, about)
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
      return context.json([{ type: 'text', text: questionText(await service.question(itemOf(context))) }])
    })
    app.post('/:env/call', async (context) => {
      const token = itemOf(context)
      const { name, input } = await readAs(context.req.raw, callRequest)
      const result = JSON.stringify(await called(service, token, name, input))
      return events([{ event: 'task_id', data: randomUUID() }, ...chunks(result)])
    })
  },
}

async function called(service: Service, token: string, name: string, input: object): Promise<object> {
  const read = answerInput.safeParse(input)
  if (name !== TOOL || !read.success) return { ok: false, error: `the tool is ${TOOL} {"answer": "..."}` }
  const [scored] = await service.score([{ token, text: read.data.answer, finish: 'unknown', logprobs: null }], 'strict')
  const { reward = null, state = 'failed', trouble = null } = scored ?? {}
  if (reward === null) return { ok: false, error: trouble?.message ?? 'the answer could not be judged' }
  const blocks = [{ type: 'text', text: state }]
  return { ok: true, output: { blocks, reward, finished: true, metadata: null } }
}
