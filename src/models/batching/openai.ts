import { z } from 'zod'
import type { Endpoint } from '../http.ts'
import { type Failure, failure } from '../model.ts'
import { safeStringify } from '../safe-stringify.ts'
import { callApi, type FileLine, jsonLines, orKnown, remoteName, submitBatch } from './api.ts'
import {
  BATCH_LIMITS,
  type BatchIntent,
  type Batching,
  type BatchLine,
  type IsOurs,
  type LineResult,
  type RemoteState,
  type Submission,
  type UnparsedLine,
} from './batching.ts'
import { fileName, findBatch, type ListPage, unlessGone } from './lost.ts'

/** The metadata field of a batch that holds our key. */
const MARK = 'touchstone'

const batch = z.looseObject({
  id: z.string(),
  status: z.string(),
  created_at: z.number().optional(),
  input_file_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  request_counts: z
    .looseObject({ completed: z.int(), failed: z.int(), total: z.int().optional() })
    .nullish()
    .catch(null),
  errors: z
    .looseObject({
      data: z.array(z.looseObject({ code: z.string().nullish(), message: z.string().nullish() })).nullish(),
    })
    .nullish(),
})
const list = z.looseObject({ data: z.array(batch), has_more: z.boolean().optional() })
const line = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})

const OPEN: readonly string[] = ['validating', 'in_progress', 'finalizing', 'cancelling']
const ENDED: readonly string[] = ['completed', 'failed', 'expired', 'cancelled']

/**
 * Batches of OpenAI: a file is uploaded, and a batch is made of it. Both carry our key, by which the batch is found again even if the server
 * drops its metadata.
 *
 * @param endpoint - of every line: `/v1/chat/completions` or `/v1/responses`.
 */
export function openAiBatching(api: Endpoint, endpoint: string): Batching {
  const get = async (remote: string, signal: AbortSignal) =>
    batch.parse((await callApi(api, { path: `/batches/${remoteName(remote)}`, signal })).value)
  const results: Batching['results'] = async function* (remote, signal, known) {
    // A file may be reported later than the end.
    const { status, files } = await orKnown(get(remote, signal).then(outputOf), signal, known)
    for (const file of files) {
      for await (const page of jsonLines(api, { path: `/files/${remoteName(file)}/content`, signal }))
        yield page.map((one) => resultOf(one, status))
    }
  }
  return {
    most: BATCH_LIMITS,
    submit: (intent, lines, signal, isOurs) => submit(api, endpoint, intent, lines, signal, isOurs),
    find: (intent, known, signal) => findBatch(intent, known, (after) => readPage(api, after, signal), results, signal),
    async state(remote, signal): Promise<RemoteState> {
      const found = await get(remote, signal)
      const { status, request_counts: counts } = found
      const computed = counts == null ? null : counts.completed + counts.failed
      const { files } = outputOf(found)
      if (status === 'completed') return { kind: 'ended', status, results: computed, files }
      if (OPEN.includes(status)) return { kind: 'open', status }
      if (!ENDED.includes(status)) return { kind: 'unknown', status }
      const why = whyNot(found)
      const brought = files.length > 0 || (computed ?? 0) > 0
      if (status === 'failed' && !brought) return { kind: 'failed', status, failure: why }
      // Expired and cancelled batches may have results that are counted nowhere.
      return { kind: 'ended', status, results: null, files, early: { computed, why } }
    },
    results,
    async cancel(remote, signal) {
      await callApi(api, { path: `/batches/${remoteName(remote)}/cancel`, body: {}, signal })
    },
  }
}

const outputOf = ({ status, output_file_id: output, error_file_id: errors }: z.infer<typeof batch>) => ({
  status,
  files: [output, errors].filter((file) => file != null),
})

