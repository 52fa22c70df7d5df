/** Levenshtein distance of two lists, or of two texts by UTF-16 units. Time |a| * |b|, memory |b|. */
export function editDistance(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, j) => j)
  let next = new Uint32Array(b.length + 1)
  for (let i = 0; i < a.length; i++) {
    const symbol = a[i]
    next[0] = i + 1
    for (let j = 0; j < b.length; j++) {
      const change = (row[j] as number) + (symbol === b[j] ? 0 : 1)
      next[j + 1] = Math.min(change, (row[j + 1] as number) + 1, (next[j] as number) + 1)
    }
    ;[row, next] = [next, row]
  }
  return row[b.length] as number
}
