import { sha256 as sha } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array => encoder.encode(text)
export const hex = (bytes: Uint8Array): string => bytesToHex(bytes)
export const unhex = (text: string): Uint8Array => hexToBytes(text)

/** SHA-256 of the parts, one after another. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return sha(parts[0] as Uint8Array)
  const hash = sha.create()
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The platform's own one-shot hash, some five times as fast on long texts; browsers have none that answers at once. */
interface NativeCrypto {
  hash?(algorithm: 'sha256', text: string, encoding: 'hex'): string
}
interface Platform {
  readonly process?: { getBuiltinModule?(name: 'node:crypto'): NativeCrypto }
}
const native = (globalThis as Platform).process?.getBuiltinModule?.('node:crypto')

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export const sha256Hex = (text: string): string => native?.hash?.('sha256', text, 'hex') ?? hex(sha256(utf8(text)))

/**
 * The injective text encoding of integrity 1.1: u32be(k), then for each part u32be(byte length) and its UTF-8 bytes.
 * Numbers are written as decimal strings.
 */
export function enc(...parts: readonly (string | number)[]): Uint8Array {
  const texts = parts.map((part) => utf8(String(part)))
  const out = new Uint8Array(texts.reduce((sum, bytes) => sum + 4 + bytes.length, 4))
  const view = new DataView(out.buffer)
  view.setUint32(0, texts.length)
  let at = 4
  for (const bytes of texts) {
    view.setUint32(at, bytes.length)
    out.set(bytes, at + 4)
    at += 4 + bytes.length
  }
  return out
}
