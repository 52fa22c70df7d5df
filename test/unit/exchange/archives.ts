import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'

const PACK: { readonly [method: number]: (bytes: Uint8Array) => Uint8Array } = {
  0: (bytes) => bytes,
  8: (bytes) => deflateRawSync(bytes),
  93: (bytes) => zstdCompressSync(bytes),
}

/** A zip archive written by hand: any method, several files of one path, and sizes that lie. */
export function archiveOf(
  files: readonly { readonly path: string; readonly text: string; readonly method: number; readonly size?: number }[],
): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { path, text, method, size } of files) {
    const bytes = Buffer.from(text)
    const packed = (PACK[method] ?? ((plain) => plain))(bytes)
    const name = Buffer.from(path)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(63, 0)
    facts.writeUInt16LE(method, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(size ?? bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), facts, name, packed)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x3f\x00', 'latin1'), facts, tail.subarray(0, 14), name)
    at += 30 + name.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, central, end])
}
