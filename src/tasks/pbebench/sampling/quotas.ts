import { type Stream, shuffle } from '../../../core/index.ts'

/**
 * How many items each cell of a table holds: items go to the rows first, then to the columns of each row that can be
 * filled. What does not divide goes to the columns that have least so far, so a column's total is as even as the rows
 * allow. Zero where `open` is false.
 */
export function dealQuotas(
  size: number,
  open: readonly (readonly boolean[])[],
  tieBreak: Stream,
): readonly (readonly number[])[] {
  const columns = open[0]?.length ?? 0
  const totals = Array.from({ length: columns }, () => 0)
  const order = shuffle(
    tieBreak,
    Array.from({ length: columns }, (_, k) => k),
  )
  return open.map((row, at) => {
    const share = Math.floor(size / open.length) + (at < size % open.length ? 1 : 0)
    const live = order.filter((k) => row[k])
    const quota = Array.from({ length: columns }, () => 0)
    if (live.length === 0) return quota
    const base = Math.floor(share / live.length)
    for (const k of live) quota[k] = base
    // A stable sort: equal totals stay in the shuffled order.
    const least = [...live].sort((a, b) => (totals[a] as number) - (totals[b] as number))
    for (const k of least.slice(0, share % live.length)) quota[k] = base + 1
    for (const k of live) totals[k] = (totals[k] as number) + (quota[k] as number)
    return quota
  })
}

/** Rows as columns and columns as rows. */
export function transposed<T>(rows: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as T))
}
