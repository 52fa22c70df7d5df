import { hex, sha256, unhex, utf8 } from './hash.ts'
import type { Source } from './source.ts'

/** Merkle trees as in RFC 6962 / 9162: an odd node moves up unchanged and is never duplicated. */

const leafTag = new Uint8Array([0])
const nodeTag = new Uint8Array([1])

/** Leaf of an item hash (64 hex digits), salted if the dataset is secret. */
export const merkleLeaf = (itemHash: string, salt?: Uint8Array): Uint8Array =>
  salt === undefined ? sha256(leafTag, unhex(itemHash)) : sha256(leafTag, salt, unhex(itemHash))

const node = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(nodeTag, left, right)

interface Subtree {
  readonly start: number
  readonly size: number
  readonly hash: Uint8Array
}

/** Incremental root of a list of leaves, with log2(n) hashes of memory. A shard starts at its own `first`. */
export class MerkleTree {
  /** Complete, aligned subtrees from left to right. */
  private readonly stack: Subtree[] = []
  private readonly first: number
  private end: number

  constructor(first = 0) {
    this.first = first
    this.end = first
  }

  get size(): number {
    return this.end - this.first
  }

  add(leaf: Uint8Array): void {
    this.push(1, leaf)
  }

  /** Adds a shard by the roots of its {@link MerkleTree.subroots}, without rereading its leaves. */
  addShard(count: number, subroots: readonly string[]): void {
    const sizes = alignedSizes(this.end, count)
    if (sizes.length !== subroots.length)
      throw new RangeError(
        `a shard of ${count} leaves at ${this.end} has ${sizes.length} subroots, got ${subroots.length}`,
      )
    for (const [i, size] of sizes.entries()) this.push(size, unhex(subroots[i] as string))
  }

  /** 64 hex digits; without leaves, SHA-256 of the empty string. */
  root(): string {
    const last = this.stack.at(-1)
    if (last === undefined) return hex(sha256(utf8('')))
    let hash = last.hash
    for (let i = this.stack.length - 2; i >= 0; i--) hash = node(this.stack[i]?.hash as Uint8Array, hash)
    return hex(hash)
  }

  /** Roots of its complete, aligned subtrees, from left to right. */
  subroots(): readonly string[] {
    return this.stack.map(({ hash }) => hex(hash))
  }

  private push(size: number, hash: Uint8Array): void {
    let grown: Subtree = { start: this.end, size, hash }
    this.end += size
    for (let left = this.stack.at(-1); left !== undefined && joins(left, grown); left = this.stack.at(-1)) {
      this.stack.pop()
      grown = { start: left.start, size: left.size * 2, hash: node(left.hash, grown.hash) }
    }
    this.stack.push(grown)
  }
}

const joins = (left: Subtree, right: Subtree): boolean => left.size === right.size && left.start % (2 * left.size) === 0

/** The aligned power-of-two blocks that cover `count` leaves from `first` on. */
function alignedSizes(first: number, count: number): number[] {
  const sizes: number[] = []
  for (let at = first, left = count; left > 0; ) {
    let size = 1
    while (size * 2 <= left && at % (size * 2) === 0) size *= 2
    sizes.push(size)
    at += size
    left -= size
  }
  return sizes
}

/** The sibling hashes of leaf `index`, from the leaf up. */
export function merklePath(leaves: readonly Uint8Array[], index: number): string[] {
  if (leaves.length < 2) return []
  const cut = largestPowerBelow(leaves.length)
  return index < cut
    ? [...merklePath(leaves.slice(0, cut), index), subRoot(leaves.slice(cut))]
    : [...merklePath(leaves.slice(cut), index - cut), subRoot(leaves.slice(0, cut))]
}

/** True if the path leads from this leaf at `index` of `count` to the root. Take `index` and `count` from the manifest. */
export function verifyPath(
  leaf: Uint8Array,
  index: number,
  count: number,
  path: readonly string[],
  root: string,
): boolean {
  if (index < 0 || index >= count) return false
  let position = index
  let last = count - 1
  let hash = leaf
  for (const sibling of path) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      hash = node(unhex(sibling), hash)
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2)
        last = Math.floor(last / 2)
      }
    } else hash = node(hash, unhex(sibling))
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && hex(hash) === root
}

function subRoot(leaves: readonly Uint8Array[]): string {
  const tree = new MerkleTree()
  for (const leaf of leaves) tree.add(leaf)
  return tree.root()
}

function largestPowerBelow(n: number): number {
  let power = 1
  while (power * 2 < n) power *= 2
  return power
}

/**
 * Merkle root (64 hex digits) of the items 0..count-1, including empty indices, as in a dataset's manifest.
 *
 * @param count - default: all of a finite config.
 * @throws RangeError for an endless source without a count.
 *
 * @example
 * import { itemsRoot, openLab } from '@touchstone-eval/touchstone'
 *
 * const lab = await openLab()
 * const task = lab.task('family/task')
 * const source = task.source(task.preset('small').config, { split: 'test', seed: '1' })
 * console.log(itemsRoot(source, 100)) // the root that `touchstone generate --count 100` writes
 */
export function itemsRoot(source: Source, count: number | null = source.layout.size): string {
  if (count === null) throw new RangeError('the source is endless: pass a count')
  const tree = new MerkleTree()
  for (let index = 0; index < count; index++) tree.add(merkleLeaf(source.item(index).hash))
  return tree.root()
}