function submit(
  api: Endpoint,
  endpoint: string,
  { key }: BatchIntent,
  lines: readonly BatchLine[],
  signal: AbortSignal,
  isOurs: IsOurs,
): Promise<Submission> {
  const upload = async (): Promise<string> => {
    const form = multipart(key, lines.map(({ id, body }) => requestLine(id, endpoint, body)).join(''))
    const { value } = await callApi(api, { path: '/files', ...form, signal })
    return remoteName(z.looseObject({ id: z.string() }).parse(value).id)
  }
  return submitBatch(upload, isOurs, async (file) => {
    const body = { input_file_id: file, endpoint, completion_window: '24h', metadata: { [MARK]: key } }
    const { value } = await callApi(api, { path: '/batches', body, signal })
    return remoteName(batch.parse(value).id)
  })
}

/** The body is inserted as it is, so that no number changes its form. */
const requestLine = (id: string, url: string, body: string): string =>
  `{"custom_id":${JSON.stringify(id)},"method":"POST","url":${JSON.stringify(url)},"body":${body}}\n`

/** A form with a file. JSON holds no raw line break, so that no line of it can be the boundary. */
function multipart(
  key: string,
  content: string,
): { readonly body: string; readonly headers: { [name: string]: string } } {
  const boundary = `----${key}`
  const body = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="purpose"',
    '',
    'batch',
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${fileName(key)}"`,
    'Content-Type: application/jsonl',
    '',
    content,
    `--${boundary}--`,
    '',
  ].join('\r\n')
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

async function readPage(api: Endpoint, after: string | null, signal: AbortSignal): Promise<ListPage> {
  const query = { limit: '100', ...(after === null ? {} : { after }) }
  const { value, headers } = await callApi(api, { path: '/batches', query, signal })
  const { data, has_more: more } = list.parse(value)
  const batches = data.map((one) => ({
    remote: one.id,
    mark: one.metadata?.[MARK] as string | undefined,
    size: sizeOf(one),
    made: (one.created_at ?? Number.NaN) * 1000,
    ended: ENDED.includes(one.status),
    file: () => fileOf(api, one, signal),
  }))
  return { batches, headers, more: more === true, next: data.at(-1)?.id ?? null }
}

/** null: its lines are not counted yet. */
const sizeOf = ({ request_counts: counts }: z.infer<typeof batch>): number | null => counts?.total || null

/** The name of the file that a batch was made of; undefined: not reported. */
async function fileOf(
  api: Endpoint,
  { input_file_id: id }: z.infer<typeof batch>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (id == null) return undefined
  const found = await unlessGone(callApi(api, { path: `/files/${remoteName(id)}`, signal }))
  return z.looseObject({ filename: z.string().optional().catch(undefined) }).parse(found?.value ?? {}).filename
}

function resultOf({ number, value }: FileLine, status: string): LineResult | UnparsedLine {
  const read = line.safeParse(value)
  if (!read.success) return { kind: 'unparsed', line: number }
  const { custom_id: id, response, error } = read.data
  if (response != null)
    return { id, kind: 'body', http: response.status_code, body: safeStringify(response.body ?? {}) }
  return { id, kind: 'failure', failure: undone(error?.code ?? `batch_${status}`, error?.message ?? 'no response') }
}

/** The failure of lines that were not computed before the batch ended. They cost nothing. */
function undone(code: string, message: string): Failure {
  if (/expired/u.test(code)) return failure('batch-expired', message, 'again', { free: true })
  if (/cancel/u.test(code)) return failure('batch-cancelled', message, 'again', { free: true })
  return failure('batch-line', `${code}: ${message}`, 'again')
}

const whyNot = ({ status, errors }: z.infer<typeof batch>): Failure =>
  status === 'failed' ? invalid(errors?.data?.[0]) : undone(`batch_${status}`, `the batch ${status} there`)

function invalid(error: { readonly code?: unknown; readonly message?: unknown } | undefined): Failure {
  const message = `the batch was refused: ${String(error?.code ?? 'no code')}: ${String(error?.message ?? 'no message')}`
  // The limit of queued tokens: there is room when other batches end.
  if (/limit/u.test(String(error?.code))) return failure('batch-limit', message, 'slow-down', { free: true })
  return failure('batch-refused', message, 'never', { free: true })
}
