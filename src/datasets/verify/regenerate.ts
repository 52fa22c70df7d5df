import { below, MerkleTree, type Source, sha256, streamFromKey, type Task, utf8 } from '../../core/index.ts'
import type { Row } from '../../store/index.ts'
import { type Chunk, type ChunkMaker, chunksOf, makeChunk } from '../chunk.ts'
import { type Manifest, manifestId, promptKindOf } from '../manifest.ts'
import { promptLeaf } from '../writer.ts'

/** A regenerated item or empty index. */
export interface Regenerated {
  readonly row: Row
  /** Hash of its group; null: none. */
  readonly groupHash: string | null
}

/** Regenerated items, to compare with stored ones. */
export interface Regeneration {
  /** null: this index is not regenerated. Each index is requested once, in roughly ascending order. */
  row(index: number): Promise<Regenerated | null>
  /** Root of all regenerated prompts; null: not all were regenerated. */
  promptRoot(): Promise<string | null>
}

/** For --hash-only: nothing. */
export const regenerateNone: Regeneration = { row: async () => null, promptRoot: async () => null }

/** Some indices, one at a time. */
export const regenerateSample = (task: Task, source: Source, wanted: ReadonlySet<number>): Regeneration => ({
  row: async (index) =>
    wanted.has(index)
      ? (rowsOf(makeChunk(task, source, { first: index, count: 1, witnesses: false, prompts: null }))[0] ?? null)
      : null,
  promptRoot: async () => null,
})

function rowsOf({ items, groups }: Chunk): readonly Regenerated[] {
  const hashes = new Map(groups.map((group) => [group['group'], group['hash'] as string]))
  return items.map((row) => ({ row, groupHash: hashes.get(row['group'] ?? null) ?? null }))
}

/** Every index, in chunks computed ahead of the reader. */
export function regenerateAll(
  task: Task,
  source: Source,
  manifest: Manifest,
  makerOf?: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number },
): Regeneration {
  const { make, ahead } = makerOf?.(source) ?? { make: (job) => makeChunk(task, source, job), ahead: 1 }
  const kind = promptKindOf(manifest)
  const range = { first: manifest.first, count: manifest.indices }
  const chunks = chunksOf(make, source.layout, range, { witnesses: false, prompts: kind, ahead })
  const ready = new Map<number, Regenerated>()
  const prompts = new MerkleTree()
  /** Starts the next chunk; its error is thrown when it is awaited. */
  const startNext = () => {
    const next = chunks.next()
    next.catch(() => undefined)
    return next
  }
  let upcoming = startNext()
  const more = async (): Promise<boolean> => {
    const next = await upcoming
    upcoming = startNext()
    if (next.done === true) return false
    for (const one of rowsOf(next.value.chunk)) ready.set(one.row['index'] as number, one)
    for (const row of next.value.chunk.prompts) prompts.add(promptLeaf(row))
    return true
  }
  return {
    async row(index) {
      if (index < range.first || index >= range.first + range.count) return null
      while (!ready.has(index)) if (!(await more())) return null
      const found = ready.get(index) as Regenerated
      ready.delete(index)
      return found
    },
    async promptRoot() {
      if (kind === null) return null
      while (await more()) ready.clear()
      return prompts.root()
    },
  }
}

/** Random indices, keyed by the verifier's entropy so that the publisher cannot foresee them. */
export function sampleIndices(manifest: Manifest, size: number, entropy: string): ReadonlySet<number> {
  const stream = streamFromKey(sha256(utf8(`${manifestId(manifest)}\n${entropy}`)))
  const chosen = new Set<number>()
  while (chosen.size < Math.min(size, manifest.indices)) chosen.add(manifest.first + below(stream, manifest.indices))
  return chosen
}
