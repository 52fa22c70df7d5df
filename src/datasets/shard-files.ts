import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MerkleTree, merkleLeaf } from '../core/index.ts'
import { type ColumnSpec, type Row, type RowFormat, type RowWriter, rowWriter } from '../store/index.ts'
import type { Shard } from './manifest.ts'

interface Options {
  readonly kind: Shard['kind']
  readonly format: RowFormat
  readonly columns: readonly ColumnSpec[]
  /** The number of the first row. */
  readonly first: number
  /** Files are cut at multiples of this. */
  readonly rowsPerFile: number
}

/** Rows of one kind over as many files as it takes: which rows lie in which file follows from their numbers alone. */
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

  /** Removes all that was written. */
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
