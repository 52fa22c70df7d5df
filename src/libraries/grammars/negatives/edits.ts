/** One edit of a token string. Positions count tokens of the string before the edit; an insertion goes before `at`. */
export type Edit =
  | { readonly kind: 'substitute'; readonly at: number; readonly token: number }
  | { readonly kind: 'insert'; readonly at: number; readonly token: number }
  | { readonly kind: 'delete'; readonly at: number }

export type EditKind = Edit['kind']

/** How an edit changes the length of a string. */
export const lengthChange: Readonly<Record<EditKind, -1 | 0 | 1>> = { substitute: 0, insert: 1, delete: -1 }

/** The edited string; the given one is left alone. */
export function applyEdit(tokens: Int32Array, edit: Edit): Int32Array {
  const out = new Int32Array(tokens.length + lengthChange[edit.kind])
  out.set(tokens.subarray(0, edit.at))
  if (edit.kind === 'delete') out.set(tokens.subarray(edit.at + 1), edit.at)
  else {
    out[edit.at] = edit.token
    out.set(tokens.subarray(edit.kind === 'insert' ? edit.at : edit.at + 1), edit.at + 1)
  }
  return out
}
