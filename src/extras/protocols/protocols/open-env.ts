import { upgradeWebSocket } from '@hono/node-server'
import type { Context } from 'hono'
import type { WSContext } from 'hono/ws'
import { z } from 'zod'
import type { Protocol } from '../app.ts'
import { checked, HttpError, isDeeper, LIMITS, readJson } from '../http.ts'
import { contentShape } from '../schemas.ts'
import type { Service } from '../service.ts'
import { questionText } from '../service.ts'
import { MAX_TOKEN } from '../token.ts'

const index = z.int().min(0).optional()
const resetData = z.looseObject({
  ...contentShape,
  task: contentShape.task.optional().describe('left out: that of the session, else the first of the server'),
  index: index.describe('left out: the one after the last of the session'),
  cursor: index.describe('the same as index'),
})
const { task: _task, ...content } = contentShape
const selectionKeys = z.object({ task: z.string().optional(), ...content })
const text = z.string().max(LIMITS.text)
/** One required property: clients that know nothing of us put the reply of the model there. */
const action = z.looseObject({ answer: text.describe('what the model answered') })
const httpAction = action.extend({
  token: z.string().max(MAX_TOKEN).optional().describe('of the item; over HTTP required'),
})
const stepRequest = z.looseObject({ action: httpAction })
const observation = z.looseObject({
  question: z.string().optional(),
  token: z.string().optional(),
  state: z.string().optional(),
  score: z.number().nullable().optional(),
  parts: z.record(z.string(), z.number()).optional(),
})
const state = z.looseObject({ episode_id: z.string().nullable(), step_count: z.int() })
const answer = z.looseObject({ observation, reward: z.number().nullable(), done: z.boolean() })
type Answer = z.infer<typeof answer>

const frame = z.looseObject({ type: z.string(), data: z.unknown().optional() })

type Selected = z.infer<typeof selectionKeys>

/** One walk through items. Over HTTP it is one request long. */
class Episode {
  private readonly service: Service
  private selected: Selected = {}
  private next = 0
  private token: string | null = null
  private steps = 0

  constructor(service: Service) {
    this.service = service
  }

  state(): z.infer<typeof state> {
    return { episode_id: this.token, step_count: this.steps }
  }

  async reset(data: unknown): Promise<Answer> {
    const asked = checked(data ?? {}, resetData)
    const keys = selectionKeys.parse(asked)
    // Another task is another walk; without a task the walk goes on, with what is said changed.
    if (keys.task !== undefined) this.next = 0
    this.selected = keys.task === undefined ? { ...this.selected, ...keys } : keys
    const at = asked.index ?? asked.cursor ?? this.next
    const task = this.selected.task ?? this.service.tasks[0]?.name ?? ''
    const token = this.service.token({ ...this.selected, task }, at)
    const question = questionText(await this.service.question(token))
    this.next = at + 1
    this.token = token
    this.steps = 0
    return { observation: { question, token }, reward: null, done: false }
  }

  async step(token: string | null, answered: string): Promise<Answer> {
    const asked = token ?? this.token
    if (asked === null)
      throw new HttpError(422, 'no-episode', 'nothing is asked: reset first (over HTTP: give the token in the action)')
    const [scored] = await this.service.score(
      [{ token: asked, text: answered, finish: 'unknown', logprobs: null }],
      'strict',
    )
    this.token = null
    this.steps++
    const { state = 'failed', reward = null, parts = {}, trouble } = scored ?? {}
    const more = (trouble ?? null) === null ? {} : { trouble }
    return { observation: { state, score: reward, parts, ...more }, reward, done: true }
  }
}

const schemaOf = (schema: z.ZodType): object => z.toJSONSchema(schema, { unrepresentable: 'any' })
const SCHEMA = { action: schemaOf(action), observation: schemaOf(observation), state: schemaOf(state) }
const METADATA = {
  name: 'touchstone',
  description: 'Procedural reasoning items with proved answers; one question an episode, one answer, one reward.',
  version: '1.0.0',
}

/** Sessions at once, and messages of one that may wait. */
const MAX_SESSIONS = 1024
const MAX_WAITING = 16
const IDLE = 15 * 60_000

