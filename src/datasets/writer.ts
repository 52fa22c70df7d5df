import { createHash } from 'node:crypto'
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  canonicalJson,
  MerkleTree,
  merkleLeaf,
  planHash,
  type Source,
  sha256Hex,
  type Task,
  UsageError,
} from '../core/index.ts'
import {
  type ColumnSpec,
  explained,
  isStoreError,
  makeFolder,
  type Row,
  type RowFormat,
  type RowWriter,
  rowWriter,
  writeFileAtomic,
} from '../store/index.ts'
import { datasetCard } from './card.ts'
import { featureSchema, groupColumns, type PromptKind, promptColumns, storedColumns } from './columns.ts'
import type { Manifest, Shard } from './manifest.ts'
import { Tally } from './stored-rows.ts'

export interface DatasetParts {
  readonly task: Task
  readonly source: Source
  readonly out: string
  readonly format: RowFormat
  /** Index of the first item. */
  readonly first: number
  /** null: no prompts. */
  readonly prompts: PromptKind | null
}

/** Facts about a set that the rows do not hold. */
export type Provenance = Pick<Manifest, 'preset' | 'generator' | 'plugins' | 'created'>

/** Rows per file; a power of two, so that files are whole subtrees. */
const ROWS_PER_FILE = 16384

/**
 * Writes a dataset from rows in order: items, groups, prompts, the card and, last, the manifest. The same rows always give
 * the same files and the same identity.
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
    const { first, task, prompts } = parts
    this.itemTree = new MerkleTree(first)
    const filesOf = (kind: Shard['kind'], columns: readonly ColumnSpec[], start = 0, rowsPerFile = ROWS_PER_FILE) =>
      new ShardFiles(parts.out, { kind, format: parts.format, columns, first: start, rowsPerFile })
    this.files = {
      items: filesOf('items', storedColumns(task), first),
      groups: filesOf('groups', groupColumns, 0, Number.POSITIVE_INFINITY),
      prompts: filesOf('prompts', promptColumns((prompts?.solutions ?? false) !== false)),
    }
  }

  /** @throws UsageError unless the folder is empty or missing. */
  static async open(parts: DatasetParts): Promise<DatasetWriter> {
    await requireEmpty(parts.out)
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

  /** Groups written before are ignored. */
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
    const withoutFiles: Omit<Manifest, 'files'> = {
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
      empty: { proved: this.tally.proved, notFound: this.tally.notFound },
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
    const card = datasetCard(task, source, withoutFiles)
    const manifest: Manifest = { ...withoutFiles, files: { [CARD]: fileHash(card) } }
    await writeFileAtomic(join(out, CARD), card)
    await writeFileAtomic(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
    return manifest
  }

  /** Removes all files written, and the folder if nothing else is in it. */
  async abort(): Promise<void> {
    const { out } = this.parts
    await Promise.all(Object.values(this.files).map((files) => files.abort()))
    await rm(join(out, CARD), { force: true })
    await rmdir(out).catch(() => undefined)
  }
}

const solutionsOf = ({ solutions }: PromptKind): { readonly solutions?: true | 'reason' | 'short' } =>
  solutions === false ? {} : { solutions: solutions === 'full' ? true : solutions }

/** Merkle leaf of a prompt row. */
export function promptLeaf(row: Row): Uint8Array {
  const { id = null, request = null, prompt = null, answer = null, solution = null } = row
  const covered = [id, request, prompt, answer, ...(solution === null ? [] : [solution])]
  return merkleLeaf(sha256Hex(`touchstone/prompt/2\n${canonicalJson(covered)}`))
}

/** The dataset card. */
export const CARD = 'README.md'

/** Size and hash of a file beside the shards, for the manifest. */
export const fileHash = (text: string): { readonly bytes: number; readonly sha256: string } => ({
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
})

/** @throws UsageError unless the folder is empty or missing. */
export async function requireEmpty(out: string): Promise<void> {
  const files = await names(out)
  if (files.length === 0) return
  const what = files.includes('manifest.json')
    ? 'already holds a dataset'
    : files.some((name) => /^(items|groups|prompts)-\d+\./u.test(name))
      ? 'holds an unfinished dataset'
      : 'holds other files'
  throw new UsageError(`${out} ${what}. Choose another --out, or remove it first`)
}

async function names(folder: string): Promise<readonly string[]> {
  try {
    return await explained(folder, () => readdir(folder))
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'missing') throw error
    if ((error.cause as NodeJS.ErrnoException).code === 'ENOTDIR')
      throw new UsageError(`${folder} is a file. Choose another --out`)
    return []
  }
}

interface Options {
  readonly kind: Shard['kind']
  readonly format: RowFormat
  readonly columns: readonly ColumnSpec[]
  /** Number of the first row. */
  readonly first: number
  /** Files end at multiples of this. */
  readonly rowsPerFile: number
}

/** Rows of one kind in files of `rowsPerFile` rows: the file of a row depends on its number alone. */
export class ShardFiles {
  private readonly done: Shard[] = []
  private readonly out: string
  private readonly options: Options
  private writer: RowWriter | null = null
  private tree = new MerkleTree()
  /** Number of the first row of the open file, and of the next row. */
  private start: number
  private next: number

  constructor(out: string, options: Options) {
    this.out = out
    this.options = options
    this.start = options.first
    this.next = options.first
  }

  async write(rows: readonly Row[]): Promise<void> {
    const { rowsPerFile, format, columns } = this.options
    for (let from = 0; from < rows.length; ) {
      const part = rows.slice(from, from + rowsPerFile - (this.next % rowsPerFile))
      if (this.writer === null) {
        this.writer = await rowWriter(join(this.out, this.nextName()), format, columns)
        this.tree = new MerkleTree(this.next)
        this.start = this.next
      }
      await this.writer.write(part)
      if (this.options.kind === 'items') for (const row of part) this.tree.add(merkleLeaf(row['hash'] as string))
      this.next += part.length
      from += part.length
      if (this.next % rowsPerFile === 0) await this.finish()
    }
  }

  async close(): Promise<readonly Shard[]> {
    await this.finish()
    return this.done
  }

  /** Removes all files written. */
  async abort(): Promise<void> {
    await this.writer?.abort()
    this.writer = null
    for (const { file } of this.done) await rm(join(this.out, file), { force: true })
  }

  private nextName(): string {
    return `${this.options.kind}-${String(this.done.length).padStart(5, '0')}.${this.options.format}`
  }

  private async finish(): Promise<void> {
    if (this.writer === null) return
    const { bytes, sha256 } = await this.writer.close()
    this.writer = null
    this.done.push({
      file: this.nextName(),
      kind: this.options.kind,
      first: this.start,
      count: this.next - this.start,
      bytes,
      sha256,
      ...(this.options.kind === 'items' ? { subroots: [...this.tree.subroots()] } : {}),
    })
  }
}
