import { upgradeWebSocket } from '@hono/node-server'
import type { WSContext } from 'hono/ws'
import { z } from 'zod'
import type { Protocol } from '../app.ts'
import { backlog, HttpError, JsonShape, LIMITS, parseAs, parseWith, readAs } from '../http.ts'
import { contentShape, scored } from '../schemas.ts'
import type { Service } from '../service.ts'
import { addressOf, refusal } from '../sessions.ts'
import { MAX_TOKEN } from '../token.ts'

const index = z.int().min(0).optional()
const trace = z
  .boolean()
  .optional()
  .describe('also check the reasoning steps, where the task can (default: as at the last reset)')
const resetData = z.looseObject({
  ...contentShape,
  task: contentShape.task.optional().describe('default: the task of the session, else the first of the server'),
  index: index.describe('default: the next index of the session'),
  cursor: index.describe('same as index'),
  trace,
})
const { task: _task, ...content } = contentShape
const selectionKeys = z.object({ task: z.string().optional(), ...content })
const text = z.string().max(LIMITS.text)
/** One required property, where generic clients put the reply of the model. */
const action = z.looseObject({ answer: text.describe('response of the model') })
const httpAction = action.extend({
  token: z.string().max(MAX_TOKEN).optional().describe('token of the item; required over HTTP'),
  trace,
})
const socketAction = action.extend({ trace })
const stepRequest = z.looseObject({ action: httpAction })
const observation = z.looseObject({
  question: z.string().optional(),
  token: z.string().optional(),
  status: z.string().optional(),
  score: z.number().nullable().optional(),
  subscores: z.record(z.string(), z.number()).optional(),
  trace: scored.shape.trace,
})
const state = z.looseObject({ episode_id: z.string().nullable(), step_count: z.int() })
const answer = z.looseObject({ observation, reward: z.number().nullable(), done: z.boolean() })
type Answer = z.infer<typeof answer>

const frame = z.looseObject({ type: z.string(), data: z.unknown().optional() })

type Selected = z.infer<typeof selectionKeys>

/** A sequence of items; over HTTP it lasts one request. */
class Episode {
  private readonly service: Service
  private selected: Selected = {}
  private next = 0
  private token: string | null = null
  private steps = 0
  private trace = false

  constructor(service: Service) {
    this.service = service
  }

  state(): z.infer<typeof state> {
    return { episode_id: this.token, step_count: this.steps }
  }

  async reset(request: z.infer<typeof resetData>): Promise<Answer> {
    const keys = selectionKeys.parse(request)
    // Another task starts again at index 0; without a task the selection is updated.
    if (keys.task !== undefined) this.next = 0
    this.selected = keys.task === undefined ? { ...this.selected, ...keys } : keys
    const at = request.index ?? request.cursor ?? this.next
    const task = this.selected.task ?? this.service.tasks[0]?.name ?? ''
    const token = this.service.token({ ...this.selected, task }, at)
    const question = await this.service.question(token)
    this.next = at + 1
    this.token = token
    this.steps = 0
    this.trace = request.trace ?? this.trace
    return { observation: { question, token }, reward: null, done: false }
  }

  async step({ token, answer: text, trace = this.trace }: z.infer<typeof httpAction>): Promise<Answer> {
    const current = token ?? this.token
    if (current === null)
      throw new HttpError(422, 'no-episode', 'no current item: reset first (over HTTP: send the token in the action)')
    const answers = [{ token: current, text, finish: 'unknown' as const, logprobs: null }]
    const [scored] = await this.service.score(answers, 'strict', trace)
    this.token = null
    this.steps++
    const { status = 'error', reward = null, subscores = {}, error = null, trace: checked } = scored ?? {}
    const more = { ...(error === null ? {} : { error }), ...(checked === undefined ? {} : { trace: checked }) }
    return { observation: { status, score: reward, subscores, ...more }, reward, done: true }
  }
}

const schemaOf = (schema: z.ZodType): object => z.toJSONSchema(schema, { unrepresentable: 'any' })
const SCHEMA = { action: schemaOf(action), observation: schemaOf(observation), state: schemaOf(state) }
const METADATA = {
  name: 'touchstone',
  description: 'Procedural reasoning items with proved answers; one question, one answer and one reward per episode.',
  version: '1.0.0',
}

/** Concurrent sessions, and waiting messages per session. */
const MAX_SESSIONS = 1024
const MAX_WAITING = 16
const IDLE_MS = 15 * 60_000

