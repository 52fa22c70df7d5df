import { type FileTree, type ImportProblem, importProblem, linesOf, wholeText } from '../../../core/index.ts'

/** Longest line, and longest file of one array, that are read. */
const LONGEST = 50_000_000

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
  /** From 1: its place among the lines that hold anything, or in the file's array. */
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
    for await (const entry of path.endsWith('.json') ? fromJson(files, path) : fromJsonl(files, path)) {
      if ('problem' in entry) yield entry
      else if (isRecord(entry.value)) yield { ...entry, value: entry.value }
      else yield importProblem('malformed', path, entry.line, 'expected an object with inputs, outputs and programs')
    }
  }
}

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const isRecord = (value: unknown): value is PublishedRecord => typeof value === 'object' && value !== null

type Entries = AsyncGenerator<Entry<unknown> | ImportProblem>

async function* fromJsonl(files: FileTree, path: string): Entries {
  let line = 0
  for await (const { text, cut } of linesOf(files.text(path), LONGEST)) {
    if (cut) {
      yield tooLong(path, line + 1)
      return
    }
    if (text.trim() !== '') yield parsed(path, ++line, text)
  }
}

/** One record, or one array of them. */
async function* fromJson(files: FileTree, path: string): Entries {
  const text = await wholeText(files.text(path), LONGEST)
  if (text.length > LONGEST) {
    yield tooLong(path, 1)
    return
  }
  if (text.trim() === '') return
  const only = parsed(path, 1, text)
  if ('problem' in only || !Array.isArray(only.value)) yield only
  else for (const [k, value] of only.value.entries()) yield { path, line: k + 1, value }
}

const tooLong = (path: string, line: number): ImportProblem =>
  importProblem('too-long', path, line, `a line is longer than ${LONGEST} characters`)

function parsed(path: string, line: number, text: string): Entry<unknown> | ImportProblem {
  try {
    return { path, line, value: JSON.parse(text) }
  } catch {
    return importProblem('malformed', path, line, 'this line is not JSON')
  }
}
