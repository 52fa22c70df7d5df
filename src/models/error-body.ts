import { z } from 'zod'
import { jsonOrNull, printable } from '../core/index.ts'
import { safeStringify } from './safe-stringify.ts'

const EMPTY: ReadonlySet<unknown> = new Set([null, undefined, '', 0, false])

const error = z.union([
  // Some proxies write an error with empty fields beside every response.
  z.looseObject({}).refine((error) => Object.values(error).some((value) => !EMPTY.has(value))),
  z.string().min(1),
  z.literal(true),
  z.number().refine((code) => code !== 0),
  z.array(z.unknown()).min(1),
])

const errorBody = z.union([
  z.looseObject({ error }).transform((body) => body.error),
  z.looseObject({ object: z.literal('error') }),
])

/** Names of errors, and the status that providers send them with. */
const STATUS: { readonly [name: string]: number } = {
  authentication_error: 401,
  billing_error: 402,
  invalid_request_error: 400,
  not_found_error: 404,
  overloaded_error: 529,
  permission_error: 403,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  request_too_large: 413,
  server_error: 500,
  timeout_error: 504,
}

/** An error in a provider's words; `name` is its code, or else its type. */
export interface ErrorBody {
  readonly status: number | null
  readonly words: string
  readonly name: string | null
}

/** The error in a body that came with a status of success; `status`: the one it should have had, if known. null: no error. */
export function errorOf(answer: unknown): ErrorBody | null {
  const read = errorBody.safeParse(answer)
  if (!read.success) return null
  const error: { readonly code?: unknown; readonly type?: unknown; readonly message?: unknown } = Array.isArray(
    read.data,
  )
    ? {}
    : typeof read.data === 'object'
      ? read.data
      : { message: read.data, code: read.data }
  const words = typeof error.message === 'string' ? error.message : safeStringify(read.data)
  const name = [error.code, error.type].find((one) => typeof one === 'string' && one !== '') as string | undefined
  return { status: statusOf(error.code) ?? statusOf(error.type), words, name: name ?? null }
}

/** Longer bodies are not searched for an error. */
const MAX_CHARACTERS = 65_536

/** The message of an error body, with its code unless the message names it; the body itself if it is no error. */
export function wordsOf(body: string): string {
  const error = body.length > MAX_CHARACTERS ? null : errorOf(jsonOrNull(body))
  if (error === null) return body.trim()
  const { words, name } = error
  // Escapes are decoded by now: controls and unpaired surrogates must not reach the ledger.
  return printable(name === null || words.includes(name) ? words : `${words} (${name})`)
}

/** The status for an error's code or name; null: none is known. */
export function statusOf(name: unknown): number | null {
  const code = Number(name)
  if (Number.isInteger(code) && code >= 400 && code < 600) return code
  return typeof name === 'string' && Object.hasOwn(STATUS, name) ? (STATUS[name] as number) : null
}
