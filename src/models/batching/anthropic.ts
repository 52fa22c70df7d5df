import { z } from 'zod'
import { httpFailure } from '../failures.ts'
import { failure } from '../model.ts'
import { written } from '../written.ts'
import { type Api, apiFailure, callApi, type FileLine, jsonLines, remoteName, unmade } from './api.ts'
import {
  type BatchIntent,
  type Batching,
  type BatchLine,
  CLOCKS_MS,
  isPast,
  type LineResult,
  MOST_PAGES,
  type Search,
  type Submission,
  type Unread,
} from './batching.ts'

const count = z.number().catch(0)
const batch = z.looseObject({
  id: z.string(),
  processing_status: z.string(),
  created_at: z.string().optional(),
  request_counts: z
    .looseObject({ processing: count, succeeded: count, errored: count, canceled: count, expired: count })
    .optional(),
})
type RemoteBatch = z.infer<typeof batch>
const list = z.looseObject({
  data: z.array(batch),
  has_more: z.boolean().optional(),
  last_id: z.string().nullish(),
})
const line = z.looseObject({
  custom_id: z.string(),
  result: z.looseObject({
    type: z.string(),
    message: z.unknown().optional(),
    error: z
      .looseObject({ error: z.looseObject({ type: z.string().nullish(), message: z.string().nullish() }).nullish() })
      .nullish(),
  }),
})

const ROOT = '/messages/batches'

/** Batches of Anthropic. They carry no mark of ours: one whose name was lost is known by the ids of its results. */
export function anthropicBatching(api: Api): Batching {
  const get = async (remote: string, signal: AbortSignal) =>
    batch.parse((await callApi(api, { path: `${ROOT}/${remoteName(remote)}`, signal })).value)
  return {
    most: { lines: 10_000, bytes: 64 * 1024 * 1024 },
    submit: (_intent, lines, signal) => submit(api, lines, signal),
    find: (intent, known, signal) => find(api, intent, known, signal),
    async state(remote, signal) {
      const found = await get(remote, signal)
      const { processing_status: status } = found
      if (status === 'ended') return { kind: 'ended', status, results: sizeOf(found) }
      return { kind: ['in_progress', 'canceling'].includes(status) ? 'open' : 'unknown', status }
    },
    async *results(remote, signal) {
      for await (const page of resultLines(api, remote, signal)) yield page.map(resultOf)
    },
    async cancel(remote, signal) {
      await callApi(api, { path: `${ROOT}/${remoteName(remote)}/cancel`, body: {}, signal })
    },
  }
}

const resultLines = (api: Api, remote: string, signal: AbortSignal) =>
  jsonLines(api, { path: `${ROOT}/${remoteName(remote)}/results`, signal })

async function submit(api: Api, lines: readonly BatchLine[], signal: AbortSignal): Promise<Submission> {
  try {
    const requests = lines.map(({ id, body }) => `{"custom_id":${JSON.stringify(id)},"params":${body}}`).join(',')
    const headers = { 'content-type': 'application/json' }
    const { value } = await callApi(api, { path: ROOT, headers, body: `{"requests":[${requests}]}`, signal })
    return { kind: 'submitted', remote: remoteName(batch.parse(value).id) }
  } catch (error) {
    return unmade(error)
  }
}

/** One of the right time and size is ours if its results have our ids, which only an ended one shows. */
async function find(api: Api, intent: BatchIntent, known: ReadonlySet<string>, signal: AbortSignal): Promise<Search> {
  let unclear = false
  for await (const candidate of since(api, intent.intended - CLOCKS_MS, signal)) {
    if (candidate === 'unseen') {
      unclear = true
      continue
    }
    const size = sizeOf(candidate)
    if (known.has(candidate.id) || (size !== null && size !== intent.lines)) continue
    const ours = candidate.processing_status === 'ended' ? await isOurs(api, candidate.id, intent.key, signal) : null
    if (ours === true) return { kind: 'found', remote: remoteName(candidate.id) }
    if (ours === null) unclear = true
  }
  return { kind: unclear ? 'unclear' : 'none' }
}

/** The batches made since a time; `unseen`: the list goes on, and does not show how. */
async function* since(api: Api, time: number, signal: AbortSignal): AsyncGenerator<RemoteBatch | 'unseen'> {
  let after: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const query: { readonly [name: string]: string } = { limit: '100', ...(after === null ? {} : { after_id: after }) }
    const read = list.parse((await callApi(api, { path: ROOT, query, signal })).value)
    const recent = read.data.filter(({ created_at: at }) => at === undefined || !(Date.parse(at) < time))
    yield* recent
    const times = read.data.map(({ created_at: at = '' }) => Date.parse(at))
    if (read.has_more !== true || isPast(times, time)) return
    if (read.last_id == null) break
    after = read.last_id
  }
  yield 'unseen'
}

function sizeOf({ request_counts: counts }: RemoteBatch): number | null {
  if (counts === undefined) return null
  return counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
}

/** null: its results do not tell. */
async function isOurs(api: Api, remote: string, key: string, signal: AbortSignal): Promise<boolean | null> {
  try {
    for await (const page of resultLines(api, remote, signal)) {
      const ids = page.flatMap(({ value }) => line.safeParse(value).data?.custom_id ?? [])
      if (ids.length > 0) return ids.some((id) => id.startsWith(`${key}-`))
    }
  } catch (error) {
    // Results that somebody deleted.
    if (apiFailure(error).http !== 404) throw error
  }
  return null
}

/** The status that a live call would have got. */
const STATUS: { readonly [type: string]: number } = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
}

function resultOf({ number, value }: FileLine): LineResult | Unread {
  const read = line.safeParse(value)
  if (!read.success) return { kind: 'unread', line: number }
  const { custom_id: id, result } = read.data
  if (result.type === 'succeeded') return { id, kind: 'body', http: 200, body: written(result.message ?? {}) }
  // Only what succeeded is billed.
  if (result.type === 'errored') {
    const { type, message } = result.error?.error ?? {}
    const status = STATUS[type ?? ''] ?? 500
    return { id, kind: 'failure', failure: { ...httpFailure(status, `${type}: ${message}`, {}), free: true } }
  }
  const code =
    result.type === 'canceled' ? 'batch-cancelled' : result.type === 'expired' ? 'batch-expired' : 'batch-line'
  return { id, kind: 'failure', failure: failure(code, `the request ${result.type} there`, 'again', { free: true }) }
}
