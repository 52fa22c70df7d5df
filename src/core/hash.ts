import { sha256 as sha } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array => encoder.encode(text)
/**
 * Bytes as hex digits, two per byte.
 *
 * @example
 * import { hex } from '@touchstone-eval/touchstone/task'
 *
 * console.log(hex(Uint8Array.of(1, 255))) // 01ff
 */
export const hex = (bytes: Uint8Array): string => bytesToHex(bytes)
export const unhex = (text: string): Uint8Array => hexToBytes(text)

/** Node's one-shot hash if available (several times faster); browsers have no synchronous hash and use the library. */
interface NativeCrypto {
  hash?(algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex' | 'latin1'): string
}
interface Platform {
  readonly process?: { getBuiltinModule?(name: 'crypto'): NativeCrypto }
}
const native = (globalThis as Platform).process?.getBuiltinModule?.('crypto')

/** Reused buffer: allocating one per call costs more than the hash. */
const room = new Uint8Array(4096)

/** Concatenates the parts; the result is valid until the next call. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const out = size > room.length ? new Uint8Array(size) : room.subarray(0, size)
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** SHA-256 of the concatenated parts. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const digest = native?.hash?.('sha256', joined(parts), 'latin1')
  return digest === undefined ? sha(joined(parts)) : bytesOf(digest)
}

/** Bytes from a latin1 string: three times faster than asking the platform for a buffer. */
function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}

/**
 * SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 hex digits.
 *
 * @example
 * import { sha256Hex } from '@touchstone-eval/touchstone/task'
 *
 * console.log(sha256Hex('').slice(0, 8)) // e3b0c442
 */
export const sha256Hex = (data: string | Uint8Array): string =>
  native?.hash?.('sha256', data, 'hex') ?? hex(sha(typeof data === 'string' ? utf8(data) : data))

/** Reused buffer of {@link sha256HexOfTexts}. */
const page = new Uint8Array(1_048_576)

/** {@link sha256Hex} of concatenated texts, without building the concatenation. */
export function sha256HexOfTexts(...texts: readonly string[]): string {
  const most = texts.reduce((sum, text) => sum + 3 * text.length, 0)
  const out = most > page.length ? new Uint8Array(most) : page
  let at = 0
  for (const text of texts) at += encoder.encodeInto(text, out.subarray(at)).written
  return sha256Hex(out.subarray(0, at))
}

/**
 * Injective encoding of k parts: u32be(k), then for each part u32be(byte length) and its UTF-8 bytes.
 * Numbers are written as decimal strings.
 *
 * @example
 * import { enc } from '@touchstone-eval/touchstone/task'
 *
 * console.log(enc('a', 'bc').length) // 15; no other list of parts has the same bytes
 */
export function enc(...parts: readonly (string | number)[]): Uint8Array {
  const texts = parts.map(String)
  const most = texts.reduce((sum, text) => sum + 4 + 3 * text.length, 4)
  const out = most > room.length ? new Uint8Array(most) : room
  const view = new DataView(out.buffer)
  view.setUint32(0, texts.length)
  let at = 4
  for (const text of texts) {
    const { written } = encoder.encodeInto(text, out.subarray(at + 4))
    view.setUint32(at, written)
    at += 4 + written
  }
  return out.slice(0, at)
}
