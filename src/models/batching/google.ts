import { z } from 'zod'
import { httpFailure } from '../failures.ts'
import { type Failure, failure } from '../model.ts'
import { written } from '../written.ts'
import {
  type Api,
  ApiError,
  apiFailure,
  badBody,
  callApi,
  type FileLine,
  jsonLines,
  orKnown,
  remoteName,
  unmade,
} from './api.ts'
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

const rpcError = z.looseObject({
  code: z.union([z.number(), z.string()]).nullish(),
  message: z.string().nullish(),
  status: z.string().nullish(),
})
const inlined = z.looseObject({
  metadata: z.looseObject({ key: z.string() }).nullish(),
  response: z.unknown().optional(),
  error: rpcError.nullish(),
})
const output = z.looseObject({
  responsesFile: z.string().nullish(),
  inlinedResponses: z.looseObject({ inlinedResponses: z.array(inlined) }).nullish(),
})
const operation = z.looseObject({
  name: z.string(),
  done: z.boolean().nullish(),
  metadata: z
    .looseObject({
      state: z.string().nullish(),
      displayName: z.string().nullish(),
      createTime: z.string().nullish(),
      inputConfig: z.looseObject({ fileName: z.string().nullish() }).nullish().catch(null),
      output: output.nullish(),
      batchStats: z
        .looseObject({
          requestCount: z.coerce.number().int(),
          successfulRequestCount: z.coerce.number().int(),
          failedRequestCount: z.coerce.number().int(),
        })
        .partial()
        .nullish()
        .catch(null),
    })
    .nullish(),
  error: rpcError.nullish(),
  response: output.nullish(),
})
type Operation = z.infer<typeof operation>
const list = z.looseObject({ operations: z.array(operation).nullish(), nextPageToken: z.string().nullish() })
const fileLine = z.looseObject({ key: z.string(), response: z.unknown().optional(), error: rpcError.nullish() })

const BATCH = /^batches\/[\w.-]{1,200}$/u
const FILE = /^files\/[\w.-]{1,200}$/u

/** Batches of Google: lines are uploaded as a file, and a batch made of it whose display name is our key; the file has it too. */
export function googleBatching(api: Api, model: string): Batching {
  const get = async (remote: string, signal: AbortSignal) =>
    operation.parse((await callApi(api, { path: `/${remoteName(remote, BATCH)}`, signal })).value)
  const results: Batching['results'] = async function* (remote, signal, known) {
    const seen = await orKnown(get(remote, signal).then(told), signal, known)
    const { status, files } = seen
    if ('inlined' in seen)
      yield seen.inlined.map(({ metadata: about, ...rest }, i) =>
        resultOf({ number: i + 1, value: { key: about?.key, ...rest } }, status),
      )
    for (const file of files) {
      const path = `${origin(api)}/download/v1beta/${remoteName(file, FILE)}:download`
      for await (const page of jsonLines(api, { path, query: { alt: 'media' }, signal }))
        yield page.map((one) => resultOf(one, status))
    }
  }
  return {
    most: { lines: 10_000, bytes: 64 * 1024 * 1024 },
    submit: (intent, lines, signal, isOurs) => submit(api, model, intent, lines, signal, isOurs),
    find: (intent, known, signal) => find(api, intent, known, results, signal),
    state: async (remote, signal) => stateOf(await get(remote, signal)),
    results,
    async cancel(remote, signal) {
      await callApi(api, { path: `/${remoteName(remote, BATCH)}:cancel`, body: {}, signal })
    },
  }
}

/** Where files are uploaded and downloaded: beside the version of the API. */
const origin = ({ base }: Api): string => base.replace(/\/v1(?:alpha|beta)?$/u, '')

async function submit(
  api: Api,
  model: string,
  { key }: BatchIntent,
  lines: readonly BatchLine[],
  signal: AbortSignal,
  isOurs: IsOurs,
): Promise<Submission> {
  let file: string
  try {
    file = await upload(api, key, lines, signal)
  } catch (error) {
    // A file that nothing is made of costs nothing.
    return { kind: 'refused', failure: apiFailure(error) }
  }
  try {
    if (!(await isOurs())) return NOT_OURS
    const path = `/${model.includes('/') ? model : `models/${model}`}:batchGenerateContent`
    const body = { batch: { displayName: key, inputConfig: { fileName: file } } }
    const { value } = await callApi(api, { path, body, signal })
    return { kind: 'submitted', remote: remoteName(operation.parse(value).name, BATCH) }
  } catch (error) {
    return unmade(error)
  }
}

async function upload(api: Api, key: string, lines: readonly BatchLine[], signal: AbortSignal): Promise<string> {
  const content = lines.map(({ id, body }) => `{"key":${JSON.stringify(id)},"request":${body}}\n`).join('')
  const start = await callApi(api, {
    path: `${origin(api)}/upload/v1beta/files`,
    headers: {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(Buffer.byteLength(content, 'utf8')),
      'x-goog-upload-header-content-type': 'application/jsonl',
    },
    body: { file: { display_name: fileName(key) } },
    signal,
  })
  const path = start.headers.get('x-goog-upload-url')
  // The key goes along to this address: it must be of the server that was asked.
  if (path === null || URL.parse(path)?.host !== new URL(api.base).host)
    throw new ApiError(badBody(`the server names ${path ?? 'no address'} for the upload, which is not its own`))
  const headers = {
    'content-type': 'application/jsonl',
    'x-goog-upload-offset': '0',
    'x-goog-upload-command': 'upload, finalize',
  }
  const { value } = await callApi({ ...api, query: null }, { path, headers, body: content, signal })
  return remoteName(z.looseObject({ file: z.looseObject({ name: z.string() }) }).parse(value).file.name, FILE)
}

