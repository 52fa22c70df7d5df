import type { Json } from './json.ts'
import { MAX_LINE } from './lines.ts'
import type { FinishReason } from './outcome.ts'
import type { Features } from './task.ts'

/** A folder or archive as a task family sees it: paths with `/`, texts in pieces. */
export interface FileTree {
  list(): AsyncIterable<{ readonly path: string; readonly bytes: number }>
  text(path: string): AsyncIterable<string>
  /** The same file undecoded, for binary formats; left out by trees that hold text only. */
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
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number; readonly reasoningTokens?: number }
}

/** Something that is wrong with the source: counted and reported, never dropped in silence. */
export interface ImportProblem {
  readonly kind: 'problem'
  readonly problem: string
  readonly path: string
  readonly line: number | null
  readonly count: number
  readonly message: string
}

/**
 * A problem, by default met once.
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

/** A line, or a text that is wanted whole (line null), is longer than is read. */
export const tooLong = (path: string, line: number | null): ImportProblem =>
  importProblem('too-long', path, line, `longer than ${MAX_LINE} characters`)

/** A number about the import as a whole, e.g. how many stored parse counts were checked. */
export interface ImportCount {
  readonly kind: 'count'
  readonly name: string
  readonly add: number
}

/** One thing that an importer read from a release. */
export type Imported = ImportedGroup | ImportedItem | ImportedResponse | ImportProblem | ImportCount

/** Reads a published release into the task's own shapes. Groups come before their items, items before responses. */
export interface Importer {
  readonly name: string
  /** The task whose items it yields. */
  readonly task: string
  readonly describe: string
  read(files: FileTree): AsyncIterable<Imported>
}

/** An item that shares nothing: the only one of its group. */
export function* loneItem(
  key: string,
  item: Pick<ImportedItem, 'given' | 'answer' | 'features'>,
): Generator<ImportedGroup | ImportedItem> {
  yield { kind: 'group', key, shared: null }
  yield { kind: 'item', key, group: key, ...item }
}
