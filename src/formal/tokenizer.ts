/** Splits a text at blanks and numbers its tokens by their place in a list of terminals. */
export interface Tokenizer {
  /** Token numbers, or the 0-based index and spelling of the first token that is none of the terminals. */
  tokens(text: string): TokenizedText
  /**
   * Fills and returns a buffer that the next call overwrites; `length` of it counts. Unknown tokens are -1. For loops
   * over many strings.
   */
  into(text: string): { readonly buffer: Int32Array; readonly length: number }
}

export type TokenizedText =
  | { readonly kind: 'tokens'; readonly tokens: readonly number[] }
  | { readonly kind: 'unknown'; readonly at: number; readonly token: string }

/**
 * A rolling hash finds the terminal while the characters are read; the spelling is then compared, so that no collision
 * can mislead. Every character up to U+0020 is a blank. No string is cut or allocated.
 */
export function compileTokenizer(terminals: readonly string[]): Tokenizer {
  let size = 16
  while (size < terminals.length * 4) size *= 2
  const mask = size - 1
  const slots = new Int32Array(size).fill(-1)
  for (const [index, terminal] of terminals.entries()) {
    let hash = 0
    for (let i = 0; i < terminal.length; i++) hash = (Math.imul(hash, 31) + terminal.charCodeAt(i)) | 0
    let slot = scatter(hash) & mask
    while (slots[slot] !== -1) slot = (slot + 1) & mask
    slots[slot] = index
  }
  let buffer = new Int32Array(64)
  const result = { buffer, length: 0 }

  const find = (text: string, from: number, to: number, hash: number): number => {
    for (let slot = scatter(hash) & mask; ; slot = (slot + 1) & mask) {
      const index = slots[slot] as number
      if (index < 0) return -1
      const terminal = terminals[index] as string
      if (terminal.length !== to - from) continue
      let i = 0
      while (i < terminal.length && terminal.charCodeAt(i) === text.charCodeAt(from + i)) i++
      if (i === terminal.length) return index
    }
  }

  const into = (text: string) => {
    let length = 0
    let from = 0
    let hash = 0
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 32
      if (code > 32) {
        hash = (Math.imul(hash, 31) + code) | 0
        continue
      }
      if (from < at) {
        if (length === buffer.length) {
          const wider = new Int32Array(length * 2)
          wider.set(buffer)
          buffer = wider
        }
        buffer[length++] = find(text, from, at, hash)
      }
      from = at + 1
      hash = 0
    }
    result.buffer = buffer
    result.length = length
    return result
  }

  return {
    into,
    tokens(text) {
      const read = into(text)
      const tokens = Array.from(read.buffer.subarray(0, read.length))
      const at = tokens.indexOf(-1)
      if (at < 0) return { kind: 'tokens', tokens }
      return { kind: 'unknown', at, token: text.split(BLANKS).filter((part) => part !== '')[at] as string }
    },
  }
}

const BLANKS = /[\0-\x20]+/

/** Spreads the hash over its low bits: names such as t1..t99 differ in their last characters only. */
const scatter = (hash: number): number => (Math.imul(hash, -1640531527) >>> 15) ^ hash
