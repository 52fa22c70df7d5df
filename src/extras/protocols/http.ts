import type { z } from 'zod'
import { schemaErrorMap } from '../../core/index.ts'
import { Backlog, Turns } from './backlog.ts'

/** An error of the client, sent with its status; anything else that is thrown becomes a 500 without details. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: ErrorStatus
  readonly code: string

  constructor(status: ErrorStatus, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type ErrorStatus = 400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 503

/** Limits of one request. */
export const LIMITS = {
  /** Bytes of a body. */
  body: 32 * 1024 * 1024,
  /** Levels of nesting of a body. */
  depth: 64,
  /** Keys of a body, in all its objects: they take longest to parse. */
  keys: 32 * 1024,
  values: 1024 * 1024,
  items: 1024,
  scores: 4096,
  /** Characters of a response. */
  text: 4 * 1024 * 1024,
} as const

/** Bytes of bodies and messages that are read or wait to be parsed, over all clients. */
const MAX_BACKLOG = 256 * 1024 * 1024
/** What is larger is parsed in turns. */
const LARGE = { characters: 1024 * 1024, keys: 4096 }

export const backlog = new Backlog(MAX_BACKLOG)
const turns = new Turns()

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/**
 * The body of a request, checked against a schema. It is bounded in bytes, nesting and keys whatever its headers say. Only a
 * JSON content type is accepted, so that no web page can post here without a preflight request.
 *
 * @throws HttpError
 */
export async function readAs<T>(request: Request, schema: z.ZodType<T>, keys = LIMITS.keys): Promise<T> {
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? ''))
    throw new HttpError(415, 'not-json', 'send content-type: application/json')
  if (Number(request.headers.get('content-length') ?? 0) > LIMITS.body) throw tooLarge()
  let dropped = false
  const reader = request.body?.getReader()
  const held = backlog.begin(() => {
    dropped = true
    void reader?.cancel().catch(() => undefined)
  })
  try {
    const shape = new JsonShape(keys)
    const text = await readText(reader, shape, held.add)
    if (dropped) throw new HttpError(503, 'busy', 'the server is busy. Try again later, or send less at once')
    return await parseAs(text, shape, schema)
  } finally {
    held.end()
  }
}

/** @throws HttpError */
export async function parseAs<T>(text: string, { keys }: JsonShape, schema: z.ZodType<T>): Promise<T> {
  const parse = (): T => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      throw new HttpError(400, 'bad-json', `the body is not JSON: ${errorMessage(error)}`)
    }
    return parseWith(schema, value)
  }
  return text.length > LARGE.characters || keys > LARGE.keys ? turns.take(text.length, parse) : parse()
}

/** @throws HttpError with the first schema error. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: schemaErrorMap })
  if (parsed.success) return parsed.data
  throw new HttpError(422, 'bad-request', firstSchemaError(parsed.error, 'the body'))
}

/** Characters of an error message that may name what the client sent. */
const MAX_MESSAGE = 500

export function firstSchemaError({ issues: [issue] }: z.ZodError, whole: string): string {
  const path = issue?.path.join('.') ?? ''
  return `${path === '' ? whole : path}: ${issue?.message ?? 'does not fit'}`.slice(0, MAX_MESSAGE)
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function readText(reader: Reader | undefined, shape: JsonShape, received: (bytes: number) => void) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  try {
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      bytes += piece.value.length
      if (bytes > LIMITS.body) throw tooLarge()
      received(piece.value.length)
      text += shape.add(decoder.decode(piece.value, { stream: true }))
    }
    text += shape.add(decoder.decode())
  } catch (error) {
    void reader?.cancel().catch(() => undefined)
    throw error instanceof TypeError ? new HttpError(400, 'bad-json', 'the body is not UTF-8') : error
  }
  return text
}

const tooLarge = (): HttpError => new HttpError(413, 'too-large', `a body has at most ${LIMITS.body} bytes: send less`)

/** Counts keys and levels of a JSON text that comes in pieces, before anything is parsed. */
export class JsonShape {
  keys = 0
  private readonly maxKeys: number
  private values = 0
  private depth = 0
  private inString = false
  private escaped = false

  constructor(maxKeys: number = LIMITS.keys) {
    this.maxKeys = maxKeys
  }

  /** Returns the piece. @throws HttpError for more levels, keys or values than {@link LIMITS} allows. */
  add(piece: string): string {
    let { keys, values, depth } = this
    for (let i = 0; i < piece.length; i++) {
      if (this.inString) {
        i = this.endOfString(piece, i)
        continue
      }
      const code = piece.charCodeAt(i)
      if (code === 0x22) this.inString = true
      else if (code === 0x3a) keys++
      else if (code === 0x2c) values++
      else if (code === 0x5d || code === 0x7d) depth--
      else if ((code === 0x5b || code === 0x7b) && ++depth > LIMITS.depth)
        throw new HttpError(400, 'too-deep', `a body is nested at most ${LIMITS.depth} levels deep`)
    }
    Object.assign(this, { keys, values, depth })
    if (this.keys > this.maxKeys || this.values > LIMITS.values)
      throw new HttpError(
        413,
        'too-large',
        `a body has at most ${this.maxKeys} keys and ${LIMITS.values} values: send it in parts`,
      )
    return piece
  }

  /** Offset of the quote that ends the string of offset `start`, or of the end of the piece. */
  private endOfString(piece: string, start: number): number {
    let from = start + Number(this.escaped)
    this.escaped = false
    for (;;) {
      const quote = piece.indexOf('"', from)
      const end = quote === -1 ? piece.length : quote
      let slashes = 0
      while (end - 1 - slashes >= from && piece.charCodeAt(end - 1 - slashes) === 0x5c) slashes++
      const escapes = slashes % 2 === 1
      if (quote === -1) this.escaped = escapes
      else if (escapes) {
        from = quote + 1
        continue
      } else this.inString = false
      return end
    }
  }
}
