/** A record of a TFRecord file, or what is wrong with it. */
export type RawRecord =
  | { readonly kind: 'record'; readonly data: Uint8Array }
  | { readonly kind: 'damage'; readonly message: string }

/** A record longer than this is taken for damage. */
const MAX_LENGTH = 256 * 1024 * 1024

/**
 * The records of a TFRecord file: length (8 bytes, little end first), checksum of the length, data, checksum of the
 * data; checksums are CRC-32C, rotated and shifted by a constant. Reading stops at the first damaged record, since
 * nothing after it can be found.
 */
export async function* readTfrecord(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<RawRecord> {
  let buffer: Uint8Array = new Uint8Array(0)
  let offset = 0
  let done = false
  const source = pieces[Symbol.asyncIterator]()
  async function have(count: number): Promise<boolean> {
    const parts = [buffer.subarray(offset)]
    let size = buffer.length - offset
    if (size >= count) return true
    while (size < count && !done) {
      const next = await source.next()
      if (next.done === true) done = true
      else {
        parts.push(next.value)
        size += next.value.length
      }
    }
    const joined = new Uint8Array(size)
    let at = 0
    for (const part of parts) {
      joined.set(part, at)
      at += part.length
    }
    buffer = joined
    offset = 0
    return size >= count
  }
  for (;;) {
    if (!(await have(12))) {
      if (buffer.length > offset)
        yield { kind: 'damage', message: `cut off: ${buffer.length - offset} bytes after the last record` }
      return
    }
    const view = new DataView(buffer.buffer, buffer.byteOffset + offset)
    const length = view.getUint32(0, true) + view.getUint32(4, true) * 4294967296
    if (masked(crc32c(buffer.subarray(offset, offset + 8))) !== view.getUint32(8, true)) {
      yield { kind: 'damage', message: 'the checksum of a length does not fit: not a TFRecord file, or damaged' }
      return
    }
    if (length > MAX_LENGTH) {
      yield { kind: 'damage', message: `a record of ${length} bytes is longer than any of this kind` }
      return
    }
    if (!(await have(16 + length))) {
      yield { kind: 'damage', message: 'cut off inside a record' }
      return
    }
    const data = buffer.slice(offset + 12, offset + 12 + length)
    const stored = new DataView(buffer.buffer, buffer.byteOffset + offset + 12 + length).getUint32(0, true)
    if (masked(crc32c(data)) !== stored) {
      yield { kind: 'damage', message: 'the checksum of a record does not fit its data' }
      return
    }
    offset += 16 + length
    yield { kind: 'record', data }
  }
}

const table = Uint32Array.from({ length: 256 }, (_, i) => {
  let c = i
  for (let k = 0; k < 8; k++) c = (c & 1) === 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1
  return c >>> 0
})

/** CRC-32C (Castagnoli). */
export function crc32c(bytes: Uint8Array): number {
  let c = 0xffffffff
  for (const byte of bytes) c = (table[(c ^ byte) & 0xff] as number) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

/** TFRecord's mask: rotated right by 15 bits, plus a constant. */
export const masked = (crc: number): number => ((((crc >>> 15) | (crc << 17)) >>> 0) + 0xa282ead8) >>> 0
