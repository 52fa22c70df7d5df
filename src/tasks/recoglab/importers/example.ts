/** The features of a tf.train.Example that this release uses: lists of texts or of integers. */
export type ExampleFeatures = ReadonlyMap<string, readonly (string | number)[]>

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
