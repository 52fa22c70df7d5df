import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Layout, MerkleTree, merkleLeaf, type Task, UsageError } from '../core/index.ts'
import { makeFolder, type Row, writeFileAtomic } from '../store/index.ts'
import { datasetCard } from './card.ts'
import { groupColumns } from './columns.ts'
import type { Manifest, Shard } from './manifest.ts'
import { type Dataset, datasetRows, shardsOf, sourceOf } from './open.ts'
import { ShardFiles } from './shard-files.ts'

/**
 * Joins shards made by `generate --shard i/n`, given in any order, into one dataset. Item files are copied as they are
 * and the root is joined from their subroots; groups that two shards share are kept once.
 * @throws UsageError where the shards are not of one set or leave a gap.
 */
export async function merge(datasets: readonly Dataset[], task: Task, out: string): Promise<Manifest> {
  const parts = [...datasets].sort((a, b) => a.manifest.first - b.manifest.first)
  const head = parts[0]
  if (head === undefined) throw new UsageError('merge needs at least one dataset')
  for (const [i, part] of parts.entries()) checkFit(parts, i, part)
  await makeFolder(out)
  const tree = new MerkleTree(head.manifest.first)
  const shards: Shard[] = []
  for (const part of parts)
    for (const shard of shardsOf(part, 'items')) {
      tree.addShard(shard.count, shard.subroots ?? [])
      const file = `items-${String(shards.length).padStart(5, '0')}.${shard.file.split('.')[1]}`
      await copyFile(join(part.folder, shard.file), join(out, file))
      shards.push({ ...shard, file })
    }
  const groups = await mergeGroups(parts, task, out)
  const source = sourceOf(task, head)
  const manifest: Manifest = {
    ...head.manifest,
    indices: sum(parts, (m) => m.indices),
    count: sum(parts, (m) => m.count),
    holes: { proved: sum(parts, (m) => m.holes.proved), gaveUp: sum(parts, (m) => m.holes.gaveUp) },
    root: tree.root(),
    groups: { ...head.manifest.groups, count: groups.count, root: groups.root },
    shards: [...shards, ...groups.shards],
    strata: mergeStrata(
      parts.map((part) => part.manifest.strata),
      source.layout,
    ),
    prompts: null,
    audit: null,
  }
  await writeFileAtomic(join(out, 'README.md'), datasetCard(task, source, manifest))
  await writeFileAtomic(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
  return manifest
}

function checkFit(parts: readonly Dataset[], i: number, part: Dataset): void {
  const head = (parts[0] as Dataset).manifest
  const { manifest, folder } = part
  for (const field of ['task', 'version', 'configHash', 'split', 'planHash'] as const)
    if (manifest[field] !== head[field])
      throw new UsageError(`${folder} is of another set: its ${field} is ${manifest[field]}, not ${head[field]}`)
  if (JSON.stringify(manifest.seed) !== JSON.stringify(head.seed))
    throw new UsageError(`${folder} is of another set: its seed is another`)
  const before = parts[i - 1]?.manifest
  if (before !== undefined && before.first + before.indices !== manifest.first)
    throw new UsageError(
      `the shards do not join: one ends before index ${before.first + before.indices}, the next (${folder}) begins at ${manifest.first}`,
    )
}

async function mergeGroups(
  parts: readonly Dataset[],
  task: Task,
  out: string,
): Promise<{ readonly count: number; readonly root: string; readonly shards: readonly Shard[] }> {
  const format = parts[0]?.manifest.shards[0]?.file.endsWith('.jsonl') ? 'jsonl' : 'parquet'
  const files = new ShardFiles(out, 'groups', format, groupColumns, Number.POSITIVE_INFINITY)
  const tree = new MerkleTree()
  const seen = new Set<number>()
  for (const part of parts)
    for await (const rows of datasetRows(part, task, 'groups')) {
      const fresh: Row[] = rows.filter((row) => !seen.has(row['group'] as number))
      for (const row of fresh) {
        seen.add(row['group'] as number)
        tree.add(merkleLeaf(row['hash'] as string))
      }
      await files.write(tree.size - fresh.length, fresh)
    }
  return { count: tree.size, root: tree.root(), shards: await files.close() }
}

const sum = (parts: readonly Dataset[], field: (manifest: Manifest) => number): number =>
  parts.reduce((total, part) => total + field(part.manifest), 0)

type Entry = { readonly levels: readonly unknown[]; readonly [key: string]: unknown }

function mergeStrata(all: readonly Manifest['strata'][], layout: Layout): Manifest['strata'] {
  const head = all[0] as Manifest['strata']
  const rank = new Map(
    layout.strata.map((levels, i) => [JSON.stringify(head.factors.map((f) => levels[f] ?? null)), i]),
  )
  const place = (entry: Entry): number => rank.get(JSON.stringify(entry.levels)) ?? 0
  const join = <E extends Entry>(pick: (strata: Manifest['strata']) => readonly E[], add: (a: E, b: E) => E): E[] => {
    const byLevels = new Map<string, E>()
    for (const strata of all)
      for (const entry of pick(strata)) {
        const key = JSON.stringify(entry.levels)
        const before = byLevels.get(key)
        byLevels.set(key, before === undefined ? entry : add(before, entry))
      }
    return [...byLevels.values()].sort((a, b) => place(a) - place(b))
  }
  return {
    factors: head.factors,
    filled: join(
      (strata) => strata.filled,
      (a, b) => ({ ...a, count: a.count + b.count }),
    ),
    empty: join(
      (strata) => strata.empty,
      (a, b) => ({ ...a, count: Number(a['count'] ?? 0) + Number(b['count'] ?? 0) }),
    ),
    unreached: join(
      (strata) => strata.unreached,
      (a, b) => ({ ...a, tries: Number(a.tries) + Number(b.tries) }),
    ),
  }
}
