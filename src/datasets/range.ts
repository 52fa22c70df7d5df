import { UsageError } from '../core/index.ts'

/** Shards are cut at multiples of this many indices; a power of two, so that they are made of whole subtrees. */
const blockSize = 1024

/** Which indices: `count` from 0, or shard i of n of them, cut at multiples of 2^k leaves. */
export function indexRange(
  size: number | null,
  count: number | undefined,
  shard: { readonly index: number; readonly of: number } | undefined,
): { readonly first: number; readonly count: number } {
  if (count === undefined && size === null)
    throw new UsageError('this config is endless: say how many items with --count')
  const total = count ?? (size as number)
  if (!Number.isSafeInteger(total) || total < 1) throw new UsageError(`--count is a whole number from 1, got ${total}`)
  if (size !== null && total > size)
    throw new UsageError(`this config has ${size} indices, --count asks for ${total}; leave it out to take all`)
  if (shard === undefined) return { first: 0, count: total }
  const { index, of } = shard
  if (!Number.isSafeInteger(of) || !Number.isSafeInteger(index) || of < 1 || index < 0 || index >= of)
    throw new UsageError(`--shard is part i of n with 0 <= i < n, got ${index}/${of}`)
  const blocks = Math.ceil(total / blockSize)
  const edge = (i: number) => Math.min(total, Math.floor((i * blocks) / of) * blockSize)
  const first = edge(index)
  const rows = edge(index + 1) - first
  if (rows === 0)
    throw new UsageError(`${of} shards of ${total} indices leave shard ${index} empty; use at most ${blocks} shards`)
  return { first, count: rows }
}
