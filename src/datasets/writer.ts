import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, MerkleTree, merkleLeaf, planHash, type Source, sha256Hex, type Task } from '../core/index.ts'
import { makeFolder, type Row, type RowFormat, requireDuck, writeFileAtomic } from '../store/index.ts'
import { datasetCard } from './card.ts'
import { featureSchema, groupColumns, type PromptKind, promptColumns, storedColumns } from './columns.ts'
import { CARD, rejectFull, textFacts } from './folder.ts'
import type { Manifest } from './manifest.ts'
import { ShardFiles } from './shard-files.ts'
import { Tally } from './tally.ts'

export interface DatasetParts {
  readonly task: Task
  readonly source: Source
  readonly out: string
  readonly format: RowFormat
  /** Index of the first item. */
  readonly first: number
  /** Prompts that are part of the set; null: none are. */
  readonly prompts: PromptKind | null
}

/** What the rows do not tell about a set. */
export type Provenance = Pick<Manifest, 'preset' | 'generator' | 'plugins' | 'created'>

/** Rows a file; a power of two, so that files are aligned subtrees. */
const rowsPerFile = 16384

/**
 * Writes a dataset from rows in order: items, groups, prompts, the card and, last, the manifest. The same rows give the
 * same files and the same identity, wherever they come from.
 */
export class DatasetWriter {
  private readonly parts: DatasetParts
  private readonly files: { readonly [kind in 'items' | 'groups' | 'prompts']: ShardFiles }
  private readonly itemTree: MerkleTree
  private readonly groupTree = new MerkleTree()
  private readonly promptTree = new MerkleTree()
  private readonly seenGroups = new Set<number>()
  private readonly tally = new Tally()

  private constructor(parts: DatasetParts) {
    this.parts = parts
    const { out, format, first, task } = parts
    const endless = Number.POSITIVE_INFINITY
    this.itemTree = new MerkleTree(first)
    this.files = {
      items: new ShardFiles(out, { kind: 'items', format, columns: storedColumns(task), first, rowsPerFile }),
      groups: new ShardFiles(out, { kind: 'groups', format, columns: groupColumns, first: 0, rowsPerFile: endless }),
      prompts: new ShardFiles(out, {
        kind: 'prompts',
        format,
        columns: promptColumns((parts.prompts?.solutions ?? false) !== false),
        first: 0,
        rowsPerFile,
      }),
    }
  }

  /** @throws UsageError for a folder that holds anything. */
  static async open(parts: DatasetParts): Promise<DatasetWriter> {
    await rejectFull(parts.out)
    if (parts.format === 'parquet') await requireDuck()
    await makeFolder(parts.out)
    return new DatasetWriter(parts)
  }

  /** Rows as {@link itemRow} makes them. */
  async items(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.itemTree.add(merkleLeaf(row['hash'] as string))
      this.tally.add(row)
    }
    await this.files.items.write(rows)
  }

  /** Groups that were written before are left out. */
  async groups(rows: readonly Row[]): Promise<void> {
    const fresh = rows.filter((row) => !this.seenGroups.has(row['group'] as number))
    for (const row of fresh) {
      this.seenGroups.add(row['group'] as number)
      this.groupTree.add(merkleLeaf(row['hash'] as string))
    }
    await this.files.groups.write(fresh)
  }

  async prompts(rows: readonly Row[]): Promise<void> {
    for (const row of rows) this.promptTree.add(promptLeaf(row))
    await this.files.prompts.write(rows)
  }

  /** The root of the items so far. */
  root(): string {
    return this.itemTree.root()
  }

  async finish({ preset, generator, plugins, created }: Provenance): Promise<Manifest> {
    const { task, source, prompts, first, out } = this.parts
    const { items, groups } = this.files
    const shards = [...(await items.close()), ...(await groups.close()), ...(await this.files.prompts.close())]
    const described: Omit<Manifest, 'files'> = {
      schema: 'touchstone/manifest/1',
      task: task.name,
      version: task.version,
      preset,
      config: source.config,
      configHash: source.configHash,
      split: source.split,
      seed: { text: source.seed },
      first,
      indices: this.itemTree.size,
      count: this.tally.count,
      empty: { proved: this.tally.proved, notFound: this.tally.gaveUp },
      ...(source.plan === null ? {} : { plan: source.plan, planHash: planHash(source.plan) }),
      features: featureSchema(task),
      root: this.itemTree.root(),
      salted: false,
      groups: { count: this.groupTree.size, root: this.groupTree.root(), layout: source.layout.layout },
      shards,
      strata: this.tally.report(source.layout),
      partition:
        task.partition === undefined ? null : { domain: task.partition.domain, keyVersion: task.partition.keyVersion },
      prompts:
        prompts === null
          ? null
          : {
              style: prompts.style,
              promptVersion: task.promptVersion,
              ...solutionsOf(prompts),
              root: this.promptTree.root(),
            },
      scorerVersion: task.scorerVersion,
      generator,
      ...(plugins === undefined ? {} : { plugins }),
      audit: null,
      ...(created === undefined ? {} : { created }),
    }
    const card = datasetCard(task, source, described)
    const manifest: Manifest = { ...described, files: { [CARD]: textFacts(card) } }
    await writeFileAtomic(join(out, CARD), card)
    await writeFileAtomic(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
    return manifest
  }

  /** Leaves nothing behind, and no folder where it holds nothing else. */
  async abort(): Promise<void> {
    const { out } = this.parts
    await Promise.all(Object.values(this.files).map((files) => files.abort()))
    await rm(join(out, CARD), { force: true })
    await rmdir(out).catch(() => undefined)
  }
}

const solutionsOf = ({ solutions }: PromptKind): { readonly solutions?: true | 'reason' | 'short' } =>
  solutions === false ? {} : { solutions: solutions === 'full' ? true : solutions }

/** The leaf of a rendered prompt, from the row as written or as read back. */
export function promptLeaf(row: Row): Uint8Array {
  const { id = null, request = null, prompt = null, answer = null, solution = null } = row
  const covered = [id, request, prompt, answer, ...(solution === null ? [] : [solution])]
  return merkleLeaf(sha256Hex(`touchstone/prompt/2\n${canonicalJson(covered)}`))
}
