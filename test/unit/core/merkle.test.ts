import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  canonicalJson,
  hex,
  MerkleTree,
  merkleLeaf,
  merklePath,
  sha256Hex,
  verifyPath,
} from '../../../src/core/index.ts'

const itemHash = (index: number) => sha256Hex(`touchstone/item/1\n${canonicalJson({ index })}`)
const leaves = (n: number) => Array.from({ length: n }, (_, i) => merkleLeaf(itemHash(i)))
function root(n: number): string {
  const tree = new MerkleTree()
  for (const leaf of leaves(n)) tree.add(leaf)
  return tree.root()
}

describe('Merkle trees', () => {
  it('hash as the recorded vectors', () => {
    expect(itemHash(0)).toBe('a9d14303c05a95cf2510786b97d14ea579af1d83ebc39c33d52ad6d132f80a0b')
    expect(root(0)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(root(1)).toBe('4a88f68278e9b3abef5c8ebbfc36429811f77f24ac555bc117ffde4dbcf8f3d7')
    expect(root(2)).toBe('f4e9f9bc2ee3bd9cbe757721c9553d415c68223f2c9148dc6db4c4b8cf26c7ee')
    expect(root(3)).toBe('7e28583752dde93e71adfd54797c47b853368c19858bbf8746d9b2b1110b4921')
    expect(root(5)).toBe('7e5bbe8d4771ead5555043ab5a6e579f2de7586fcfdcbbe9689c0219cd7310e1')
    expect(root(7)).toBe('d59a319a52e9e69fbfb32912dc9c2dd24d4d146c9a5dc83ab91df3362f6ba95c')
    const path = merklePath(leaves(5), 2).map((hash) => hash.slice(0, 16))
    expect(path).toEqual(['d4125b932b02919a', 'f4e9f9bc2ee3bd9c', 'ddd11e13a7be3266'])
  })

  it('prove every leaf of every size to 70, and no leaf at a neighbouring index', () => {
    for (let n = 1; n <= 70; n++) {
      const all = leaves(n)
      const top = root(n)
      for (let i = 0; i < n; i++) {
        const path = merklePath(all, i)
        expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(n)))
        expect(verifyPath(all[i] as Uint8Array, i, n, path, top)).toBe(true)
        for (const wrong of [i - 1, i + 1]) expect(verifyPath(all[i] as Uint8Array, wrong, n, path, top)).toBe(false)
      }
    }
  })

  it('prove nothing at an index that is not there, by too short or too long a path, or of another leaf', () => {
    for (const n of [1, 2, 5, 8]) {
      const all = leaves(n)
      for (let i = 0; i < n; i++) {
        const path = merklePath(all, i)
        const proves = (index: number, steps: readonly string[], leaf = all[i] as Uint8Array) =>
          verifyPath(leaf, index, n, steps, root(n))
        expect([proves(-1, path), proves(n, path), proves(i, [...path, root(n)])]).toEqual([false, false, false])
        if (n > 1) expect(proves(i, path.slice(0, -1))).toBe(false)
        expect(proves(i, path, merkleLeaf(itemHash(99)))).toBe(false)
      }
    }
  })

  it('salt the leaves of a secret set', () => {
    const salt = Uint8Array.from({ length: 32 }, (_, i) => i)
    const own = createHash('sha256').update(Uint8Array.of(0)).update(salt).update(itemHash(0), 'hex').digest('hex')
    expect(hex(merkleLeaf(itemHash(0), salt))).toBe(own)
  })

  it('take a shard only with the roots of its subtrees', () => {
    const tree = new MerkleTree(3)
    // Of five leaves from 3 on: 3, and 4 to 7.
    expect(() => tree.addShard(5, [root(1)])).toThrow('a shard of 5 leaves at 3 has 2 subroots, got 1')
    tree.addShard(5, [root(1), root(4)])
    expect(tree.size).toBe(5)
    tree.addShard(0, [])
    expect(tree.size).toBe(5)
  })

  it('join shards cut at multiples of 2^k without rereading them', () => {
    for (const [n, cut] of [
      [10, 4],
      [64, 16],
      [77, 32],
      [5, 8],
      [100, 13],
    ] as const) {
      const whole = new MerkleTree()
      for (let first = 0; first < n; first += cut) {
        const shard = new MerkleTree(first)
        for (let i = first; i < Math.min(n, first + cut); i++) shard.add(merkleLeaf(itemHash(i)))
        whole.addShard(shard.size, shard.subroots())
      }
      expect(whole.root()).toBe(root(n))
      expect(hex(merkleLeaf(itemHash(0)))).toHaveLength(64)
    }
  })
})
