import { z } from 'zod'
import { statusOf } from '../error-body.ts'
import { httpFailure } from '../failures.ts'
import type { Endpoint } from '../http.ts'
import { failure } from '../model.ts'
import { safeStringify } from '../safe-stringify.ts'
import { callApi, type FileLine, jsonLines, remoteName, submitBatch } from './api.ts'
import {
  BATCH_LIMITS,
  type Batching,
  type BatchLine,
  type IsOurs,
  type LineResult,
  type Submission,
  type UnparsedLine,
} from './batching.ts'
import { findBatch, type ListPage } from './lost.ts'

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

/** Batches of Anthropic. They carry no mark of ours: one whose name was lost is known by its size and time, and the ids of its results. */
export function anthropicBatching(api: Endpoint): Batching {
  const get = async (remote: string, signal: AbortSignal) =>
    batch.parse((await callApi(api, { path: `${ROOT}/${remoteName(remote)}`, signal })).value)
  const results: Batching['results'] = async function* (remote, signal) {
    const path = `${ROOT}/${remoteName(remote)}/results`
    for await (const page of jsonLines(api, { path, signal })) yield page.map(resultOf)
  }
  return {
    most: BATCH_LIMITS,
    submit: (_intent, lines, signal, isOurs) => submit(api, lines, signal, isOurs),
    find: (intent, known, signal) => findBatch(intent, known, (after) => readPage(api, after, signal), results, signal),
    async state(remote, signal) {
      const found = await get(remote, signal)
      const { processing_status: status } = found
      if (status === 'ended') return { kind: 'ended', status, results: sizeOf(found) }
      return { kind: ['in_progress', 'canceling'].includes(status) ? 'open' : 'unknown', status }
    },
    results,
    async cancel(remote, signal) {
      await callApi(api, { path: `${ROOT}/${remoteName(remote)}/cancel`, body: {}, signal })
    },
  }
}

function submit(api: Endpoint, lines: readonly BatchLine[], signal: AbortSignal, isOurs: IsOurs): Promise<Submission> {
  const requests = lines.map(({ id, body }) => `{"custom_id":${JSON.stringify(id)},"params":${body}}`).join(',')
  return submitBatch(
    () => Promise.resolve(`{"requests":[${requests}]}`),
    isOurs,
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      const { value } = await callApi(api, { path: ROOT, headers, body, signal })
      return remoteName(batch.parse(value).id)
    },
  )
}

async function readPage(api: Endpoint, after: string | null, signal: AbortSignal): Promise<ListPage> {
  const query = { limit: '100', ...(after === null ? {} : { after_id: after }) }
  const { value, headers } = await callApi(api, { path: ROOT, query, signal })
  const { data, has_more: more, last_id: last = null } = list.parse(value)
  const batches = data.map((one) => ({
    remote: one.id,
    size: sizeOf(one),
    made: Date.parse(one.created_at ?? ''),
    ended: one.processing_status === 'ended',
  }))
  return { batches, headers, more: more === true, next: last }
}

function sizeOf({ request_counts: counts }: RemoteBatch): number | null {
  if (counts === undefined) return null
  return counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
}

function resultOf({ number, value }: FileLine): LineResult | UnparsedLine {
  const read = line.safeParse(value)
  if (!read.success) return { kind: 'unparsed', line: number }
  const { custom_id: id, result } = read.data
  if (result.type === 'succeeded') return { id, kind: 'body', http: 200, body: safeStringify(result.message ?? {}) }
  // Only what succeeded is billed.
  if (result.type === 'errored') {
    const { type, message } = result.error?.error ?? {}
    const status = statusOf(type) ?? 500
    return { id, kind: 'failure', failure: { ...httpFailure(status, `${type}: ${message}`, {}), free: true } }
  }
  const code =
    result.type === 'canceled' ? 'batch-cancelled' : result.type === 'expired' ? 'batch-expired' : 'batch-line'
  return { id, kind: 'failure', failure: failure(code, `the request ${result.type} there`, 'again', { free: true }) }
}
