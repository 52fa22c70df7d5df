import type { Call, Model, Reply } from '../model.ts'
import { divert } from '../transport.ts'

/** The body that a live call would send, as JSON text; a reply where none would be sent. */
export async function draftOf(model: Model, call: Call): Promise<string | Reply> {
  const { signal } = new AbortController()
  let body: string | null = null
  divert(signal, (sent) => {
    body ??= sent
    return { status: 500, body: '{}' }
  })
  const reply = await model.ask(call, signal)
  if (body !== null) return body
  return reply
}

/** Reads the body of a batch's result just as that of a live call. */
export function readResult(model: Model, call: Call, http: number, body: string): Promise<Reply> {
  const { signal } = new AbortController()
  divert(signal, () => ({ status: http, body }))
  return model.ask(call, signal)
}
