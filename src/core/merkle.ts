import { hex, sha256, unhex, utf8 } from './hash.ts'

/** Merkle trees as RFC 6962 / 9162 (integrity 6.3): an odd node moves up unchanged, it is never doubled. */

const leafTag = new Uint8Array([0])
const nodeTag = new Uint8Array([1])

/** The leaf of an item hash (64 hex digits), salted where the set is secret. */
export const merkleLeaf = (itemHash: string, salt?: Uint8Array): Uint8Array =>
  salt === undefined ? sha256(leafTag, unhex(itemHash)) : sha256(leafTag, salt, unhex(itemHash))

const node = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(nodeTag, left, right)

/** Leaves in, root out, with log2(n) hashes of memory. */
export class MerkleTree {
  /** Complete subtrees, largest first. */
  private readonly stack: { readonly size: number; readonly hash: Uint8Array }[] = []
  private leaves = 0

  get size(): number {
    return this.leaves
  }

  add(leaf: Uint8Array): void {
    this.push(1, leaf)
  }

  /** Adds a complete subtree of 2^k leaves at a multiple of 2^k: how shards are joined without rereading them. */
  addSubtree(size: number, root: string): void {
    if (this.leaves % size !== 0)
      throw new RangeError(`a subtree of ${size} leaves cannot begin at leaf ${this.leaves}`)
    this.push(size, unhex(root))
  }

  /** 64 hex digits; of no leaves, SHA-256 of nothing. */
  root(): string {
    const last = this.stack.at(-1)
    if (last === undefined) return hex(sha256(utf8('')))
    let hash = last.hash
    for (let i = this.stack.length - 2; i >= 0; i--) hash = node(this.stack[i]?.hash as Uint8Array, hash)
    return hex(hash)
  }

  /** The complete subtrees it consists of, largest first. */
  subtrees(): readonly { readonly size: number; readonly root: string }[] {
    return this.stack.map(({ size, hash }) => ({ size, root: hex(hash) }))
  }

  private push(size: number, hash: Uint8Array): void {
    this.leaves += size
    let grown = { size, hash }
    for (let top = this.stack.at(-1); top !== undefined && top.size === grown.size; top = this.stack.at(-1)) {
      this.stack.pop()
      grown = { size: top.size * 2, hash: node(top.hash, grown.hash) }
    }
    this.stack.push(grown)
  }
}

/** The sibling hashes of leaf `index`, from the leaf up. */
export function merklePath(leaves: readonly Uint8Array[], index: number): string[] {
  if (leaves.length < 2) return []
  const cut = largestPowerBelow(leaves.length)
  return index < cut
    ? [...merklePath(leaves.slice(0, cut), index), subRoot(leaves.slice(cut))]
    : [...merklePath(leaves.slice(cut), index - cut), subRoot(leaves.slice(0, cut))]
}

/** Does the path lead from this leaf at `index` of `count` to the root? `index` and `count` come from the manifest. */
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
