import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { UsageError } from '../../core/index.ts'

/** A file of an archive. */
export interface Entry {
  readonly path: string
  readonly bytes: Uint8Array
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const STORED = 0
const DEFLATED = 8
/** Beyond these the format needs its 64-bit form. */
const MAX_ENTRIES = 65_534
/** 1980-01-01: the same archive for the same content. */
const DATE = 0x21

/** A zip archive, deflated. @throws UsageError for more files than the plain form of zip holds. */
export function zip(entries: readonly Entry[]): Uint8Array {
  if (entries.length > MAX_ENTRIES)
    throw new UsageError(`an archive holds at most ${MAX_ENTRIES} files, not ${entries.length}: export fewer at once`)
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { path, bytes } of entries) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes)
    const facts = Buffer.alloc(22)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x800, 2)
    facts.writeUInt16LE(DEFLATED, 4)
    facts.writeUInt16LE(DATE, 8)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    const lengths = Buffer.alloc(4)
    lengths.writeUInt16LE(name.length, 0)
    const signature = Buffer.alloc(4)
    signature.writeUInt32LE(LOCAL)
    parts.push(signature, facts, lengths, name, packed)
    const head = Buffer.alloc(6)
    head.writeUInt32LE(CENTRAL)
    head.writeUInt16LE(20, 4)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(head, facts, lengths, tail, name)
    at += 30 + name.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, central, end])
}

/** Bytes of one file of an archive, and of all. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_TOTAL = 4 * 1024 * 1024 * 1024

/**
 * The files of a zip archive that may be hostile: sizes are bounded, and nothing is written anywhere.
 *
 * @param wanted - only these paths are unpacked.
 * @throws UsageError for what is no archive, or one that is damaged, encrypted or packed otherwise.
 */
export function* unzip(bytes: Uint8Array, wanted: (path: string) => boolean): Generator<Entry> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const from = Math.max(0, view.length - 22 - 0xffff)
  const end = view.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < from || end + 22 > view.length) throw damaged('it has no directory')
  const count = view.readUInt16LE(end + 10)
  let at = view.readUInt32LE(end + 16)
  if (count === 0xffff || at === 0xffffffff) throw damaged('it is larger than the plain form of zip')
  let total = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.readUInt32LE(at) !== CENTRAL) throw damaged('its directory is cut')
    const [flags, method] = [view.readUInt16LE(at + 8), view.readUInt16LE(at + 10)]
    const [checksum, packed, size] = [
      view.readUInt32LE(at + 16),
      view.readUInt32LE(at + 20),
      view.readUInt32LE(at + 24),
    ]
    const nameLength = view.readUInt16LE(at + 28)
    const start = view.readUInt32LE(at + 42)
    const path = view.toString('utf8', at + 46, at + 46 + nameLength)
    at += 46 + nameLength + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
    if (!wanted(path)) continue
    if ((flags & 1) !== 0) throw damaged(`${path} is encrypted`)
    total += size
    if (size > MAX_BYTES || total > MAX_TOTAL) throw damaged(`${path} is larger than ${MAX_BYTES} bytes unpacked`)
    if (start + 30 > view.length || view.readUInt32LE(start) !== LOCAL)
      throw damaged(`${path} is not where it should be`)
    const data = start + 30 + view.readUInt16LE(start + 26) + view.readUInt16LE(start + 28)
    if (data + packed > view.length) throw damaged(`${path} is cut`)
    const content = unpacked(view.subarray(data, data + packed), method, size, path)
    if (crc32(content) !== checksum) throw damaged(`${path} is not what it was`)
    yield { path, bytes: content }
  }
}

function unpacked(packed: Uint8Array, method: number, size: number, path: string): Uint8Array {
  if (method === STORED) return packed
  if (method !== DEFLATED) throw damaged(`${path} is packed by method ${method}, not deflate`)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch {
    throw damaged(`${path} cannot be unpacked`)
  }
}

const damaged = (why: string): UsageError => new UsageError(`the archive cannot be read: ${why}`)
