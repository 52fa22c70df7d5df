import { type Stream, shuffle } from '../../../core/index.ts'

/**
 * How many items each cell of (length x category) holds: items go to the lengths first, then to the categories of each
 * length that can be filled. What does not divide goes to the categories that have least so far, so a category's total
 * is as even as the lengths allow. Returns rows by length, columns by category; zero where `open` is false.
 */
export function dealQuotas(
  size: number,
  open: readonly (readonly boolean[])[],
  tieBreak: Stream,
): readonly (readonly number[])[] {
  const lengths = open.length
  const categories = open[0]?.length ?? 0
  const totals = Array.from({ length: categories }, () => 0)
  const order = shuffle(
    tieBreak,
    Array.from({ length: categories }, (_, k) => k),
  )
  return open.map((row, at) => {
    const share = Math.floor(size / lengths) + (at < size % lengths ? 1 : 0)
    const live = order.filter((k) => row[k])
    const quota = Array.from({ length: categories }, () => 0)
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
