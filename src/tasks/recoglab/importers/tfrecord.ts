/** A record of a TFRecord file, or what is wrong with it. */
type RawRecord =
  | { readonly kind: 'record'; readonly data: Uint8Array }
  | { readonly kind: 'damage'; readonly message: string }

/** A record longer than this is taken for damage. */
const MAX = 256 * 1024 * 1024

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
    if (length > MAX) {
      yield { kind: 'damage', message: `a record of ${length} bytes is longer than any of this kind` }
      return
    }
    if (!(await have(16 + length))) {
      yield { kind: 'damage', message: 'truncated inside a record' }
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

/** The features of a tf.train.Example that this release uses: lists of texts or of integers. */
type ExampleFeatures = ReadonlyMap<string, readonly (string | number)[]>

const decoder = new TextDecoder('utf-8', { fatal: true })

interface Field {
  readonly number: number
  /** Varint value, or the bytes of a length-delimited field. */
  readonly value: number | Uint8Array
}

/** Decodes the protocol buffer of one example; null where it is not one. */
export function decodeExample(data: Uint8Array): ExampleFeatures | null {
  try {
    const features = new Map<string, readonly (string | number)[]>()
    for (const example of fields(data)) {
      if (example.number !== 1 || typeof example.value === 'number') continue
      for (const entry of fields(example.value)) {
        if (entry.number !== 1 || typeof entry.value === 'number') continue
        let name = ''
        let values: (string | number)[] = []
        for (const part of fields(entry.value)) {
          if (typeof part.value === 'number') continue
          if (part.number === 1) name = decoder.decode(part.value)
          if (part.number === 2) values = valuesOf(part.value)
        }
        features.set(name, values)
      }
    }
    return features
  } catch {
    return null
  }
}

/** A Feature: 1 bytes_list, 2 float_list (unused here), 3 int64_list, packed or not. */
function valuesOf(feature: Uint8Array): (string | number)[] {
  const values: (string | number)[] = []
  for (const kind of fields(feature)) {
    if (typeof kind.value === 'number') continue
    for (const item of fields(kind.value)) {
      if (item.number !== 1) continue
      if (kind.number === 1 && typeof item.value !== 'number') values.push(decoder.decode(item.value))
      if (kind.number === 3) {
        if (typeof item.value === 'number') values.push(item.value)
        else
          for (let at = 0; at < item.value.length; ) {
            const [value, next] = varint(item.value, at)
            values.push(value)
            at = next
          }
      }
    }
  }
  return values
}

function* fields(data: Uint8Array): Generator<Field> {
  for (let at = 0; at < data.length; ) {
    const [tag, start] = varint(data, at)
    const wire = tag % 8
    const number = Math.floor(tag / 8)
    if (wire === 0) {
      const [value, next] = varint(data, start)
      yield { number, value }
      at = next
    } else if (wire === 2) {
      const [length, next] = varint(data, start)
      if (next + length > data.length) throw new RangeError('field past the end')
      yield { number, value: data.subarray(next, next + length) }
      at = next + length
    } else if (wire === 5) at = start + 4
    else if (wire === 1) at = start + 8
    else throw new RangeError(`wire type ${wire}`)
  }
}

function varint(data: Uint8Array, from: number): [value: number, next: number] {
  let value = 0
  let scale = 1
  for (let at = from; at < from + 10; at++) {
    const byte = data[at]
    if (byte === undefined) throw new RangeError('varint past the end')
    value += (byte & 127) * scale
    scale *= 128
    if (byte < 128) return [value, at + 1]
  }
  throw new RangeError('varint too long')
}
