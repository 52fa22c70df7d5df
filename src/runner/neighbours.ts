import { z } from 'zod'
import type { News } from '../store/index.ts'
import type { Cause } from './breaker.ts'

/** What calls to one model of one server are counted under, by all workers of a database. */
export const trafficKey = (route: string, spec: string): string => `${route} ${spec}`

const causeSchema = z.strictObject({
  kind: z.enum(['authentication', 'quota', 'connection', 'repeated', 'overrun']),
  code: z.string(),
  message: z.string(),
  next: z.string(),
  again: z.boolean(),
})

/** Why another worker asks a model nothing more; null: nobody does, or it was looked into before. */
export function newTrouble(
  news: News,
  own: string,
  seen: number,
): { readonly at: number; readonly cause: Cause } | null {
  const { broken } = news
  if (broken === null || broken.by === own || broken.at <= seen) return null
  const parsed = causeSchema.safeParse(readJson(broken.cause))
  return parsed.success ? { at: broken.at, cause: parsed.data } : null
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
