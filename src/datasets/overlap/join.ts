import { MerkleTree, merkleLeaf } from '../../core/index.ts'
import type { Entry, SortedKeys } from './sorted-keys.ts'

/** What two sets share at one level; counts are of keys unless they say otherwise. */
export interface LevelOverlap {
  /** Entries. */
  readonly inA: number
  readonly inB: number
  /** Different keys. */
  readonly distinctA: number
  readonly distinctB: number
  readonly shared: number
  /** Keys that occur more than once in one set. */
  readonly insideA: number
  readonly insideB: number
  /** Indices in A and B (or group numbers) of the first twenty shared keys. */
  readonly pairs: readonly (readonly [a: number, b: number])[]
  /** Merkle roots of the sorted distinct keys. */
  readonly rootA: string
  readonly rootB: string
}

const shown = 20

/** Goes through both lists of keys once, in order. */
export async function join(a: SortedKeys | undefined, b: SortedKeys | undefined): Promise<LevelOverlap> {
  const left = new Side(a)
  const right = new Side(b)
  const pairs: (readonly [number, number])[] = []
  let shared = 0
  await left.next()
  await right.next()
  while (left.key !== null || right.key !== null) {
    const takeLeft = right.key === null || (left.key !== null && left.key <= right.key)
    const takeRight = left.key === null || (right.key !== null && right.key <= left.key)
    if (takeLeft && takeRight) {
      shared++
      if (pairs.length < shown) pairs.push([left.index, right.index])
    }
    if (takeLeft) await left.next()
    if (takeRight) await right.next()
  }
  return {
    inA: left.entries,
    inB: right.entries,
    distinctA: left.tree.size,
    distinctB: right.tree.size,
    shared,
    insideA: left.repeated,
    insideB: right.repeated,
    pairs,
    rootA: left.tree.root(),
    rootB: right.tree.root(),
  }
}

/** One list, key by key. */
class Side {
  private readonly source: AsyncGenerator<Entry> | null
  private ahead: Entry | null = null
  private started = false
  readonly tree = new MerkleTree()
  entries = 0
  repeated = 0
  /** null at the end. */
  key: string | null = null
  /** The lowest index of the key. */
  index = 0

  constructor(keys: SortedKeys | undefined) {
    this.source = keys?.sorted() ?? null
  }

  async next(): Promise<void> {
    if (!this.started) {
      this.started = true
      this.ahead = await this.pull()
    }
    const head = this.ahead
    if (head === null) {
      this.key = null
      return
    }
    this.key = head.key
    this.index = head.index
    this.tree.add(merkleLeaf(head.key))
    let count = 0
    while (this.ahead?.key === head.key) {
      count++
      this.ahead = await this.pull()
    }
    this.entries += count
    if (count > 1) this.repeated++
  }

  private async pull(): Promise<Entry | null> {
    const next = await this.source?.next()
    return next === undefined || next.done === true ? null : next.value
  }
}
