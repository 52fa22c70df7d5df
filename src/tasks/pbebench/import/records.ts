import {
  type FileTree,
  type ImportProblem,
  importProblem,
  type Line,
  linesOf,
  tooLong,
  wholeText,
} from '../../../core/index.ts'

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
export async function* recordsOf(
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
    const entry = parsed(path, line, text)
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

function parsed(path: string, line: number, text: string): Entry<unknown> | ImportProblem {
  try {
    return { path, line, value: JSON.parse(text) }
  } catch {
    return importProblem('malformed', path, line, 'this line is not JSON')
  }
}
