import type { JsonObject } from '../../../core/index.ts'

/** Characters of a row that are read. */
const MAX_LENGTH = 1_000_000

export type Pasted =
  | { readonly kind: 'row'; readonly row: JsonObject }
  | { readonly kind: 'refused'; readonly why: string; readonly next: string }

/** Parses a pasted index, id, hash or line of JSON. */
export function pastedRow(text: string): Pasted {
  const refused = (why: string, next: string): Pasted => ({ kind: 'refused', why, next })
  const trimmed = text.trim()
  if (trimmed === '') return refused('the field is empty', 'Paste a row, an id, a hash or an index.')
  if (trimmed.length > MAX_LENGTH)
    return refused(`a row of ${trimmed.length} characters is too long`, 'Paste its id or its index.')
  if (/^\d{1,15}$/u.test(trimmed)) return { kind: 'row', row: { index: Number(trimmed) } }
  if (/^[0-9a-f]{64}$/u.test(trimmed)) return { kind: 'row', row: { hash: trimmed } }
  if (/^[\w./-]+@\d+\/[\w.-]+\/[0-9a-f]{12}\/\d{1,15}$/u.test(trimmed)) return { kind: 'row', row: { id: trimmed } }
  if (!trimmed.startsWith('{'))
    return refused(
      'expected an index, an id (task@version/split/12 hex digits/index), a hash or a line of JSON',
      'Copy a whole line of items.jsonl, or the id of an item.',
    )
  try {
    const row: unknown = JSON.parse(trimmed)
    return typeof row === 'object' && row !== null && !Array.isArray(row)
      ? { kind: 'row', row: row as JsonObject }
      : refused('expected a JSON object', 'Copy a whole line.')
  } catch (error) {
    return trimmed.includes('\n{')
      ? refused('expected one line', 'Paste one row at a time.')
      : refused(
          `expected a complete line of JSON: ${error instanceof Error ? error.message : ''}`,
          'Copy the line to its end.',
        )
  }
}
