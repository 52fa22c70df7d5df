import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { anthropicBody, chatBody, googleBody } from './bodies.ts'
import { rightAnswer } from './parity.ts'

/** Where a test may do something to the client: kill it, cut its connection, look at what is booked. */
export type Step =
  | 'upload'
  | 'uploaded'
  | 'create'
  | 'created'
  | 'look'
  | 'list'
  | 'results'
  | 'results-half'
  | 'cancel'
  | 'cancelled'

/** What becomes of a line: computed and billed, or not. */
export type Fate = 'right' | 'error' | 'expired' | 'missing' | 'no-usage' | 'overrun'

type Interference = 'cut' | 'slow' | number | undefined

export interface BatchMockOptions {
  readonly protocol: 'openai' | 'anthropic' | 'google'
  /** Looks at a batch until it is ended. */
  readonly looks?: number
  /** @param seen - how often the line's prompt was computed or refused before. */
  readonly fate?: (prompt: string, seen: number) => Fate
  /** `cut` drops the connection; a status is answered instead; `slow` asks to wait for a minute. */
  readonly step?: (step: Step) => Interference | Promise<Interference>
  /** What becomes of the lines of results, each with its line feed. @param reads - how often results were read before. */
  readonly garble?: (lines: readonly string[], reads: number) => readonly string[]
  /** What is said of a batch instead. @param right - lines of it that were computed */
  readonly told?: (batch: ToldBatch, right: number) => object
  /** What the server drops of a batch: our mark, and also which file it was made of. */
  readonly forgets?: 'mark' | 'file'
  /** Batches that others made after ours. */
  readonly newer?: number
  /** Batches that others made, already there. */
  readonly strangers?: number
  /** Every whole batch fails with this code. */
  readonly invalid?: string
  readonly port?: number
}

/** A batch as its server describes it. */
export interface ToldBatch {
  readonly [name: string]: unknown
}

interface Job {
  readonly id: string
  readonly mark: string | null
  readonly file: string | null
  readonly lines: readonly { readonly id: string; readonly body: Body }[]
  readonly created: number
  looks: number
  state: 'open' | 'ended' | 'failed'
  cancelled: boolean
  results: readonly { readonly id: string; readonly fate: Fate; readonly prompt: string }[]
}

interface Body {
  readonly model?: string
  readonly messages?: readonly { readonly content: string | readonly { readonly text: string }[] }[]
  readonly contents?: readonly { readonly parts: readonly { readonly text: string }[] }[]
  readonly input?: readonly { readonly content: string | readonly { readonly text: string }[] }[]
}

/** What every computed line uses, and how it is billed: input and output tokens. */
export const BATCH_USAGE = { input: 20, output: 3 } as const

/** Output tokens of a line that does not keep to maxTokens. */
export const BATCH_OVERRUN = 50_000

const isGood = (fate: Fate): boolean => ['right', 'no-usage', 'overrun'].includes(fate)

export interface BatchMock {
  readonly url: string
  /** Lines that were computed: each is billed. */
  readonly computed: number
  /** The same by prompt: more than once is paid twice. */
  readonly byPrompt: ReadonlyMap<string, number>
  readonly batches: number
  readonly steps: readonly Step[]
  close(): Promise<void>
}

