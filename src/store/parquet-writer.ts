import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ColumnSpec, Row, RowWriter, WrittenFile } from './columns.ts'
import { type Duck, literal, openDuck, parquetSource } from './duck.ts'
import { explained } from './errors.ts'
import { partial, replace } from './files.ts'
import { copyOptions, rowTable } from './row-table.ts'

/** What a Parquet file says of itself. */
type Metadata = { readonly [key: string]: string }

/** A file that is being made under another name, with the parts that wait beside it. */
class Draft {
  readonly file: string
  readonly spill: string
  readonly parts: string[] = []
  private readonly path: string

  private constructor(path: string) {
    this.path = path
    this.file = partial(path)
    this.spill = `${this.file}.spill`
  }

  /** Opened first, so that a folder that cannot be written is found out before any work. */
  static async of(path: string): Promise<Draft> {
    const draft = new Draft(path)
    await explained(path, async () => (await open(draft.file, 'wx')).close())
    return draft
  }

  /** The name of one part more. */
  part(): string {
    const name = `${this.file}.${this.parts.length}`
    this.parts.push(name)
    return name
  }

  /** The parts as one file. */
  async join({ connection }: Duck, metadata: Metadata): Promise<void> {
    const from = `(SELECT * FROM ${parquetSource(...this.parts)})`
    await connection.run(`COPY ${from} TO ${literal(resolve(this.file))} (${copyOptions(metadata)})`)
  }

  async finish(rows: number): Promise<WrittenFile> {
    const { bytes, sha256 } = await digest(this.file)
    await replace(this.file, this.path)
    return { path: this.path, rows, bytes, sha256 }
  }

  async clean(): Promise<void> {
    for (const file of [this.file, this.spill, ...this.parts]) await rm(file, { force: true, recursive: true })
  }
}

/**
 * A Parquet file (zstd) with the rows in the order they came. Memory does not grow with their number: parts wait beside
 * the file until `close` joins them.
 *
 * @param metadata - key-value metadata of the file.
 */
export async function parquetWriter(
  path: string,
  columns: readonly ColumnSpec[],
  metadata: Metadata = {},
): Promise<RowWriter> {
  const draft = await Draft.of(path)
  const duck = await openDuck(draft.spill, { writesBeside: draft.file })
  const table = await rowTable(duck, columns)
  let rows = 0
  const setAside = async (): Promise<void> => {
    rows += table.size
    await table.copy(draft.part())
    await table.clear()
  }
  const clean = async (): Promise<void> => {
    duck.close()
    await draft.clean()
  }
  return {
    write: (batch) =>
      explained(path, async () => {
        for (const row of batch) if (table.add(row)) await setAside()
      }),
    close: () =>
      explained(path, async () => {
        try {
          table.flush()
          if (draft.parts.length > 0 && table.size > 0) await setAside()
          if (draft.parts.length === 0) {
            rows = table.size
            await table.copy(draft.file, metadata)
          } else {
            table.close()
            await draft.join(duck, metadata)
          }
          return await draft.finish(rows)
        } finally {
          await clean()
        }
      }),
    abort: async () => {
      table.close()
      await clean()
    },
  }
}

/** Writes one part of a file that {@link joinedParquet} joins: at most a row group. */
export async function writePart(
  path: string,
  columns: readonly ColumnSpec[],
  batches: AsyncIterable<readonly Row[]>,
): Promise<void> {
  await explained(path, async () => {
    const duck = await openDuck(`${path}.spill`, { writesBeside: path })
    try {
      const table = await rowTable(duck, columns)
      for await (const batch of batches) for (const row of batch) table.add(row)
      table.flush()
      await table.copy(path)
    } finally {
      duck.close()
      await rm(`${path}.spill`, { force: true, recursive: true })
    }
  })
}

/**
 * A file of parts that are made elsewhere, byte for byte as {@link parquetWriter} makes it of the same rows.
 *
 * @param parts - how many; all but the last hold a row group.
 * @param make - makes the part of that number under this name.
 */
export async function joinedParquet(
  path: string,
  metadata: Metadata,
  parts: number,
  make: (part: number, path: string) => Promise<void>,
): Promise<Pick<WrittenFile, 'path' | 'bytes' | 'sha256'>> {
  const draft = await Draft.of(path)
  try {
    const made = await Promise.allSettled(Array.from({ length: parts }, (_, part) => make(part, draft.part())))
    for (const one of made) if (one.status === 'rejected') throw one.reason
    return await explained(path, async () => {
      const duck = await openDuck(draft.spill, { writesBeside: draft.file })
      try {
        await draft.join(duck, metadata)
      } finally {
        duck.close()
      }
      return draft.finish(0)
    })
  } finally {
    await draft.clean()
  }
}

/** Bytes and SHA-256 of a file, streaming; synced to disk on the way. */
async function digest(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}