/** By its display name, or else among those that have none. */
async function find(
  api: Api,
  intent: BatchIntent,
  known: ReadonlySet<string>,
  results: Batching['results'],
  signal: AbortSignal,
): Promise<Search> {
  const unmarked: (Candidate | typeof UNSEEN)[] = []
  let token: string | null = null
  for (let page = 0; ; page++) {
    const query: { readonly [name: string]: string } = {
      pageSize: '100',
      ...(token === null ? {} : { pageToken: token }),
    }
    const { value, headers } = await callApi(api, { path: '/batches', query, signal })
    const { operations, nextPageToken: next } = list.parse(value)
    const all = operations ?? []
    const found = all.find(({ metadata }) => metadata?.displayName === intent.key)
    if (found !== undefined) return { kind: 'found', remote: remoteName(found.name, BATCH) }
    const since = earliest(intent, headers)
    const times = all.map(({ metadata }) => Date.parse(metadata?.createTime ?? ''))
    for (const [i, one] of all.entries())
      if (!one.metadata?.displayName && !known.has(one.name) && mayBe(intent, sizeOf(one), times[i]!, since))
        unmarked.push({
          remote: remoteName(one.name, BATCH),
          ended: ['ended', 'failed'].includes(stateOf(one).kind),
          file: () => fileOf(api, one, signal),
        })
    if (next == null || next === '' || isPast(times, since)) break
    if (page === MAX_PAGES) {
      unmarked.push(UNSEEN)
      break
    }
    token = next
  }
  return ownOf(intent, unmarked, results, signal)
}

/** null: its lines are not counted yet. */
const sizeOf = ({ metadata }: Operation): number | null => metadata?.batchStats?.requestCount || null

/** What the file that a batch was made of is called; undefined: that is not told. */
async function fileOf(api: Api, { metadata }: Operation, signal: AbortSignal): Promise<string | undefined> {
  const name = metadata?.inputConfig?.fileName
  if (name == null) return undefined
  try {
    const { value } = await callApi(api, { path: `/${remoteName(name, FILE)}`, signal })
    return z.looseObject({ displayName: z.string().optional().catch(undefined) }).parse(value).displayName
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Counts of 0 are left out of its JSON; all of them are, where nothing is said. */
function countOf(metadata: Operation['metadata']): number | null {
  const { successfulRequestCount: done, failedRequestCount: failed } = metadata?.batchStats ?? {}
  return done === undefined && failed === undefined ? null : (done ?? 0) + (failed ?? 0)
}

/** Of the Gemini API and of Vertex. */
const OPEN: readonly string[] = ['UNSPECIFIED', 'QUEUED', 'PENDING', 'RUNNING', 'PAUSED', 'UPDATING', 'CANCELLING']

const outputOf = ({ metadata, response }: Operation): z.infer<typeof output> => ({ ...response, ...metadata?.output })

const filesOf = (found: Operation): readonly string[] => [outputOf(found).responsesFile].filter((file) => file != null)

const told = (found: Operation) => ({
  status: stateOf(found).status,
  files: filesOf(found),
  inlined: outputOf(found).inlinedResponses?.inlinedResponses ?? [],
})

function stateOf(found: Operation): RemoteState {
  const { metadata, done, error, response } = found
  const files = filesOf(found)
  const fallback = error != null ? 'FAILED' : done === true ? 'SUCCEEDED' : 'PENDING'
  const status = (metadata?.state ?? fallback).replace(/^(?:BATCH|JOB)_STATE_/u, '')
  const computed = countOf(metadata)
  if (['SUCCEEDED', 'PARTIALLY_SUCCEEDED'].includes(status)) return { kind: 'ended', status, results: computed, files }
  const early = ['CANCELLED', 'EXPIRED'].includes(status)
  if (!early && status !== 'FAILED' && error == null)
    return { kind: OPEN.includes(status) ? 'open' : 'unknown', status }
  const why = early ? undone(status) : rpcFailure(error ?? {}, status)
  const brought = metadata?.output != null || response != null || (computed ?? 0) > 0
  if (!brought) return { kind: 'failed', status, failure: why }
  return { kind: 'ended', status, results: null, files, early: { computed, why: { ...why, free: true } } }
}

const undone = (status: string): Failure =>
  failure(status === 'EXPIRED' ? 'batch-expired' : 'batch-cancelled', `the batch ${status.toLowerCase()}`, 'again', {
    free: true,
  })

/** Codes of google.rpc as HTTP statuses. */
const RPC: { readonly [code: string]: number } = {
  '3': 400,
  '4': 504,
  '5': 404,
  '7': 403,
  '8': 429,
  '9': 400,
  '13': 500,
  '14': 503,
  '16': 401,
}

/** @param ended - how its batch ended: what an expired one did not come to is told as cancelled. */
function rpcFailure({ code, message, status }: z.infer<typeof rpcError>, ended: string): Failure {
  if (status === 'CANCELLED' || String(code) === '1') return undone(ended === 'EXPIRED' ? ended : 'CANCELLED')
  const number = Number(code)
  const http = RPC[String(code)] ?? (number >= 400 && number < 600 ? number : 500)
  return httpFailure(http, `${status ?? code ?? ''} ${message ?? ''}`, {})
}

function resultOf({ number, value }: FileLine, ended: string): LineResult | Unread {
  const read = fileLine.safeParse(value)
  if (!read.success) return { kind: 'unread', line: number }
  const { key: id, response, error } = read.data
  if (error != null) return { id, kind: 'failure', failure: rpcFailure(error, ended) }
  if (response == null)
    return { id, kind: 'failure', failure: failure('batch-line', 'neither a response nor an error', 'again') }
  return { id, kind: 'body', http: 200, body: written(response) }
}
