import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { isUsageError, schemaErrors, UsageError, withoutMark } from '../../core/index.ts'
import type { ResponseText } from '../../runner/index.ts'
import { csvLines, decoded, explained, readLines, textOfFile } from '../../store/index.ts'

import type { ExternalResponse } from './external-response.ts'
import { jsPsychResponses, PEOPLE } from './jspsych/read.ts'
import { anthropicLine, geminiLine, openAiLine } from './read-batches.ts'
import { inspectResponses } from './read-inspect.ts'
import { csvResponse, lmEvalLine, promptfooResult, promptfooResults } from './read-others.ts'

/** How a file of another tool is read. */
export type Reader =
  /** A line at a time. */
  | {
      readonly kind: 'lines'
      readonly describe: string
      readonly read: (value: unknown, model: string) => readonly ExternalResponse[]
    }
  /** Whole; at most {@link MOST_BYTES}. */
  | {
      readonly kind: 'file'
      readonly describe: string
      readonly read: (
        bytes: Uint8Array,
        model: string | null,
      ) => Iterable<ExternalResponse> | AsyncIterable<ExternalResponse>
    }
  /** Files that say all only together, whole; at most {@link MOST_BYTES} in all. */
  | {
      readonly kind: 'files'
      readonly describe: string
      readonly read: (files: readonly Uint8Array[], model: string | null) => Iterable<ExternalResponse>
    }

const MAX_BYTES = 1024 * 1024 * 1024
const BATCH = 500

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`the file is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** JSON, or a result a line; lines of others are no reason to refuse the rest. */
function* promptfooFile(bytes: Uint8Array): Generator<ExternalResponse> {
  const text = decoded(bytes).replace(/^\ufeff/u, '')
  const lines = text.split('\n').map((one, i) => ({ line: i + 1, text: one.trim() }))
  const full = lines.filter((one) => one.text !== '')
  const isLines = full.length > 1 && full.every((one) => one.text.startsWith('{') && one.text.endsWith('}'))
  if (!isLines && !isResult(text)) {
    for (const one of promptfooResults(json(text))) yield guarded(() => promptfooResult(one))
  } else for (const one of full) yield { ...guarded(() => promptfooResult(JSON.parse(one.text))), line: one.line }
}

/** One result alone, not a document. */
function isResult(text: string): boolean {
  const value = /^\s*\{/u.test(text) ? json(text) : null
  return typeof value === 'object' && value !== null && !('results' in value) && 'response' in value
}

/** One result that is no result is counted; the others are taken. */
function guarded(read: () => ExternalResponse): ExternalResponse {
  try {
    return read()
  } catch (error) {
    return { missing: whyNot(error) }
  }
}

const whyNot = (error: unknown): string =>
  error instanceof z.ZodError ? firstOf(error) : error instanceof Error ? error.message : String(error)

/** Every form in which responses come back, by name. */
export const responseReaders: { readonly [name: string]: Reader } = {
  inspect: { kind: 'file', describe: 'a log of Inspect, .json or .eval', read: inspectResponses },
  'lm-eval': { kind: 'lines', describe: 'samples_*.jsonl of lm-evaluation-harness', read: lmEvalLine },
  'openai-batch': {
    kind: 'lines',
    describe: 'the output file of an OpenAI batch',
    read: (value) => [openAiLine(value)],
  },
  'anthropic-batch': {
    kind: 'lines',
    describe: 'the results of a message batch',
    read: (value) => [anthropicLine(value)],
  },
  'gemini-batch': { kind: 'lines', describe: 'the responses of a Gemini batch', read: (value) => [geminiLine(value)] },
  promptfoo: { kind: 'file', describe: 'results.json or results.jsonl of promptfoo', read: promptfooFile },
  jspsych: {
    kind: 'files',
    describe: 'data of an experiment in jsPsych, CSV or JSON',
    read: (files, model) => jsPsychResponses(files.map(decoded), model ?? PEOPLE),
  },
  csv: {
    kind: 'file',
    describe: 'a table with item, text, and maybe style, model, sample, prompt; CSV, with semicolons or tabs too',
    read: function* (bytes) {
      for (const { line, row } of csvLines(decoded(bytes))) yield { ...csvResponse(row), line }
    },
  },
}

type Keys = ReadonlyMap<string, { readonly item: string; readonly style: string }>

/**
 * Files of another tool as the lines that `importResponses` takes, with the numbers of their own lines or rows. Several only where
 * they are read together.
 */
export async function* readResponses(
  reader: Reader,
  paths: readonly [string, ...string[]],
  keys: Keys,
  model: string | null,
): AsyncGenerator<readonly ResponseText[]> {
  const [path] = paths
  if (reader.kind === 'lines') {
    for await (const batch of readLines(withoutMark(textOfFile(path)), path))
      yield batch.flatMap(({ number, text: line }) => lineOf(number, line, reader, keys, model ?? 'imported'))
    return
  }
  const files: Uint8Array[] = []
  for (const one of paths) files.push(await explained(one, () => readFile(one)))
  const bytes = files.reduce((sum, { length }) => sum + length, 0)
  const named = namesOf(paths)
  if (bytes > MAX_BYTES) throw new UsageError(`${named}: more than ${MAX_BYTES} bytes; import less at once`)
  const found = () => (reader.kind === 'files' ? reader.read(files, model) : reader.read(files[0] as Uint8Array, model))
  let batch: ResponseText[] = []
  let number = 0
  for await (const foreign of wellFormed(named, found)) {
    number++
    batch.push({ number: foreign.line ?? number, ...responseOf(foreign, keys) })
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

/** How files that are read together are called. */
export const namesOf = ([path, ...more]: readonly [string, ...string[]]): string =>
  more.length === 0 ? path : `${path} and ${more.length} more`

async function* wellFormed(
  path: string,
  read: () => Iterable<ExternalResponse> | AsyncIterable<ExternalResponse>,
): AsyncGenerator<ExternalResponse> {
  try {
    yield* read()
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new UsageError(`${path} does not have the form of this tool: ${firstOf(error)}`)
    if (isUsageError(error)) throw new UsageError(`${path}: ${error.message}`, { cause: error })
    throw error
  }
}

function lineOf(
  number: number,
  line: string,
  reader: Extract<Reader, { readonly kind: 'lines' }>,
  keys: Keys,
  model: string,
): readonly ResponseText[] {
  try {
    return reader.read(JSON.parse(line), model).map((foreign) => ({ number, ...responseOf(foreign, keys) }))
  } catch (error) {
    return [{ number, missing: whyNot(error) }]
  }
}

const firstOf = (error: z.ZodError): string => schemaErrors(error, z.unknown())[0] ?? ''

function responseOf(foreign: ExternalResponse, keys: Keys): { readonly text: string } | { readonly missing: string } {
  const { key, item, style, missing, line: _, ...response } = foreign
  if (missing !== undefined) return { missing }
  const named = item === undefined ? keys.get(key ?? '') : { item, style }
  return { text: JSON.stringify({ ...(named ?? { item: key }), ...response }) }
}
