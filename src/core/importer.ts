import { isArray, isObject, type Json, type JsonObject, jsonOrNull } from './json.ts'
import { type Line, linesOf, MAX_LINE, wholeText } from './lines.ts'
import type { FinishReason, Outcome } from './outcome.ts'
import type { Message } from './request.ts'
import type { Features } from './task.ts'

/** A folder or archive: paths with `/`, texts in chunks. */
export interface FileTree {
  list(): AsyncIterable<{ readonly path: string; readonly bytes: number }>
  text(path: string): AsyncIterable<string>
  /** The file as bytes, for binary formats; absent if the tree holds only text. */
  bytes?(path: string): AsyncIterable<Uint8Array>
}

export interface ImportedGroup {
  readonly kind: 'group'
  readonly key: string
  readonly shared: Json
}

export interface ImportedItem {
  readonly kind: 'item'
  readonly key: string
  readonly group: string
  readonly given: Json
  readonly answer: Json
  readonly features: Features
}

export interface ImportedResponse {
  readonly kind: 'response'
  readonly item: string
  readonly model: string
  readonly style: string
  readonly settings: { readonly [name: string]: Json }
  readonly sample: number
  readonly text: string
  readonly finish: FinishReason
  readonly reasoning?: string | null
  /** What the model saw. Default: the source does not say. */
  readonly prompt?: readonly Message[]
  /** As the source scored it. Default: the task's parsers score it. */
  readonly outcome?: Outcome
  /** What the provider counted; `steps`: an own count where it counted nothing. */
  readonly usage?: {
    readonly [count in 'inputTokens' | 'outputTokens' | 'reasoningTokens' | 'steps']?: number
  }
}

/** A problem of the source; problems are counted and reported. */
export interface ImportProblem {
  readonly kind: 'problem'
  readonly problem: string
  readonly path: string
  readonly line: number | null
  readonly count: number
  readonly message: string
}

/**
 * Creates a problem with count 1 by default.
 *
 * @example
 * import { importProblem } from '@touchstone-eval/touchstone/task'
 *
 * const problem = importProblem('no-answer', 'responses.jsonl', 12, 'the line has no "text"')
 */
export const importProblem = (
  problem: string,
  path: string,
  line: number | null,
  message: string,
  count = 1,
): ImportProblem => ({ kind: 'problem', problem, path, line, count, message })

/** The problem of a line (or whole text: line null) above the length limit. */
export const tooLong = (path: string, line: number | null): ImportProblem =>
  importProblem('too-long', path, line, `longer than ${MAX_LINE} characters`)

/** A count about the whole import, e.g. of checked parse counts. */
export interface ImportCount {
  readonly kind: 'count'
  readonly name: string
  readonly add: number
}

/** One record read by an importer. */
export type Imported = ImportedGroup | ImportedItem | ImportedResponse | ImportProblem | ImportCount

/** Reads a published release. Groups come before their items, items before responses. */
export interface Importer {
  readonly name: string
  /** Task of the items. */
  readonly task: string
  readonly describe: string
  /** Name of the configuration of its items. Default: published. */
  readonly label?: string
  /** Word lists: `ancestors` are their older languages, each `NAME` or `NAME=DESCENDANT,GROUP`. */
  readonly takesAncestors?: true
  read(files: FileTree, ancestors?: readonly string[]): AsyncIterable<Imported>
}

/** An item that is alone in its group. */
export function* loneItem(
  key: string,
  item: Pick<ImportedItem, 'given' | 'answer' | 'features'>,
): Generator<ImportedGroup | ImportedItem> {
  yield { kind: 'group', key, shared: null }
  yield { kind: 'item', key, group: key, ...item }
}

/** A JSON object of a file. */
export interface JsonRecord {
  readonly path: string
  /** From 1: its line in the file, or its place in the file's array. */
  readonly line: number
  readonly record: JsonObject
}

/**
 * The objects of the files of these paths: one a line, or all that a `.json` file is. What is none is a problem: `expected` says
 * what it should be.
 */
export async function* jsonRecords(
  files: FileTree,
  isWanted: (path: string) => boolean,
  expected: string,
): AsyncGenerator<JsonRecord | ImportProblem> {
  for await (const { path } of files.list()) {
    if (!isWanted(path)) continue
    const isWhole = path.endsWith('.json')
    for await (const { number, text, end } of isWhole ? wholeFile(files, path) : linesOf(files.text(path))) {
      if (end === 'limit') yield tooLong(path, number)
      else if (text.trim() !== '') {
        const value = jsonOrNull(number === 1 ? text.replace(/^\ufeff/, '') : text)
        for (const [k, record] of (isWhole && isArray(value) ? value : [value]).entries())
          yield isObject(record)
            ? { path, line: number + k, record }
            : importProblem('malformed', path, number + k, `expected ${expected}`)
      }
    }
  }
}

async function* wholeFile(files: FileTree, path: string): AsyncGenerator<Line> {
  const text = await wholeText(files.text(path))
  yield { number: 1, text: text ?? '', end: text === null ? 'limit' : 'text' }
}
