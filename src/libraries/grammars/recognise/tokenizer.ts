/** Token numbers of a text in a buffer that the next call overwrites; `length` of it counts. */
interface TokenBuffer {
  readonly buffer: Int32Array
  readonly length: number
}

/**
 * Splits texts at blanks and numbers their tokens by their place in a list of terminals, for loops over many strings. Stops at
 * the first token that may not stand where it stands (`begins`: T flags, `pairs`: T x T flags); `length` then is -1. A token
 * that is no terminal may stand nowhere.
 *
 * A rolling hash finds the terminal while the characters are read; the spelling is then compared, so that no collision
 * can mislead. Every character up to U+0020 is a blank. No string is cut or allocated.
 */
export function compileTokenizer(
  terminals: readonly string[],
): (text: string, begins: Uint8Array, pairs: Uint8Array) => TokenBuffer {
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

  const codes = Uint16Array.from(
    [...terminals].flatMap((t) => Array.from({ length: t.length }, (_, i) => t.charCodeAt(i))),
  )
  const codesFrom = new Int32Array(terminals.length + 1)
  for (const [index, terminal] of terminals.entries()) codesFrom[index + 1] = codesFrom[index]! + terminal.length

  const find = (text: string, from: number, to: number, hash: number): number => {
    for (let slot = scatter(hash) & mask; ; slot = (slot + 1) & mask) {
      const index = slots[slot]!
      if (index < 0) return -1
      const first = codesFrom[index]!
      if (codesFrom[index + 1]! - first !== to - from) continue
      let at = from
      while (at < to && codes[first + at - from] === text.charCodeAt(at)) at++
      if (at === to) return index
    }
  }

  return (text, begins, pairs) => {
    let length = 0
    let at = 0
    const end = text.length
    while (at < end) {
      let code = text.charCodeAt(at)
      if (code <= 32) {
        at++
        continue
      }
      const from = at
      let hash = 0
      do {
        hash = (Math.imul(hash, 31) + code) | 0
        code = ++at < end ? text.charCodeAt(at) : 32
      } while (code > 32)
      const token = find(text, from, at, hash)
      const legal = token < 0 ? 0 : length === 0 ? begins[token] : pairs[buffer[length - 1]! * terminals.length + token]
      if (legal !== 1) {
        result.length = -1
        return result
      }
      if (length === buffer.length) {
        const wider = new Int32Array(length * 2)
        wider.set(buffer)
        buffer = wider
        result.buffer = wider
      }
      buffer[length++] = token
    }
    result.length = length
    return result
  }
}

/** Spreads the hash over its low bits: names such as t1..t99 differ in their last characters only. */
const scatter = (hash: number): number => (Math.imul(hash, -1640531527) >>> 15) ^ hash
