import {
  type FileTree,
  type ImportCount,
  type ImportProblem,
  importProblem,
  type JsonRecord,
  jsonRecords,
} from '../../../core/importer.ts'
import { isObject, type Json } from '../../../core/json.ts'
import type { Shown } from '../common/presentation.ts'
import { decodeExample, readTfrecord } from './tfrecord.ts'

/** One published example, from any file format. */
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
  const expected = 'an object with question and answer'
  for await (const read of jsonRecords(files, (path) => path.endsWith('.jsonl'), expected)) {
    if ('kind' in read) yield read
    else yield fromJson(read) ?? importProblem('malformed', read.path, read.line, `expected ${expected}`)
  }
  for await (const { path } of files.list())
    if (path.endsWith('.tfrecord')) yield* fromTfrecord(files, path, nameOf(path))
}

/** The file's name without its ending. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'))

function fromJson({ path, line, record }: JsonRecord): PublishedRecord | null {
  const { question, answer, metadata, index, alternative_answers: others } = record as { [key: string]: Json }
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
    dataset: nameOf(path),
    path,
    line,
    index: wholeNumber(index) ?? line - 1,
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

/**
 * The strings of a Python `repr` of a dict or list of strings, in order: quoted in ' or ", with backslash escapes.
 * Linear; text between the strings is skipped.
 */
export function pythonStrings(text: string): string[] {
  const out: string[] = []
  for (let at = 0; at < text.length; at++) {
    const quote = text[at]
    if (quote !== "'" && quote !== '"') continue
    let value = ''
    for (at++; at < text.length && text[at] !== quote; at++) {
      if (text[at] !== '\\' || at + 1 >= text.length) {
        value += text[at]
        continue
      }
      const code = CODE.exec(text.slice(at + 1, at + 10))
      if (code !== null) {
        value += character(Number.parseInt((code[1] ?? code[2] ?? code[3]) as string, 16))
        at += code[0].length
      } else value += escapes[text[++at] as string] ?? text[at]
    }
    out.push(value)
  }
  return out
}

/** What Python writes for a character that it does not print. */
const CODE = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))/
const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

const escapes: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r' }

/** A repr of a dict from strings to strings. */
export function pythonDict(text: string): ReadonlyMap<string, string> {
  const strings = pythonStrings(text)
  const out = new Map<string, string>()
  for (let i = 0; i + 1 < strings.length; i += 2) out.set(strings[i] as string, strings[i + 1] as string)
  return out
}

/** Published items keep their order and have no filler. */
export const asPublished: Shown = {
  view: [0, 0, 0, 0],
  order: 'forward',
  filler: 'none',
  fillerLines: 0,
  fillerPosition: 'before',
  padTokens: 0,
  tokenCounter: 'characters',
  modules: [],
  like: {},
}

/** Features of presentation of an imported item. */
export const publishedPresentation = { order: 'published', filler: 'none', fillerLines: 0, padTokens: 0 } as const

/** What a reader makes of a record: our own shapes, `null` where the record is of another task, or what is wrong. */
export type Read<S, G, A> =
  | {
      readonly kind: 'item'
      readonly shared: S
      readonly given: G
      readonly answer: A
      readonly features: { readonly [name: string]: number | string | boolean | null }
    }
  | { readonly kind: 'unread'; readonly reason: string }
  | null
