import { z } from 'zod'
import { httpFailure } from '../failures.ts'
import type { Endpoint } from '../http.ts'
import { type Failure, failure } from '../model.ts'
import { safeStringify } from '../safe-stringify.ts'
import { ApiError, badBody, callApi, type FileLine, jsonLines, orKnown, remoteName, submitBatch } from './api.ts'
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

/** Batches of Google: lines are uploaded as a file, and a batch is made of it. Display names of both are our key. */
export function googleBatching(api: Endpoint, model: string): Batching {
  const get = async (remote: string, signal: AbortSignal) =>
    operation.parse((await callApi(api, { path: `/${remoteName(remote, BATCH)}`, signal })).value)
  const results: Batching['results'] = async function* (remote, signal, known) {
    const seen = await orKnown(get(remote, signal).then(outputWithLines), signal, known)
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
    most: BATCH_LIMITS,
    submit: (intent, lines, signal, isOurs) => submit(api, model, intent, lines, signal, isOurs),
    find: (intent, known, signal) =>
      findBatch(intent, known, (after) => readPage(api, after, signal), results, signal, BATCH),
    state: async (remote, signal) => stateOf(await get(remote, signal)),
    results,
    async cancel(remote, signal) {
      await callApi(api, { path: `/${remoteName(remote, BATCH)}:cancel`, body: {}, signal })
    },
  }
}

/** Files are uploaded and downloaded beside the version of the API. */
const origin = ({ base }: Endpoint): string => base.replace(/\/v1(?:alpha|beta)?$/u, '')

function submit(
  api: Endpoint,
  model: string,
  { key }: BatchIntent,
  lines: readonly BatchLine[],
  signal: AbortSignal,
  isOurs: IsOurs,
): Promise<Submission> {
  return submitBatch(
    () => upload(api, key, lines, signal),
    isOurs,
    async (file) => {
      const path = `/${model.includes('/') ? model : `models/${model}`}:batchGenerateContent`
      const body = { batch: { displayName: key, inputConfig: { fileName: file } } }
      const { value } = await callApi(api, { path, body, signal })
      return remoteName(operation.parse(value).name, BATCH)
    },
  )
}

async function upload(api: Endpoint, key: string, lines: readonly BatchLine[], signal: AbortSignal): Promise<string> {
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
  const path = start.headers['x-goog-upload-url'] ?? null
  // The key is sent to this address, so it must be on the same server.
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

async function readPage(api: Endpoint, after: string | null, signal: AbortSignal): Promise<ListPage> {
  const query = { pageSize: '100', ...(after === null ? {} : { pageToken: after }) }
  const { value, headers } = await callApi(api, { path: '/batches', query, signal })
  const { operations, nextPageToken } = list.parse(value)
  const batches = (operations ?? []).map((one) => ({
    remote: one.name,
    mark: one.metadata?.displayName || undefined,
    size: sizeOf(one),
    made: Date.parse(one.metadata?.createTime ?? ''),
    ended: ['ended', 'failed'].includes(stateOf(one).kind),
    file: () => fileOf(api, one, signal),
  }))
  const next = nextPageToken || null
  return { batches, headers, more: next !== null, next }
}

/** null: its lines are not counted yet. */
const sizeOf = ({ metadata }: Operation): number | null => metadata?.batchStats?.requestCount || null

/** The name of the file that a batch was made of; undefined: not reported. */
async function fileOf(api: Endpoint, { metadata }: Operation, signal: AbortSignal): Promise<string | undefined> {
  const name = metadata?.inputConfig?.fileName
  if (name == null) return undefined
  const found = await unlessGone(callApi(api, { path: `/${remoteName(name, FILE)}`, signal }))
  return z.looseObject({ displayName: z.string().optional().catch(undefined) }).parse(found?.value ?? {}).displayName
}

/** Its JSON omits counts of 0, and all counts if none is known. */
function countOf(metadata: Operation['metadata']): number | null {
  const { successfulRequestCount: done, failedRequestCount: failed } = metadata?.batchStats ?? {}
  return done === undefined && failed === undefined ? null : (done ?? 0) + (failed ?? 0)
}

/** Of the Gemini API and of Vertex. */
const OPEN: readonly string[] = ['UNSPECIFIED', 'QUEUED', 'PENDING', 'RUNNING', 'PAUSED', 'UPDATING', 'CANCELLING']

const outputOf = ({ metadata, response }: Operation): z.infer<typeof output> => ({ ...response, ...metadata?.output })

const filesOf = (found: Operation): readonly string[] => [outputOf(found).responsesFile].filter((file) => file != null)

const outputWithLines = (found: Operation) => ({
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

/** @param ended - status of its batch: lines that an expired batch did not reach are reported as cancelled. */
function rpcFailure({ code, message, status }: z.infer<typeof rpcError>, ended: string): Failure {
  if (status === 'CANCELLED' || String(code) === '1') return undone(ended === 'EXPIRED' ? ended : 'CANCELLED')
  const number = Number(code)
  const http = RPC[String(code)] ?? (number >= 400 && number < 600 ? number : 500)
  return httpFailure(http, `${status ?? code ?? ''} ${message ?? ''}`, {})
}

function resultOf({ number, value }: FileLine, ended: string): LineResult | UnparsedLine {
  const read = fileLine.safeParse(value)
  if (!read.success) return { kind: 'unparsed', line: number }
  const { key: id, response, error } = read.data
  if (error != null) return { id, kind: 'failure', failure: rpcFailure(error, ended) }
  if (response == null)
    return { id, kind: 'failure', failure: failure('batch-line', 'neither a response nor an error', 'again') }
  return { id, kind: 'body', http: 200, body: safeStringify(response) }
}