/** OpenEnv: one session per WebSocket; single requests over HTTP carry the token in the action. */
export const openEnv: Protocol = {
  routes: [
    { method: 'post', path: '/reset', summary: 'OpenEnv: a question', body: resetData, answer },
    { method: 'post', path: '/step', summary: 'OpenEnv: the reward of an answer', body: stepRequest, answer },
    { method: 'get', path: '/state', summary: 'OpenEnv: always empty over HTTP', answer: state },
    { method: 'get', path: '/metadata', summary: 'OpenEnv: description' },
    { method: 'get', path: '/schema', summary: 'OpenEnv: schemas of action, observation and state' },
    { method: 'post', path: '/mcp', summary: 'OpenEnv: JSON-RPC, without methods' },
    { method: 'get', path: '/ws', summary: 'OpenEnv: a session over a WebSocket' },
  ],
  mount(app, service) {
    app.post('/reset', async (context) => {
      const empty = context.req.header('content-length') === '0'
      const request = empty ? {} : await readAs(context.req.raw, resetData)
      return context.json(await new Episode(service).reset(request))
    })
    app.post('/step', async (context) => {
      const { action } = await readAs(context.req.raw, stepRequest)
      return context.json(await new Episode(service).step(action))
    })
    app.get('/state', (context) => context.json(new Episode(service).state()))
    app.get('/metadata', (context) => context.json(METADATA))
    app.get('/schema', (context) => context.json(SCHEMA))
    app.post('/mcp', async (context) => {
      const schema = z.looseObject({ id: z.union([z.string(), z.number()]).nullish(), method: z.string() })
      const request = schema.safeParse(await readAs(context.req.raw, z.unknown()))
      const error = request.success
        ? { code: -32601, message: 'no methods: use /ws, /reset and /step' }
        : { code: -32600, message: 'not a JSON-RPC request' }
      return context.json({ jsonrpc: '2.0', id: request.data?.id ?? null, error })
    })
    const sessions = new Set<{ readonly address: string }>()
    app.get(
      '/ws',
      upgradeWebSocket((context) => socketEvents(service, sessions, addressOf(context))),
    )
  },
}

function socketEvents(service: Service, sessions: Set<{ readonly address: string }>, address: string) {
  const own = { address }
  const episode = new Episode(service)
  let waiting = 0
  let last = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  const restartIdleTimer = (socket: WSContext): void => {
    clearTimeout(idle)
    idle = setTimeout(() => socket.close(1001, 'idle'), IDLE_MS).unref()
  }
  return {
    onOpen(_: Event, socket: WSContext) {
      const refused = refusal(sessions, address, MAX_SESSIONS)
      if (refused !== null) {
        socket.send(JSON.stringify(failure('CAPACITY_REACHED', refused)))
        return socket.close(1013, 'capacity reached')
      }
      sessions.add(own)
      restartIdleTimer(socket)
    },
    onMessage({ data }: { readonly data: unknown }, socket: WSContext) {
      if (!sessions.has(own)) return
      restartIdleTimer(socket)
      if (++waiting > MAX_WAITING) return socket.close(1008, 'too many waiting messages')
      const held = backlog.begin(() => socket.close(1013, 'the server is busy'))
      held.add(typeof data === 'string' ? data.length : 0)
      last = last.then(async () => {
        const reply = await replyTo(episode, data)
        held.end()
        waiting--
        if (reply === null) socket.close(1000, 'closed')
        else socket.send(JSON.stringify(reply))
      })
    },
    onClose() {
      clearTimeout(idle)
      sessions.delete(own)
    },
  }
}

const failure = (code: string, message: string) => ({ type: 'error', data: { message, code } }) as const

/** The reply to a message; null: the client closes. */
async function replyTo(episode: Episode, text: unknown): Promise<object | null> {
  if (typeof text !== 'string') return failure('INVALID_JSON', 'send text, not bytes')
  const shape = new JsonShape()
  let message: z.infer<typeof frame>
  try {
    message = await parseAs(shape.add(text), shape, frame)
  } catch (error) {
    if (!(error instanceof HttpError)) return failure('EXECUTION_ERROR', 'the server failed')
    if (error.status === 422) return failure('VALIDATION_ERROR', 'a message is {"type": ..., "data": {...}}')
    return failure('INVALID_JSON', error.message)
  }
  const { type, data } = message
  try {
    switch (type) {
      case 'reset':
        return { type: 'observation', data: await episode.reset(parseWith(resetData, data ?? {})) }
      case 'step':
        return { type: 'observation', data: await episode.step({ ...parseWith(socketAction, data), token: undefined }) }
      case 'state':
        return { type: 'state', data: episode.state() }
      case 'close':
        return null
      default:
        return failure('UNKNOWN_TYPE', 'types are reset, step, state and close')
    }
  } catch (error) {
    if (!(error instanceof HttpError)) return failure('EXECUTION_ERROR', 'the server failed')
    return failure(error.status === 422 ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR', error.message)
  }
}
