import type { RuleIndex } from '../grammar/cnf.ts'

/** Which (symbol, length) cells hold a string: one bit per length 0..maxLength, `words` 32-bit words per symbol. */
export interface LengthTable {
  readonly maxLength: number
  readonly words: number
  readonly bits: Int32Array
}

/**
 * The boolean inside table by length: cell (A, n) is set iff A derives some string of n tokens. Cheap enough to check
 * the coverage of thousands of candidate grammars (lengths x rules word operations).
 */
export function lengthTable(index: RuleIndex, maxLength: number): LengthTable {
  const { symbols, left, right, pairs, pairStart, tokenStart } = index
  const words = (maxLength >>> 5) + 1
  const bits = new Int32Array(symbols * words)
  if (maxLength >= 1) for (let a = 0; a < symbols; a++) if (tokenStart[a + 1]! > tokenStart[a]!) bits[a * words]! |= 2
  // Cells of length n are final once all shorter ones are in. A pair (B, C) with lengths k <= m is met at step m, when
  // both masks are final up to m: the one with the new length shifts the other.
  const sums = new Int32Array(left.length * words)
  for (let n = 1; n < maxLength; n++) {
    const word = n >>> 5
    const bit = 1 << (n & 31)
    for (let p = 0; p < left.length; p++) {
      const b = left[p]! * words
      const c = right[p]! * words
      if (bits[b + word]! & bit) orShifted(sums, p * words, bits, c, n, words)
      if (bits[c + word]! & bit) orShifted(sums, p * words, bits, b, n, words)
    }
    const nextWord = (n + 1) >>> 5
    const nextBit = 1 << ((n + 1) & 31)
    for (let a = 0; a < symbols; a++)
      for (let r = pairStart[a]!; r < pairStart[a + 1]!; r++)
        if (sums[pairs[r]! * words + nextWord]! & nextBit) {
          bits[a * words + nextWord]! |= nextBit
          break
        }
  }
  return { maxLength, words, bits }
}

/** target |= source << shift, over `words` words from the two offsets; what is shifted past the end is dropped. */
function orShifted(target: Int32Array, at: number, source: Int32Array, from: number, shift: number, words: number) {
  const whole = shift >>> 5
  const part = shift & 31
  for (let w = words - 1; w >= whole; w--) {
    let value = source[from + w - whole]! << part
    if (part > 0 && w > whole) value |= source[from + w - whole - 1]! >>> (32 - part)
    target[at + w]! |= value
  }
}

/**
 * Does symbol `a` derive a string of `n` tokens? False past the table.
 *
 * @example
 * import { derivesLength, language, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { lengths } = language(parseRelicGrammar("S -> A A\nA -> 'a'"), 8)
 * console.log(derivesLength(lengths, 0, 2), derivesLength(lengths, 0, 3)) // true false
 */
export function derivesLength(table: LengthTable, a: number, n: number): boolean {
  return n >= 0 && n <= table.maxLength && (table.bits[a * table.words + (n >>> 5)]! & (1 << (n & 31))) !== 0
}

/**
 * The lengths 0..maxLength at which symbol `a` (default: the start symbol) derives a string, ascending.
 *
 * @example
 * import { attainableLengths, language, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { lengths } = language(parseRelicGrammar("S -> A B\nA -> B B\nB -> A B\nB -> 'b'"), 8)
 * console.log(attainableLengths(lengths)) // [ 3, 5, 7 ]
 */
export function attainableLengths(table: LengthTable, a = 0): number[] {
  const out: number[] = []
  for (let n = 0; n <= table.maxLength; n++) if (derivesLength(table, a, n)) out.push(n)
  return out
}
