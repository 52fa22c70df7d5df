import { z } from 'zod'

const errorBody = z.union([
  z.looseObject({ error: z.union([z.looseObject({}), z.string().min(1)]) }).transform(({ error }) => error),
  z.looseObject({ object: z.literal('error') }),
])

/** An error that comes with a status of success; `status`: the one it should have had, where it says so. null: it is none. */
export function errorOf(answer: unknown): { readonly status: number | null; readonly words: string } | null {
  const read = errorBody.safeParse(answer)
  if (!read.success) return null
  const error: { readonly code?: unknown; readonly message?: unknown } =
    typeof read.data === 'string' ? { message: read.data } : read.data
  const code = Number(error.code)
  const words = typeof error.message === 'string' ? error.message : JSON.stringify(error)
  return { status: Number.isInteger(code) && code >= 400 && code < 600 ? code : null, words }
}
