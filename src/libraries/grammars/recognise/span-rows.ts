import type { LeftRule } from '../grammar/rule-lists.ts'
import { type Code, i32, i64, type Local } from '../wasm/assembler.ts'

/**
 * Where compiled code finds the masks of a string of n tokens: one row for each word (of 64 ends) and start, with a slot
 * for each symbol and one more for the union of them, by which places where nothing is are passed over.
 */
export interface SpanRows {
  readonly slots: number
  /** Offset of the union within a row, in bytes; that of symbol A is 8 A. */
  readonly union: number
  /** Bytes of all rows of n tokens, rounded up to 16. */
  bytes(n: number): number
  /** The address of the row of word w and a start, counted from the first row. */
  address(w: Code, n: Code, start: Code): Code
  /** How far rows 0 and w of one start lie apart, where nothing else has rows. */
  row(w: Code): Code
}

export function spanRows(symbols: number): SpanRows {
  const slots = symbols + 1
  return {
    slots,
    union: 8 * symbols,
    bytes: (n) => 16 * Math.ceil((((n >>> 6) + 1) * (n + 1) * slots) / 2),
    address: (w, n, start) => i32.mul(i32.add(i32.mul(w, i32.add(n, i32.const(1))), start), i32.const(8 * slots)),
    row: (w) => i32.mul(w, i32.const(8 * slots)),
  }
}

/** The word that holds the bit of an end. */
export const wordOf = (end: Code): Code => i32.shrU(end, i32.const(6))

/** The bit of an end, alone, in its word. */
export const bitAt = (end: Local): Code => i64.shl(i64.const(1), i64.extendI32U(end))

/** Has a mask the bit of an end? 0 or 1. */
export const hasBit = (mask: Code, end: Local): Code =>
  i32.wrapI64(i64.and(i64.shrU(mask, i64.extendI32U(end)), i64.const(1)))

/** Adds a mask to the one at an address. */
export const orInto = (address: Code, offset: number, mask: Code): Code =>
  i64.store(address, offset, i64.or(i64.load(address, offset), mask))

/** Code for every symbol that is a left child, with the rules in which it is. */
export const everyLeft = (
  rules: readonly (readonly LeftRule[])[],
  code: (b: number, own: readonly LeftRule[]) => Code,
): Code => rules.map((own, b) => (own.length === 0 ? [] : code(b, own)))
