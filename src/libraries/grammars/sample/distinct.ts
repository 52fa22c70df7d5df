import type { RuleIndex } from '../grammar/cnf.ts'
import { derivesLength, type LengthTable } from './lengths.ts'

/**
 * Token strings packed into JavaScript strings, one UTF-16 unit per token: they concatenate, compare and hash natively.
 * Never shown to anybody; lone surrogates are fine.
 */

/** Most arguments of one call. */
const AT_ONCE = 4096

/** Pack token numbers, each 0..65535. */
export function pack(tokens: ArrayLike<number>): string {
  if (tokens.length <= AT_ONCE) return String.fromCharCode.apply(null, tokens as number[])
  let out = ''
  for (let at = 0; at < tokens.length; at += AT_ONCE)
    out += pack(Array.prototype.slice.call(tokens, at, at + AT_ONCE) as number[])
  return out
}

/** The token numbers of a packed string. */
export function unpack(packed: string): Int32Array {
  const out = new Int32Array(packed.length)
  for (let i = 0; i < out.length; i++) out[i] = packed.charCodeAt(i)
  return out
}

/** Packing needs every terminal number to fit one UTF-16 unit. */
export function checkPackable(terminals: number): void {
  if (terminals > 65536) throw new RangeError(`at most 65536 terminals can be handled, the grammar has ${terminals}`)
}

/** What is known of a (symbol, length) cell: all its strings when `complete`, else exactly `cap` of more or as many. */
export interface DistinctCell {
  readonly complete: boolean
  /** distinct strings of the cell, packed (see {@link pack}), in a fixed order */
  readonly strings: readonly string[]
}

/** Exact sets of distinct strings per (symbol, length), each cut off at `cap`. */
export interface DistinctStrings {
  readonly cap: number
  /** The cell of `length` tokens derived from `symbol` (default: the start symbol). */
  cell(length: number, symbol?: number): DistinctCell
}

/**
 * The capped-set recurrence, evaluated on demand. A cell is the union over rules A -> B C and splits of all
 * concatenations, stopped at `cap` distinct strings. Children cut off at `cap` lose nothing: with one fixed split,
 * `cap` different left parts and one right part already make `cap` different strings. So fewer than `cap` strings is a
 * proof that there are no more, and `cap` strings prove that there are at least `cap`.
 */
export function distinctStrings(index: RuleIndex, lengths: LengthTable, cap: number): DistinctStrings {
  if (!Number.isSafeInteger(cap) || cap < 1) throw new RangeError(`distinctStrings needs a cap >= 1, got ${cap}`)
  checkPackable(index.terminals)
  const { left, right, pairStart, pairs, tokenStart, tokens } = index
  const size = lengths.maxLength + 1
  const cells = new Map<number, DistinctCell>()

  function cell(length: number, symbol: number): DistinctCell {
    const key = symbol * size + length
    let known = cells.get(key)
    if (known === undefined) {
      const found = new Set<string>()
      if (length === 1) lexical(symbol, found)
      else joined(symbol, length, found)
      known = { complete: found.size < cap, strings: [...found] }
      cells.set(key, known)
    }
    return known
  }

  function lexical(symbol: number, found: Set<string>): void {
    for (let r = tokenStart[symbol]!; r < tokenStart[symbol + 1]! && found.size < cap; r++)
      found.add(String.fromCharCode(tokens[r]!))
  }

  function joined(symbol: number, length: number, found: Set<string>): void {
    for (let r = pairStart[symbol]!; r < pairStart[symbol + 1]!; r++) {
      const b = left[pairs[r]!]!
      const c = right[pairs[r]!]!
      for (let k = 1; k < length; k++) {
        if (!derivesLength(lengths, b, k) || !derivesLength(lengths, c, length - k)) continue
        const rights = cell(length - k, c).strings
        for (const x of cell(k, b).strings)
          for (const y of rights) {
            found.add(x + y)
            if (found.size === cap) return
          }
      }
    }
  }

  const none: DistinctCell = { complete: true, strings: [] }
  return {
    cap,
    cell(length, symbol = 0) {
      if (length > lengths.maxLength)
        throw new RangeError(`lengths go up to ${lengths.maxLength}, length ${length} was asked for`)
      return derivesLength(lengths, symbol, length) ? cell(length, symbol) : none
    },
  }
}
