import { join } from 'node:path'
import { MerkleTree, merkleLeaf } from '../core/index.ts'
import { type ColumnSpec, type Row, type RowFormat, type RowWriter, rowWriter } from '../store/index.ts'
import type { Shard } from './manifest.ts'

/** One kind of rows over as many files as it takes. */
export class ShardFiles {
  private readonly done: Shard[] = []
  private writer: RowWriter | null = null
  private tree = new MerkleTree()
  private first = 0
  private rows = 0
  private readonly out: string
  private readonly kind: Shard['kind']
  private readonly format: RowFormat
  private readonly columns: readonly ColumnSpec[]
  private readonly rowsPerFile: number

  constructor(
    out: string,
    kind: Shard['kind'],
    format: RowFormat,
    columns: readonly ColumnSpec[],
    rowsPerFile: number,
  ) {
    this.out = out
    this.kind = kind
    this.format = format
    this.columns = columns
    this.rowsPerFile = rowsPerFile
  }

  /** `first`: the index of the first row; rows come in order without gaps. */
  async write(first: number, rows: readonly Row[]): Promise<void> {
    let from = 0
    while (from < rows.length) {
      const at = first + from
      const room = this.rowsPerFile - (at % this.rowsPerFile)
      const part = rows.slice(from, from + room)
      if (this.writer === null) {
        this.writer = await rowWriter(join(this.out, this.nextName()), this.format, this.columns)
        this.tree = new MerkleTree(at)
        this.first = at
        this.rows = 0
      }
      await this.writer.write(part)
      for (const row of part) if (typeof row['hash'] === 'string') this.tree.add(merkleLeaf(row['hash']))
      this.rows += part.length
      from += part.length
      if ((at + part.length) % this.rowsPerFile === 0) await this.finish()
    }
  }

  async close(): Promise<readonly Shard[]> {
    await this.finish()
    return this.done
  }

  async abort(): Promise<void> {
    await this.writer?.abort()
  }

  private nextName(): string {
    return `${this.kind}-${String(this.done.length).padStart(5, '0')}.${this.format}`
  }

  private async finish(): Promise<void> {
    if (this.writer === null) return
    const written = await this.writer.close()
    this.done.push({
      file: this.nextName(),
      kind: this.kind,
      first: this.first,
      count: this.rows,
      bytes: written.bytes,
      sha256: written.sha256,
      ...(this.kind === 'items' ? { subroots: [...this.tree.subroots()] } : {}),
    })
    this.writer = null
  }
}