/** OpenEnv: a session a WebSocket, or single requests over HTTP, whose action then names the token. */
export const openEnv: Protocol = {
  routes: [
    { method: 'post', path: '/reset', summary: 'OpenEnv: a question', body: resetData, answer },
    { method: 'post', path: '/step', summary: 'OpenEnv: the reward of an answer', body: stepRequest, answer },
    { method: 'get', path: '/state', summary: 'OpenEnv: over HTTP there is none', answer: state },
    { method: 'get', path: '/metadata', summary: 'OpenEnv: what this is' },
    { method: 'get', path: '/schema', summary: 'OpenEnv: schemas of action, observation and state' },
    { method: 'post', path: '/mcp', summary: 'OpenEnv: JSON-RPC, without methods' },
    { method: 'get', path: '/ws', summary: 'OpenEnv: a session over a WebSocket' },
  ],
  mount(app, service) {
    const body = async (context: Context): Promise<unknown> =>
      context.req.header('content-length') === '0' ? {} : readJson(context.req.raw)
    app.post('/reset', async (context) => context.json(await new Episode(service).reset(await body(context))))
    app.post('/step', async (context) => {
      const { action: taken } = checked(await readJson(context.req.raw), stepRequest)
      return context.json(await new Episode(service).step(taken.token ?? null, taken.answer))
    })
    app.get('/state', (context) => context.json(new Episode(service).state()))
    app.get('/metadata', (context) => context.json(METADATA))
    app.get('/schema', (context) => context.json(SCHEMA))
    app.post('/mcp', async (context) => {
      const read = z.looseObject({ id: z.union([z.string(), z.number()]).nullish(), method: z.string() })
      const request = read.safeParse(await readJson(context.req.raw))
      const error = request.success
        ? { code: -32601, message: 'there are no methods: speak to /ws, /reset and /step' }
        : { code: -32600, message: 'not a JSON-RPC request' }
      return context.json({ jsonrpc: '2.0', id: request.data?.id ?? null, error })
    })
    const sessions = { count: 0 }
    app.get(
      '/ws',
      upgradeWebSocket(() => socketEvents(service, sessions)),
    )
  },
}

function socketEvents(service: Service, sessions: { count: number }) {
  const episode = new Episode(service)
  let waiting = 0
  let last = Promise.resolve()
  let admitted = false
  let idle: NodeJS.Timeout | undefined
  const stir = (socket: WSContext): void => {
    clearTimeout(idle)
    idle = setTimeout(() => socket.close(1001, 'idle'), IDLE).unref()
  }
  return {
    onOpen(_: Event, socket: WSContext) {
      if (sessions.count >= MAX_SESSIONS) {
        socket.send(JSON.stringify(failure('CAPACITY_REACHED', `there are ${MAX_SESSIONS} sessions already`)))
        return socket.close(1013, 'capacity reached')
      }
      admitted = true
      sessions.count++
      stir(socket)
    },
    onMessage({ data }: { readonly data: unknown }, socket: WSContext) {
      if (!admitted) return
      stir(socket)
      if (++waiting > MAX_WAITING) return socket.close(1008, 'too many messages wait')
      last = last.then(async () => {
        const reply = await answerTo(episode, data)
        waiting--
        if (reply === null) socket.close(1000, 'closed')
        else socket.send(JSON.stringify(reply))
      })
    },
    onClose() {
      clearTimeout(idle)
      if (admitted) sessions.count--
      admitted = false
    },
  }
}

const failure = (code: string, message: string) => ({ type: 'error', data: { message, code } }) as const

/** The reply to a message; null: the client is done. */
async function answerTo(episode: Episode, data: unknown): Promise<object | null> {
  if (typeof data !== 'string') return failure('INVALID_JSON', 'send text, not bytes')
  if (isDeeper(data, LIMITS.depth)) return failure('INVALID_JSON', `at most ${LIMITS.depth} levels deep`)
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return failure('INVALID_JSON', 'the message is not JSON')
  }
  const read = frame.safeParse(value)
  if (!read.success) return failure('VALIDATION_ERROR', 'a message is {"type": ..., "data": {...}}')
  try {
    switch (read.data.type) {
      case 'reset':
        return { type: 'observation', data: await episode.reset(read.data.data) }
      case 'step':
        return { type: 'observation', data: await episode.step(null, checked(read.data.data, action).answer) }
      case 'state':
        return { type: 'state', data: episode.state() }
      case 'close':
        return null
      default:
        return failure('UNKNOWN_TYPE', 'there are reset, step, state and close')
    }
  } catch (error) {
    if (!(error instanceof HttpError)) return failure('EXECUTION_ERROR', 'the server failed')
    return failure(error.status === 422 ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR', error.message)
  }
}
