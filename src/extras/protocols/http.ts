import type { z } from 'zod'

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
  items: 1024,
  scores: 4096,
  /** Characters of a response. */
  text: 4 * 1024 * 1024,
} as const

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/**
 * The body of a request as JSON, bounded in bytes and nesting whatever its headers say. Only a JSON content type is accepted,
 * so that no web page can post here without a preflight request.
 *
 * @throws HttpError
 */
export async function readJson(request: Request): Promise<unknown> {
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? ''))
    throw new HttpError(415, 'not-json', 'send content-type: application/json')
  if (Number(request.headers.get('content-length') ?? 0) > LIMITS.body) throw tooLarge()
  const text = await readText(request)
  if (isDeeper(text, LIMITS.depth))
    throw new HttpError(400, 'too-deep', `a body is nested at most ${LIMITS.depth} levels deep`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HttpError(400, 'bad-json', `the body is not JSON: ${errorMessage(error)}`)
  }
}

/** {@link readJson}, checked against a schema. @throws HttpError */
export const readAs = async <T>(request: Request, schema: z.ZodType<T>): Promise<T> =>
  parseWith(schema, await readJson(request))

/** @throws HttpError with the first schema error. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new HttpError(422, 'bad-request', firstSchemaError(parsed.error, 'the body'))
}

export function firstSchemaError({ issues: [issue] }: z.ZodError, whole: string): string {
  const path = issue?.path.join('.') ?? ''
  return `${path === '' ? whole : path}: ${issue?.message ?? 'does not fit'}`
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function readText(request: Request): Promise<string> {
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.length
    if (bytes > LIMITS.body) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new HttpError(400, 'bad-json', 'the body is not UTF-8')
  }
}

const tooLarge = (): HttpError => new HttpError(413, 'too-large', `a body has at most ${LIMITS.body} bytes: send less`)

/** True if a JSON text nests deeper than the limit; checked before parsing. */
export function isDeeper(text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
        i = endOfString(text, i)
        break
      case 0x5b:
      case 0x7b:
        if (++depth > limit) return true
        break
      case 0x5d:
      case 0x7d:
        depth--
    }
  }
  return false
}

/** Offset of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}
