import { buffer } from 'node:stream/consumers'
import { crc32, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import { fromBufferPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import { ZipFile as ZipWriter } from 'yazl'
import { UsageError } from '../../core/index.ts'

/** A file of an archive. */
export interface Entry {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The same archive for the same content. */
const DATE = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

/** A zip archive, deflated. */
export async function zip(entries: readonly Entry[]): Promise<Uint8Array> {
  const writer = new ZipWriter()
  for (const { path, bytes } of entries) writer.addBuffer(Buffer.from(bytes), path, DATE)
  writer.end()
  return buffer(writer.outputStream)
}

/** Bytes of one file of an archive, and of all. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_TOTAL = 4 * 1024 * 1024 * 1024

/** Ways of packing, by the number that zip has for them. */
const METHODS: { readonly [method: number]: (packed: Uint8Array, size: number) => Uint8Array } = {
  0: (packed) => packed,
  8: (packed, size) => inflateRawSync(packed, { maxOutputLength: Math.max(1, size) }),
  93: (packed, size) => zstdDecompressSync(packed, { maxOutputLength: Math.max(1, size) }),
}

/**
 * The files of a zip archive that may be hostile: sizes are bounded, contents are checked, and nothing is written anywhere. Of several
 * files of one path the last counts, as for Python, whose programs replace files by appending them.
 *
 * @param wanted - only these paths are unpacked.
 * @throws UsageError for what is no archive, or one that is damaged, encrypted or packed otherwise.
 */
export async function* unzip(bytes: Uint8Array, wanted: (path: string) => boolean): AsyncGenerator<Entry> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { file, entries } = await directoryOf(view, wanted)
  const total = [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (total > MAX_TOTAL) throw damaged(`its files are larger than ${MAX_TOTAL} bytes unpacked`)
  for (const [path, entry] of entries) {
    if (entry.uncompressedSize > MAX_BYTES) throw damaged(`${path} is larger than ${MAX_BYTES} bytes unpacked`)
    yield { path, bytes: unpacked(path, entry, await packedOf(file, entry, view)) }
  }
}

async function directoryOf(view: Buffer, wanted: (path: string) => boolean) {
  try {
    const file = await fromBufferPromise(view, { lazyEntries: true })
    const entries = new Map<string, ZipEntry>()
    for await (const entry of file.eachEntry()) if (wanted(entry.fileName)) entries.set(entry.fileName, entry)
    return { file, entries }
  } catch (error) {
    throw damaged(messageOf(error))
  }
}

async function packedOf(file: ZipFile, entry: ZipEntry, view: Buffer): Promise<Uint8Array> {
  try {
    const { fileDataStart: start } = await file.readLocalFileHeaderPromise(entry, { minimal: true })
    return view.subarray(start, start + entry.compressedSize)
  } catch (error) {
    throw damaged(`${entry.fileName}: ${messageOf(error)}`)
  }
}

function unpacked(path: string, entry: ZipEntry, packed: Uint8Array): Uint8Array {
  if (entry.isEncrypted()) throw damaged(`${path} is encrypted`)
  const unpack = METHODS[entry.compressionMethod]
  if (unpack === undefined)
    throw damaged(`${path} is packed by method ${entry.compressionMethod}; deflate (8) and zstd (93) are known`)
  if (packed.length < entry.compressedSize) throw damaged(`${path} is cut`)
  let content: Uint8Array
  try {
    content = unpack(packed, entry.uncompressedSize)
  } catch {
    throw damaged(`${path} cannot be unpacked`)
  }
  if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32)
    throw damaged(`${path} is not what it was`)
  return content
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const damaged = (why: string): UsageError => new UsageError(`the archive cannot be read: ${why}`)
