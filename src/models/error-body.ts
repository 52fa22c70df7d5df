import { z } from 'zod'
import { printable } from '../core/index.ts'
import { written } from './written.ts'

const told = z.union([z.looseObject({}).refine((error) => Object.keys(error).length > 0), z.string().min(1)])

const errorBody = z.union([
  z.looseObject({ error: told }).transform(({ error }) => error),
  z.looseObject({ object: z.literal('error') }),
])

/** What providers call an error, and the status that they send it with where they have not sent another before. */
const STATUS: { readonly [name: string]: number } = {
  authentication_error: 401,
  billing_error: 402,
  invalid_request_error: 400,
  not_found_error: 404,
  overloaded_error: 529,
  permission_error: 403,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  server_error: 500,
  timeout_error: 504,
}

/** An error as a provider tells it: `name` is its code, or its type. */
export interface ErrorBody {
  readonly status: number | null
  readonly words: string
  readonly name: string | null
}

/** An error that comes with a status of success; `status`: the one it should have had, where it says so. null: it is none. */
export function errorOf(answer: unknown): ErrorBody | null {
  const read = errorBody.safeParse(answer)
  if (!read.success) return null
  const error: { readonly code?: unknown; readonly type?: unknown; readonly message?: unknown } =
    typeof read.data === 'string' ? { message: read.data } : read.data
  const words = typeof error.message === 'string' ? error.message : written(error)
  const name = [error.code, error.type].find((one) => typeof one === 'string' && one !== '') as string | undefined
  return { status: statusOf(error.code) ?? statusOf(error.type), words, name: name ?? null }
}

/** Characters of a body that is looked into for an error. */
const MAX_LENGTH = 65_536

/** What a refusal says, in the provider's own words, with its code where they do not name it; of what is no error the text itself. */
export function wordsOf(body: string): string {
  const error = body.length > MAX_LENGTH ? null : errorOf(jsonOf(body))
  if (error === null) return body.trim()
  const { words, name } = error
  // Escapes are undone by now: a control or half a character is nothing for a ledger.
  return printable(name === null || words.includes(name) ? words : `${words} (${name})`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function statusOf(name: unknown): number | null {
  const code = Number(name)
  if (Number.isInteger(code) && code >= 400 && code < 600) return code
  return typeof name === 'string' && Object.hasOwn(STATUS, name) ? (STATUS[name] as number) : null
}
