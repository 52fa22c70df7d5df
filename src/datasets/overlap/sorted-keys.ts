import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { explained } from '../../store/index.ts'

/** A 16-byte key (32 hex digits) and its index. */
export interface Entry {
  readonly key: string
  readonly index: number
}

const KEY_BYTES = 16
const ENTRY_BYTES = KEY_BYTES + 8
/** Entries in memory: 6 MB. */
const RUN_LENGTH = 2 ** 18
/** Entries per read. */
const PAGE_LENGTH = 2 ** 12

/** External sort: sorted runs on disk, 24 bytes per entry, merged when read. */
export class SortedKeys {
  private readonly folder: string
  private readonly name: string
  private readonly runLength: number
  private readonly buffer: Buffer
  private readonly runs: { readonly path: string; readonly entries: number }[] = []
  private waiting = 0

  /** `name` must be unique in the folder, which the caller removes. */
  constructor(folder: string, name: string, runLength = RUN_LENGTH) {
    this.folder = folder
    this.name = name
    this.runLength = runLength
    this.buffer = Buffer.alloc(runLength * ENTRY_BYTES)
  }

  async add(key: Uint8Array, index: number): Promise<void> {
    const at = this.waiting * ENTRY_BYTES
    this.buffer.set(key.subarray(0, KEY_BYTES), at)
    this.buffer.writeBigUInt64BE(BigInt(index), at + KEY_BYTES)
    this.waiting++
    if (this.waiting === this.runLength) await this.flush()
  }

  /** All entries by key, then by index. */
  async *sorted(): AsyncGenerator<Entry> {
    await this.flush()
    const readers = this.runs.map(({ path, entries }) => new Run(path, entries))
    try {
      for (const reader of readers) await reader.next()
      for (;;) {
        let least: Run | null = null
        for (const reader of readers)
          if (reader.head !== null && (least?.head == null || reader.head.compare(least.head) < 0)) least = reader
        if (least?.head == null) return
        yield { key: least.head.toString('hex', 0, KEY_BYTES), index: Number(least.head.readBigUInt64BE(KEY_BYTES)) }
        await least.next()
      }
    } finally {
      for (const reader of readers) await reader.close()
    }
  }

  private async flush(): Promise<void> {
    if (this.waiting === 0) return
    const entries = Array.from({ length: this.waiting }, (_, i) =>
      this.buffer.subarray(i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES),
    ).sort((a, b) => a.compare(b))
    const path = join(this.folder, `${this.name}-${this.runs.length}`)
    await explained(path, async () => {
      const file = await open(path, 'wx')
      try {
        for (let from = 0; from < entries.length; from += PAGE_LENGTH)
          await file.write(Buffer.concat(entries.slice(from, from + PAGE_LENGTH)))
      } finally {
        await file.close()
      }
    })
    this.runs.push({ path, entries: entries.length })
    this.waiting = 0
  }
}

/** One run, read page by page. */
class Run {
  private readonly path: string
  private readonly entries: number
  private file: FileHandle | null = null
  private page: Buffer = Buffer.alloc(0)
  private at = 0
  private read = 0
  /** The next entry; null at the end. */
  head: Buffer | null = null

  constructor(path: string, entries: number) {
    this.path = path
    this.entries = entries
  }

  async next(): Promise<void> {
    if (this.at === this.page.length && this.read < this.entries) await this.readPage()
    this.head = this.at < this.page.length ? this.page.subarray(this.at, this.at + ENTRY_BYTES) : null
    this.at += ENTRY_BYTES
  }

  async close(): Promise<void> {
    await this.file?.close()
  }

  private async readPage(): Promise<void> {
    this.file ??= await open(this.path, 'r')
    const count = Math.min(PAGE_LENGTH, this.entries - this.read)
    const page = Buffer.alloc(count * ENTRY_BYTES)
    const { bytesRead } = await this.file.read(page, 0, page.length, this.read * ENTRY_BYTES)
    if (bytesRead !== page.length) throw new Error(`${this.path} is shorter than expected`)
    this.page = page
    this.at = 0
    this.read += count
  }
}