/** A loopback server with the batches of OpenAI, Anthropic or Google. */
export async function startBatchMock(options: BatchMockOptions): Promise<BatchMock> {
  const jobs: Job[] = []
  const files = new Map<string, string>()
  const names = new Map<string, string>()
  let uploading = ''
  const byPrompt = new Map<string, number>()
  const steps: Step[] = []
  let computed = 0
  let reads = 0
  const { protocol, looks = 1 } = options

  const newer = Array.from(
    { length: options.newer ?? 0 },
    (_, i): Job => ({
      id: `newer_${i}`,
      mark: 'another',
      file: null,
      lines: [],
      created: Date.now(),
      looks: 0,
      state: 'ended',
      cancelled: false,
      results: [{ id: 'other-0', fate: 'expired', prompt: '' }],
    }),
  )
  const job = (
    id: string,
    mark: string | null,
    lines: Job['lines'],
    state: Job['state'] = 'open',
    file: string | null = null,
  ): Job => {
    const made: Job = { id, mark, file, lines, created: Date.now(), looks: 0, state, cancelled: false, results: [] }
    jobs.push(made)
    return made
  }
  for (let i = 0; i < (options.strangers ?? 0); i++) {
    const stranger = job(`stranger_${i}`, 'another', [], 'ended')
    stranger.results = []
  }

  function describe(one: Job): object {
    const said = described(protocol, one, options.invalid)
    return options.told?.(said, one.results.filter(({ fate }) => isGood(fate)).length) ?? said
  }

  function finish(one: Job): void {
    if (options.invalid !== undefined) {
      one.state = 'failed'
      return
    }
    one.state = 'ended'
    one.results = one.lines.map(({ id, body }) => {
      const prompt = promptOf(body)
      const before = seen.get(prompt) ?? 0
      seen.set(prompt, before + 1)
      const fate = one.cancelled ? 'expired' : (options.fate?.(prompt, before) ?? 'right')
      if (isGood(fate)) {
        computed++
        byPrompt.set(prompt, (byPrompt.get(prompt) ?? 0) + 1)
      }
      return { id, fate, prompt }
    })
  }
  const seen = new Map<string, number>()

  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => void serve(request, response, text).catch(() => response.destroy()))
    request.on('error', () => undefined)
  })

  /** false: the test took the request over. */
  async function pass(step: Step, response: ServerResponse): Promise<boolean> {
    steps.push(step)
    const what = await options.step?.(step)
    if (what === undefined) return true
    if (what === 'cut') response.destroy()
    else {
      if (what === 'slow') response.setHeader('retry-after', '60')
      json(response, what === 'slow' ? 429 : what, { error: { message: 'as the test says' } })
    }
    return false
  }

  async function create(
    response: ServerResponse,
    mark: string | null,
    lines: Job['lines'],
    file: string | null = null,
  ): Promise<void> {
    if (!(await pass('create', response))) return
    const { forgets } = options
    const kept = [forgets === undefined ? mark : null, forgets === 'file' ? null : file] as const
    const made = job(nameOf(protocol, jobs.length), kept[0], lines, 'open', kept[1])
    if (await pass('created', response)) json(response, 200, describe(made))
  }

  async function look(response: ServerResponse, one: Job): Promise<void> {
    if (!(await pass('look', response))) return
    one.looks++
    if (one.state === 'open' && (one.looks > looks || one.cancelled)) finish(one)
    json(response, 200, describe(one))
  }

  async function results(response: ServerResponse, one: Job): Promise<void> {
    if (!(await pass('results', response))) return
    const whole = one.results.flatMap(({ id, fate, prompt }) => resultLine(protocol, id, fate, prompt))
    const lines = options.garble?.(whole, reads++) ?? whole
    const half = Math.ceil(lines.length / 2)
    response.writeHead(200, { 'content-type': 'application/x-jsonl' })
    response.write(lines.slice(0, half).join(''))
    await new Promise((resolve) => setTimeout(resolve, 30))
    if (await pass('results-half', response)) response.end(lines.slice(half).join(''))
  }

  async function serve(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://mock')
    const path = url.pathname
    const find = (id: string): Job | undefined => [...jobs, ...newer].find((one) => one.id === id)
    const gone = (): void => json(response, 404, { error: { message: `no ${path}` } })
    const list = async (): Promise<void> => {
      if (!(await pass('list', response))) return
      for (const one of jobs) if (one.state === 'open' && ++one.looks > looks) finish(one)
      const newest = [...newer, ...[...jobs].reverse()]
      const page = Number(url.searchParams.get('limit') ?? url.searchParams.get('pageSize') ?? 20)
      const after = url.searchParams.get('after') ?? url.searchParams.get('after_id')
      const start = Number(
        url.searchParams.get('pageToken') ?? (after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1),
      )
      const shown = newest.slice(start, start + page).map((one) => describe(one))
      const more = start + page < newest.length
      if (protocol === 'google')
        json(response, 200, { operations: shown, ...(more ? { nextPageToken: String(start + page) } : {}) })
      else json(response, 200, { data: shown, has_more: more, last_id: newest.slice(start, start + page).at(-1)?.id })
    }
    const cancel = async (one: Job | undefined): Promise<void> => {
      if (one === undefined) return gone()
      if (!(await pass('cancel', response))) return
      one.cancelled = true
      if (await pass('cancelled', response)) json(response, 200, describe(one))
    }
    const post = request.method === 'POST'
    if (protocol === 'openai') {
      if (path === '/v1/files') {
        if (!(await pass('upload', response))) return
        const id = `file-${files.size}`
        names.set(id, /filename="([^"]+)"/u.exec(text)?.[1] ?? '')
        files.set(id, text.slice(text.indexOf('{"custom_id'), text.lastIndexOf('}') + 1))
        if (await pass('uploaded', response)) json(response, 200, { id })
        return
      }
      const about = names.get(path.replace('/v1/files/', ''))
      if (about !== undefined) return json(response, 200, { id: path, filename: about })
      const content = /^\/v1\/files\/out-([\w-]+)\/content$/u.exec(path)
      if (content !== null) {
        const one = find(content[1] ?? '')
        return one === undefined ? gone() : results(response, one)
      }
      if (path === '/v1/batches' && post) {
        const body = JSON.parse(text) as { input_file_id: string; metadata?: { touchstone?: string } }
        const lines = linesOf(files.get(body.input_file_id) ?? '').map((line) => {
          const { custom_id: id, body: asked } = line as { custom_id: string; body: Body }
          return { id, body: asked }
        })
        return create(response, body.metadata?.touchstone ?? null, lines, body.input_file_id)
      }
      if (path === '/v1/batches') return list()
      const named = /^\/v1\/batches\/([\w-]+)(\/cancel)?$/u.exec(path)
      const one = find(named?.[1] ?? '')
      if (named?.[2] !== undefined) return cancel(one)
      return one === undefined ? gone() : look(response, one)
    }
    if (protocol === 'anthropic') {
      const root = '/v1/messages/batches'
      if (path === root && post) {
        const { requests } = JSON.parse(text) as { requests: readonly { custom_id: string; params: Body }[] }
        return create(
          response,
          null,
          requests.map(({ custom_id: id, params }) => ({ id, body: params })),
        )
      }
      if (path === root) return list()
      const named = /^\/v1\/messages\/batches\/([\w-]+)(\/cancel|\/results)?$/u.exec(path)
      const one = find(named?.[1] ?? '')
      if (named?.[2] === '/cancel') return cancel(one)
      if (one === undefined) return gone()
      return named?.[2] === '/results' ? results(response, one) : look(response, one)
    }
    if (path === '/upload/v1beta/files') {
      if (request.headers['x-goog-upload-command'] === 'start') {
        if (!(await pass('upload', response))) return
        uploading = (JSON.parse(text) as { file: { display_name: string } }).file.display_name
        const host = request.headers.host ?? ''
        response.setHeader('x-goog-upload-url', `http://${host}/upload/v1beta/files?id=${files.size}`)
        return json(response, 200, {})
      }
      const name = `files/f${files.size}`
      names.set(name, uploading)
      files.set(name, text)
      if (await pass('uploaded', response)) json(response, 200, { file: { name } })
      return
    }
    if (path.endsWith(':batchGenerateContent')) {
      const { batch } = JSON.parse(text) as { batch: { displayName: string; inputConfig: { fileName: string } } }
      const lines = linesOf(files.get(batch.inputConfig.fileName) ?? '').map((line) => {
        const { key: id, request: asked } = line as { key: string; request: Body }
        return { id, body: asked }
      })
      return create(response, batch.displayName, lines, batch.inputConfig.fileName)
    }
    const download = /^\/download\/v1beta\/files\/out-([\w-]+):download$/u.exec(path)
    if (download !== null) {
      const one = find(`batches/${download[1]}`)
      return one === undefined ? gone() : results(response, one)
    }
    const about = names.get(path.replace('/v1beta/', ''))
    if (about !== undefined) return json(response, 200, { displayName: about })
    if (path === '/v1beta/batches') return list()
    const named = /^\/v1beta\/(batches\/[\w-]+)(:cancel)?$/u.exec(path)
    const one = find(named?.[1] ?? '')
    if (named?.[2] !== undefined) return cancel(one)
    return one === undefined ? gone() : look(response, one)
  }

  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/${protocol === 'google' ? 'v1beta' : 'v1'}`,
    get computed() {
      return computed
    },
    byPrompt,
    get batches() {
      return jobs.length - (options.strangers ?? 0)
    },
    steps,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const nameOf = (protocol: BatchMockOptions['protocol'], n: number): string =>
  protocol === 'google' ? `batches/b${n}` : protocol === 'openai' ? `batch_${n}` : `msgbatch_${n}`

const linesOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown)

function promptOf(body: Body): string {
  const last = body.messages?.at(-1)?.content ?? body.input?.at(-1)?.content ?? body.contents?.at(-1)?.parts ?? ''
  return typeof last === 'string' ? last : (last[0]?.text ?? '')
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function described(protocol: BatchMockOptions['protocol'], job: Job, invalid: string | undefined): ToldBatch {
  const bare = job.id.replace('batches/', '')
  const ended = job.state === 'ended'
  if (protocol === 'openai')
    return {
      id: job.id,
      status: job.state === 'failed' ? 'failed' : ended ? (job.cancelled ? 'cancelled' : 'completed') : 'in_progress',
      created_at: Math.floor(job.created / 1000),
      metadata: job.mark === null ? null : { touchstone: job.mark },
      ...(job.file === null ? {} : { input_file_id: job.file }),
      output_file_id: ended ? `out-${job.id}` : null,
      error_file_id: null,
      request_counts: { total: job.lines.length, completed: ended ? job.lines.length : 0, failed: 0 },
      ...(job.state === 'failed' ? { errors: { data: [{ code: invalid, message: 'not this' }] } } : {}),
    }
  const n = job.lines.length
  if (protocol === 'anthropic')
    return {
      id: job.id,
      processing_status: ended ? 'ended' : 'in_progress',
      created_at: new Date(job.created).toISOString(),
      request_counts: { processing: ended ? 0 : n, succeeded: ended ? n : 0, errored: 0, canceled: 0, expired: 0 },
    }
  return {
    name: job.id,
    done: job.state !== 'open',
    metadata: {
      state: `BATCH_STATE_${job.state === 'failed' ? 'FAILED' : ended ? (job.cancelled ? 'CANCELLED' : 'SUCCEEDED') : 'RUNNING'}`,
      displayName: job.mark,
      ...(job.file === null ? {} : { inputConfig: { fileName: job.file } }),
      createTime: new Date(job.created).toISOString(),
      batchStats: { requestCount: String(n), ...(ended ? { successfulRequestCount: String(n) } : {}) },
      ...(ended ? { output: { responsesFile: `files/out-${bare}` } } : {}),
    },
    ...(job.state === 'failed' ? { error: { code: invalid === 'limit' ? 8 : 3, message: 'not this' } } : {}),
  }
}

function resultLine(protocol: BatchMockOptions['protocol'], id: string, fate: Fate, prompt: string): readonly string[] {
  if (fate === 'missing') return []
  return [`${JSON.stringify(lineOf(protocol, id, fate, rightAnswer(prompt)))}\n`]
}

function lineOf(protocol: BatchMockOptions['protocol'], id: string, fate: Fate, text: string): object {
  const { input } = BATCH_USAGE
  const output = fate === 'overrun' ? BATCH_OVERRUN : BATCH_USAGE.output
  const response = { text, usage: fate === 'no-usage' ? null : { input, output } }
  if (protocol === 'openai') {
    if (fate === 'expired')
      return { custom_id: id, response: null, error: { code: 'batch_expired', message: 'too late' } }
    const good = isGood(fate)
    const body = good ? chatBody(response) : { error: { message: 'a fault' } }
    return { custom_id: id, response: { status_code: good ? 200 : 500, body }, error: null }
  }
  if (protocol === 'anthropic') {
    if (fate === 'expired') return { custom_id: id, result: { type: 'expired' } }
    const error = { type: 'error', error: { type: 'api_error', message: 'a fault' } }
    if (fate === 'error') return { custom_id: id, result: { type: 'errored', error } }
    return { custom_id: id, result: { type: 'succeeded', message: anthropicBody(response) } }
  }
  if (fate === 'expired') return { key: id, error: { code: 1, status: 'CANCELLED', message: 'too late' } }
  if (fate === 'error') return { key: id, error: { code: 13, status: 'INTERNAL', message: 'a fault' } }
  return { key: id, response: googleBody(response) }
}
