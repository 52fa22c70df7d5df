import { type FileTree, type ImportCount, type ImportProblem, importProblem, tooLong } from '../../../core/importer.ts'
import { isObject, type Json } from '../../../core/json.ts'
import { linesOf } from '../../../core/lines.ts'
import { decodeExample } from './example.ts'
import { pythonDict } from './python.ts'
import { readTfrecord } from './tfrecord.ts'

/** One published example, whatever the file format. */
export interface PublishedRecord {
  /** The file's name without `.tfrecord` or `.jsonl`: predictions refer to it. */
  readonly dataset: string
  readonly path: string
  readonly line: number | null
  readonly index: number
  /** Context and question. */
  readonly question: string
  readonly answers: readonly string[]
  readonly metadata: ReadonlyMap<string, string>
}

export const keyOf = (dataset: string, index: number): string => `${dataset}/${index}`

/** All records of a release, from `.jsonl` and `.tfrecord` files at any depth. */
export async function* readRecords(files: FileTree): AsyncGenerator<PublishedRecord | ImportProblem | ImportCount> {
  for await (const { path } of files.list()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name.endsWith('.jsonl')) yield* fromJsonl(files, path, name.slice(0, -'.jsonl'.length))
    if (name.endsWith('.tfrecord')) yield* fromTfrecord(files, path, name.slice(0, -'.tfrecord'.length))
  }
}

async function* fromJsonl(
  files: FileTree,
  path: string,
  dataset: string,
): AsyncGenerator<PublishedRecord | ImportProblem> {
  for await (const { number: line, text, end } of linesOf(files.text(path))) {
    if (end === 'limit') {
      yield tooLong(path, line)
      continue
    }
    if (text.trim() === '') continue
    const value = parsed(line === 1 ? text.replace(/^\ufeff/, '') : text)
    const record = value === undefined || !isObject(value) ? null : fromJson(value, { dataset, path, line })
    yield record ?? importProblem('bad-line', path, line, 'expected an object with question and answer')
  }
}

function fromJson(
  value: { readonly [key: string]: Json },
  at: { dataset: string; path: string; line: number },
): PublishedRecord | null {
  const { question, answer, metadata, index, alternative_answers: others } = value as { [key: string]: Json }
  if (typeof question !== 'string' || typeof answer !== 'string') return null
  const facts =
    typeof metadata === 'string'
      ? pythonDict(metadata)
      : new Map(
          isObject(metadata ?? null)
            ? Object.entries(metadata as { [key: string]: Json }).map(([k, v]) => [k, String(v)])
            : [],
        )
  return {
    ...at,
    index: wholeNumber(index) ?? at.line - 1,
    question,
    answers: [answer, ...alternatives(typeof others === 'string' ? others : '')],
    metadata: facts,
  }
}

/** What can be the index of a record, as a number or in digits. */
export function wholeNumber(value: unknown): number | null {
  const index = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : null
}

const alternatives = (text: string): string[] => (text === '' ? [] : text.split('\t'))

async function* fromTfrecord(
  files: FileTree,
  path: string,
  dataset: string,
): AsyncGenerator<PublishedRecord | ImportProblem | ImportCount> {
  if (files.bytes === undefined) {
    yield importProblem('unreadable-file', path, null, 'this source gives text only; a TFRecord file is binary')
    return
  }
  let ordinal = 0
  for await (const raw of readTfrecord(files.bytes(path))) {
    if (raw.kind === 'damage') {
      yield importProblem('damaged-file', path, null, `after ${ordinal} records: ${raw.message}`)
      return
    }
    yield { kind: 'count', name: 'checksumsChecked', add: 2 }
    const features = decodeExample(raw.data)
    const text = (name: string): string | null => {
      const value = features?.get(name)?.[0]
      return typeof value === 'string' ? value : null
    }
    const question = text('question')
    const answer = text('answer')
    const index = features?.get('index')?.[0]
    if (question === null || answer === null) {
      yield importProblem('bad-record', path, null, `record ${ordinal} has no question or no answer`)
    } else {
      yield {
        dataset,
        path,
        line: null,
        index: wholeNumber(index) ?? ordinal,
        question,
        answers: [answer, ...alternatives(text('alternative_answers') ?? '')],
        metadata: pythonDict(text('metadata') ?? ''),
      }
    }
    ordinal++
  }
}

export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
