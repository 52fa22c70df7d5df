import { z } from 'zod'
import { type Failure, failure } from '../model.ts'
import { written } from '../written.ts'
import { type Api, apiFailure, callApi, type FileLine, jsonLines, orKnown, remoteName, unmade } from './api.ts'
import {
  type BatchIntent,
  type Batching,
  type BatchLine,
  type IsOurs,
  isPast,
  type LineResult,
  MAX_PAGES,
  NOT_OURS,
  type RemoteState,
  type Search,
  type Submission,
  type Unread,
} from './batching.ts'
import { type Candidate, earliest, fileName, isGone, mayBe, ownOf, UNSEEN } from './lost.ts'

/** The fact on a batch that says which of ours it is. */
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
 * Batches of OpenAI: a file is uploaded, then a batch made of it that carries our key, by which it is found again; the
 * file is called so too, should the server drop what a batch carries.
 *
 * @param endpoint - that every line is for: `/v1/chat/completions` or `/v1/responses`.
 */
export function openAiBatching(api: Api, endpoint: string): Batching {
  const get = async (remote: string, signal: AbortSignal) =>
    batch.parse((await callApi(api, { path: `/batches/${remoteName(remote)}`, signal })).value)
  const results: Batching['results'] = async function* (remote, signal, known) {
    // A file may be told later than the end.
    const { status, files } = await orKnown(get(remote, signal).then(told), signal, known)
    for (const file of files) {
      for await (const page of jsonLines(api, { path: `/files/${remoteName(file)}/content`, signal }))
        yield page.map((one) => resultOf(one, status))
    }
  }
  return {
    most: { lines: 10_000, bytes: 64 * 1024 * 1024 },
    submit: (intent, lines, signal, isOurs) => submit(api, endpoint, intent, lines, signal, isOurs),
    find: (intent, known, signal) => find(api, intent, known, results, signal),
    async state(remote, signal): Promise<RemoteState> {
      const found = await get(remote, signal)
      const { status, request_counts: counts } = found
      const computed = counts == null ? null : counts.completed + counts.failed
      const { files } = told(found)
      if (status === 'completed') return { kind: 'ended', status, results: computed, files }
      if (OPEN.includes(status)) return { kind: 'open', status }
      if (!ENDED.includes(status)) return { kind: 'unknown', status }
      const why = whyNot(found)
      const brought = files.length > 0 || (computed ?? 0) > 0
      if (status === 'failed' && !brought) return { kind: 'failed', status, failure: why }
      // Lines that expired or were cancelled may have results, which are counted nowhere.
      return { kind: 'ended', status, results: null, files, early: { computed, why } }
    },
    results,
    async cancel(remote, signal) {
      await callApi(api, { path: `/batches/${remoteName(remote)}/cancel`, body: {}, signal })
    },
  }
}

const told = ({ status, output_file_id: output, error_file_id: errors }: z.infer<typeof batch>) => ({
  status,
  files: [output, errors].filter((file) => file != null),
})

async function submit(
  api: Api,
  endpoint: string,
  { key }: BatchIntent,
  lines: readonly BatchLine[],
  signal: AbortSignal,
  isOurs: IsOurs,
): Promise<Submission> {
  let file: string
  try {
    const form = multipart(key, lines.map(({ id, body }) => requestLine(id, endpoint, body)).join(''))
    const { value } = await callApi(api, { path: '/files', ...form, signal })
    file = remoteName(z.looseObject({ id: z.string() }).parse(value).id)
  } catch (error) {
    // A file that nothing is made of costs nothing.
    return { kind: 'refused', failure: apiFailure(error) }
  }
  try {
    if (!(await isOurs())) return NOT_OURS
    const body = { input_file_id: file, endpoint, completion_window: '24h', metadata: { [MARK]: key } }
    const { value } = await callApi(api, { path: '/batches', body, signal })
    return { kind: 'submitted', remote: remoteName(batch.parse(value).id) }
  } catch (error) {
    return unmade(error)
  }
}

/** The body is put in as it is: a number must not be written anew. */
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

/** By its mark, or else among those that carry none. Pages are read until they are older than the intent. */
async function find(
  api: Api,
  intent: BatchIntent,
  known: ReadonlySet<string>,
  results: Batching['results'],
  signal: AbortSignal,
): Promise<Search> {
  const unmarked: (Candidate | typeof UNSEEN)[] = []
  let after: string | null = null
  for (let page = 0; ; page++) {
    const query: { readonly [name: string]: string } = { limit: '100', ...(after === null ? {} : { after }) }
    const { value, headers } = await callApi(api, { path: '/batches', query, signal })
    const { data, has_more: more } = list.parse(value)
    const found = data.find(({ metadata }) => metadata?.[MARK] === intent.key)
    if (found !== undefined) return { kind: 'found', remote: remoteName(found.id) }
    const since = earliest(intent, headers)
    const times = data.map(({ created_at: at = Number.NaN }) => at * 1000)
    for (const [i, one] of data.entries())
      if (one.metadata?.[MARK] === undefined && !known.has(one.id) && mayBe(intent, sizeOf(one), times[i]!, since))
        unmarked.push({
          remote: remoteName(one.id),
          ended: ENDED.includes(one.status),
          file: () => fileOf(api, one, signal),
        })
    if (more !== true || isPast(times, since)) break
    const last = data.at(-1)
    if (last === undefined || page === MAX_PAGES) {
      unmarked.push(UNSEEN)
      break
    }
    after = last.id
  }
  return ownOf(intent, unmarked, results, signal)
}

/** null: its lines are not counted yet. */
const sizeOf = ({ request_counts: counts }: z.infer<typeof batch>): number | null => counts?.total || null

/** What the file that a batch was made of is called; undefined: that is not told. */
async function fileOf(
  api: Api,
  { input_file_id: id }: z.infer<typeof batch>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (id == null) return undefined
  try {
    const { value } = await callApi(api, { path: `/files/${remoteName(id)}`, signal })
    return z.looseObject({ filename: z.string().optional().catch(undefined) }).parse(value).filename
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

function resultOf({ number, value }: FileLine, status: string): LineResult | Unread {
  const read = line.safeParse(value)
  if (!read.success) return { kind: 'unread', line: number }
  const { custom_id: id, response, error } = read.data
  if (response != null) return { id, kind: 'body', http: response.status_code, body: written(response.body ?? {}) }
  return { id, kind: 'failure', failure: undone(error?.code ?? `batch_${status}`, error?.message ?? 'no response') }
}

/** Lines that the batch ended before they were computed: nothing is owed for them. */
function undone(code: string, message: string): Failure {
  if (/expired/u.test(code)) return failure('batch-expired', message, 'again', { free: true })
  if (/cancel/u.test(code)) return failure('batch-cancelled', message, 'again', { free: true })
  return failure('batch-line', `${code}: ${message}`, 'again')
}

const whyNot = ({ status, errors }: z.infer<typeof batch>): Failure =>
  status === 'failed' ? invalid(errors?.data?.[0]) : undone(`batch_${status}`, `the batch ${status} there`)

function invalid(error: { readonly code?: unknown; readonly message?: unknown } | undefined): Failure {
  const message = `the batch was refused: ${String(error?.code ?? 'no code')}: ${String(error?.message ?? 'no message')}`
  // Too many tokens wait already: there is room when other batches are done.
  if (/limit/u.test(String(error?.code))) return failure('batch-limit', message, 'slow-down', { free: true })
  return failure('batch-refused', message, 'never', { free: true })
}
