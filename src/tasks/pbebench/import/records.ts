import {
  type FileTree,
  type ImportedItem,
  type Importer,
  type ImportProblem,
  importProblem,
  type Line,
  linesOf,
  loneItem,
  tooLong,
  wholeText,
} from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { publishedRule } from '../answers/published.ts'

/** A record of a published file, as far as it is used. */
export interface PublishedRecord {
  readonly inputs?: unknown
  readonly outputs?: unknown
  readonly programs?: unknown
  readonly permuted_programs?: unknown
  readonly ground_truth_order?: unknown
  readonly bfcc_category?: unknown
  readonly num_valid_solutions?: unknown
}

interface Entry<T> {
  readonly path: string
  /** From 1: its line in the file, or its place in the file's array. */
  readonly line: number
  readonly value: T
}

/** The records of every file of the published layout whose name is wanted. */
async function* recordsOf(
  files: FileTree,
  wanted: (name: string) => boolean,
): AsyncGenerator<Entry<PublishedRecord> | ImportProblem> {
  for await (const { path } of files.list()) {
    const name = fileName(path)
    if (!/\.jsonl?$/.test(name) || name.includes('stats') || !wanted(name)) continue
    for await (const entry of entriesOf(files, path)) {
      if ('problem' in entry) yield entry
      else if (isRecord(entry.value)) yield { ...entry, value: entry.value }
      else yield importProblem('malformed', path, entry.line, 'expected an object with inputs, outputs and programs')
    }
  }
}

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const isRecord = (value: unknown): value is PublishedRecord => typeof value === 'object' && value !== null

/** The values of a file's lines; where the last one has no line break, it may be an array that stands for its parts. */
async function* entriesOf(files: FileTree, path: string): AsyncGenerator<Entry<unknown> | ImportProblem> {
  for await (const { number: line, text, end } of linesIn(files, path)) {
    if (end === 'limit') {
      yield tooLong(path, line)
      continue
    }
    if (text.trim() === '') continue
    const entry = parseEntry(path, line, text)
    if (end === 'break' || 'problem' in entry || !Array.isArray(entry.value)) yield entry
    else for (const [k, value] of entry.value.entries()) yield { path, line: k + 1, value }
  }
}

/** A `.json` file is one line, however it is broken. */
async function* linesIn(files: FileTree, path: string): AsyncGenerator<Line> {
  if (!path.endsWith('.json')) yield* linesOf(files.text(path))
  else {
    const text = await wholeText(files.text(path))
    yield { number: 1, text: text ?? '', end: text === null ? 'limit' : 'text' }
  }
}

function parseEntry(path: string, line: number, text: string): Entry<unknown> | ImportProblem {
  try {
    return { path, line, value: JSON.parse(text) }
  } catch {
    return importProblem('malformed', path, line, 'this line is not JSON')
  }
}

type Content = Pick<ImportedItem, 'given' | 'answer' | 'features'>

/** What is wrong with a record, and its item, if it makes one. */
export interface Read {
  readonly problems: readonly (readonly [kind: string, message: string])[]
  /** What is to be counted of it, by name. */
  readonly counts?: { readonly [name: string]: number }
  readonly item: Content | null
}

interface Layout extends Pick<Importer, 'name' | 'task' | 'describe'> {
  /** Whether a file of this name holds records of the layout. */
  readonly wanted: (name: string) => boolean
  /** The count of items without one kind of problem. */
  readonly agreement: { readonly count: string; readonly unless: string }
  read(record: PublishedRecord, path: string): Read
}

/** An importer of files that hold one record an item. */
export const recordImporter = ({ wanted, agreement, read, ...named }: Layout): Importer => ({
  ...named,
  async *read(files) {
    const counts = new Map([[agreement.count, 0]])
    const count = (name: string, add: number) => counts.set(name, (counts.get(name) ?? 0) + add)
    for await (const entry of recordsOf(files, wanted)) {
      if ('problem' in entry) {
        yield entry
        continue
      }
      const { path, line } = entry
      const { problems, item, counts: own = {} } = read(entry.value, path)
      for (const [kind, message] of problems) yield importProblem(kind, path, line, message)
      if (item === null) continue
      yield* loneItem(`${path}:${line}`, item)
      if (problems.every(([kind]) => kind !== agreement.unless)) count(agreement.count, 1)
      for (const [name, add] of Object.entries(own)) count(name, add)
    }
    for (const [name, add] of counts) yield { kind: 'count', name, add }
  },
})

/** A list of strings; null: the field is something else. */
export const texts = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null

/** Published programs; some files carry stray backslashes before the quotes. */
export function rulesOf(value: unknown): readonly Rule[] | null {
  const rules = texts(value)?.map((program) => publishedRule(program.replaceAll('\\', '')))
  return rules?.every((rule) => rule !== null) === true ? rules : null
}
