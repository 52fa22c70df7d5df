import { below, MerkleTree, type Source, sha256, streamFromKey, type Task, utf8 } from '../../core/index.ts'
import type { Row } from '../../store/index.ts'
import { type Chunk, type ChunkMaker, chunksOf, makeChunk } from '../chunk.ts'
import { type Manifest, manifestId, promptKindOf } from '../manifest.ts'
import { promptLeaf } from '../writer.ts'

/** An item or hole made anew. */
export interface Regenerated {
  readonly row: Row
  /** The hash of its group, which its own covers; null where it has none. */
  readonly groupHash: string | null
}

/** Items made anew, to be compared with stored ones. */
export interface Fresh {
  /** null: this index is not made anew. Indices are asked for once each, in about ascending order. */
  row(index: number): Promise<Regenerated | null>
  /** The root of all prompts made anew; null where not all were. */
  promptRoot(): Promise<string | null>
}

/** What `--quick` makes anew. */
export const regenerateNone: Fresh = { row: async () => null, promptRoot: async () => null }

/** Some indices, each on its own. */
export const regenerateSample = (task: Task, source: Source, wanted: ReadonlySet<number>): Fresh => ({
  row: async (index) =>
    wanted.has(index)
      ? (madeOf(makeChunk(task, source, { first: index, count: 1, witnesses: false, prompts: null }))[0] ?? null)
      : null,
  promptRoot: async () => null,
})

function madeOf({ items, groups }: Chunk): readonly Regenerated[] {
  const hashes = new Map(groups.map((group) => [group['group'], group['hash'] as string]))
  return items.map((row) => ({ row, groupHash: hashes.get(row['group'] ?? null) ?? null }))
}

/** Every index, in chunks ahead of the reader. */
export function regenerateAll(
  task: Task,
  source: Source,
  manifest: Manifest,
  makerOf?: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number },
): Fresh {
  const { make, ahead } = makerOf?.(source) ?? { make: (job) => makeChunk(task, source, job), ahead: 1 }
  const kind = promptKindOf(manifest)
  const range = { first: manifest.first, count: manifest.indices }
  const chunks = chunksOf(make, source.layout, range, { witnesses: false, prompts: kind, ahead })
  const kept = new Map<number, Regenerated>()
  const prompts = new MerkleTree()
  /** Before it is asked for; what goes wrong is told when it is. */
  const begun = () => {
    const next = chunks.next()
    next.catch(() => undefined)
    return next
  }
  let coming = begun()
  const more = async (): Promise<boolean> => {
    const next = await coming
    coming = begun()
    if (next.done === true) return false
    for (const made of madeOf(next.value.chunk)) kept.set(made.row['index'] as number, made)
    for (const row of next.value.chunk.prompts) prompts.add(promptLeaf(row))
    return true
  }
  return {
    async row(index) {
      if (index < range.first || index >= range.first + range.count) return null
      while (!kept.has(index)) if (!(await more())) return null
      const made = kept.get(index) as Regenerated
      kept.delete(index)
      return made
    },
    async promptRoot() {
      if (kind === null) return null
      while (await more()) kept.clear()
      return prompts.root()
    },
  }
}

/** Keyed-random indices: the publisher, who does not know the verifier's entropy, cannot foresee them. */
export function sampleIndices(manifest: Manifest, size: number, entropy: string): ReadonlySet<number> {
  const stream = streamFromKey(sha256(utf8(`${manifestId(manifest)}\n${entropy}`)))
  const chosen = new Set<number>()
  while (chosen.size < Math.min(size, manifest.indices)) chosen.add(manifest.first + below(stream, manifest.indices))
  return chosen
}
