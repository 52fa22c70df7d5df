/** Smaller than every position, so that it is never the furthest. */
const nowhere = -1_000_000_000

/**
 * Levenshtein distance d of two lists or texts (UTF-16 units), by furthest-reaching points per diagonal. Time at most (|a| + |b|) d,
 * expected |a| + |b| + d^2; memory |a| + |b|.
 */
export function editDistance(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  const [n, m] = [a.length, b.length]
  // Diagonal k = i - j is at k + m + 1, with one spare entry at each end.
  let before = new Int32Array(n + m + 3).fill(nowhere)
  let now = new Int32Array(n + m + 3).fill(nowhere)
  before[m + 1] = -1
  for (let edits = 0; ; edits++) {
    for (let k = -Math.min(edits, m); k <= Math.min(edits, n); k++) {
      const at = k + m + 1
      const dropped = (before[at - 1] as number) + 1
      const changed = (before[at] as number) + 1
      let i = Math.min(Math.max(dropped, changed, before[at + 1] as number), n, m + k)
      while (i < n && i - k < m && a[i] === b[i - k]) i++
      now[at] = i
    }
    if (now[n + 1] === n) return edits
    ;[before, now] = [now, before]
  }
}
