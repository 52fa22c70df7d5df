import { memoize } from '../../../core/memo.ts'
import { type Cnf, type LeftRule, preterminals, rulesByLeftChild } from '../grammar/cnf.ts'
import {
  type Code,
  defineFunction,
  downwards,
  i32,
  i64,
  type Local,
  set,
  upwards,
  when,
  whilst,
} from '../wasm/assembler.ts'
import { compileKernel, workingMemory } from '../wasm/kernel.ts'

/**
 * Symbols and spans of one string of n tokens, as masks of ends: bit j of the mask of (A, i) speaks of A and span i..j,
 * places between tokens.
 */
export interface SpanMasks {
  readonly length: number
  has(symbol: number, from: number, to: number): boolean
  /** Bits 32 w to 32 w + 31 of the mask. */
  word(symbol: number, from: number, w: number): number
  /** A copy in `room`, valid until that takes another. */
  kept(room: MaskRoom): SpanMasks
}

/** Memory for masks that are kept; it grows as it must. */
export interface MaskRoom {
  words: Int32Array
}

/** The two passes over one string. What they return is valid until the next pass of any grammar. */
export interface SpanPasses {
  /**
   * (A, i, j) where A derives tokens i..j-1, all of them: they are closed under the rules. What is no terminal derives
   * from nothing.
   */
  inside(tokens: ArrayLike<number>): SpanMasks
  /**
   * Over the string of the last inside pass, (A, i, j) where S =>* tokens 0..i-1, A, tokens j..n-1. What is outside a
   * span does not depend on the tokens inside it, and i = j is a span too. `enough` is asked after each start i, when
   * the masks of i and those before it are complete; true ends the pass.
   */
  outside(enough: (masks: SpanMasks) => boolean): SpanMasks
}

/**
 * Row propagation, compiled to straight code over the rules of one grammar, once.
 *
 * Inside: starts from right to left; at one start, a symbol B that ends at k and a rule A -> B C give A all the ends that
 * C has from k on, by one OR. The symbols are gone through again and again, each with the ends it got since: few of them
 * end anywhere, and rounds are few. Outside: starts from left to right, first the left children, then the
 * right ones, in the order that completes every mask before it is read.
 */
export const spanPasses: (cnf: Cnf) => SpanPasses = memoize(compile)

// Each is made when the first string comes to it.
const shortKernel = memoize((cnf: Cnf) => compileKernel<'inside'>([insideFunction(cnf, true)]))
const longKernel = memoize((cnf: Cnf) => compileKernel<'inside'>([insideFunction(cnf, false)]))
const outsideKernel = memoize((cnf: Cnf) => compileKernel<'outside'>([outsideFunction(cnf)]))

function compile(cnf: Cnf): SpanPasses {
  const symbols = cnf.nonterminals.length
  const { slots, bytes } = spanRows(symbols)
  const byToken = preterminals(cnf)
  let length = 0

  function masksOf(words: Int32Array, n: number): SpanMasks {
    const places = n + 1
    const word = (symbol: number, from: number, w: number): number =>
      words[2 * (((w >>> 1) * places + from) * slots + symbol) + (w & 1)] as number
    return {
      length: n,
      has: (symbol, from, to) => (word(symbol, from, to >>> 5) & (1 << (to & 31))) !== 0,
      word,
      kept(room) {
        if (room.words.length < words.length) room.words = new Int32Array(words.length)
        room.words.set(words)
        return masksOf(room.words, n)
      },
    }
  }

  /** Room for the inside masks at 0 and the outside masks after them; those from `first` on, all 0. */
  function cleared(n: number, first: number): Int32Array {
    const size = bytes(n)
    return new Int32Array(workingMemory(2 * size), first, size / 4).fill(0)
  }

  return {
    inside(tokens) {
      const n = tokens.length
      const words = cleared(n, 0)
      const open = bytes(n)
      const { inside } = n > IN_ONE_WORD ? longKernel(cnf) : shortKernel(cnf)
      length = n
      for (let i = n - 1; i >= 0; i--) {
        const own = byToken[tokens[i] as number]
        if (own === undefined || own.length === 0) continue
        const end = i + 1
        const row = 2 * ((end >>> 6) * (n + 1) + i) * slots + ((end >>> 5) & 1)
        for (const a of own) words[row + 2 * a] = 1 << (end & 31)
        inside(i, n, open)
      }
      return masksOf(words, n)
    },
    outside(enough) {
      const n = length
      const base = bytes(n)
      const words = cleared(n, base)
      const masks = masksOf(words, n)
      const { outside } = outsideKernel(cnf)
      words[2 * (n >>> 6) * (n + 1) * slots + ((n >>> 5) & 1)] = 1 << (n & 31)
      for (let i = 0; i < n; i++) {
        outside(i, n, base)
        if (enough(masks)) break
      }
      return masks
    },
  }
}

const one = i32.const(1)
const none = i64.const(0)

const insideLocals = {
  k: i32.type,
  w: i32.type,
  v: i32.type,
  words: i32.type,
  ends: i32.type,
  left: i32.type,
  to: i32.type,
  from: i32.type,
  grown: i32.type,
  pending: i64.type,
  before: i64.type,
} as const

/** Strings of at most this many tokens have all ends in one word. */
const IN_ONE_WORD = 63

/**
 * The function inside(i, n, open): all that start i derives by binary rules, in rounds over the left children. Each end of
 * one that was found since the last round is a split; those that were not used yet are the bits of the rows from `open`
 * on, a row for each word.
 */
const insideFunction = (cnf: Cnf, oneWord: boolean) =>
  defineFunction('inside', ['i', 'n', 'open'], insideLocals, (locals) => {
    const { i, n, open, k, w, v, words, ends, left, to, from, grown, pending, before } = locals
    const { union, address, row } = spanRows(cnf.nonterminals.length)
    const rules = rulesByLeftChild(cnf)
    const eachWord = (local: Local, first: Code, rows: Code, body: Code): Code =>
      oneWord ? body : upwards(local, first, words, [rows, body])
    const rowsOfLeft = [set(ends, address(w, n, i)), set(left, i32.add(open, row(w)))]
    const rowOfParents = set(to, address(v, n, i))
    // Nothing comes after the end of the string: it is no split.
    const begin = eachWord(w, wordOf(i), rowsOfLeft, [
      set(before, i64.const(-1)),
      when(i32.eq(w, wordOf(n)), set(before, i64.sub(bitAt(n), i64.const(1)))),
      everyLeft(rules, (b) => i64.store(left, 8 * b, before)),
    ])
    const split = (own: readonly LeftRule[]): Code => [
      set(k, i32.add(i32.mul(w, i32.const(64)), i32.wrapI64(i64.ctz(pending)))),
      set(pending, i64.and(pending, i64.sub(pending, i64.const(1)))),
      eachWord(v, w, rowOfParents, [
        set(from, address(v, n, k)),
        own.map(({ parent, right }) => orInto(to, 8 * parent, i64.load(from, 8 * right))),
      ]),
    ]
    const round = everyLeft(rules, (b, own) =>
      eachWord(w, wordOf(i), rowsOfLeft, [
        set(pending, i64.and(i64.load(ends, 8 * b), i64.load(left, 8 * b))),
        when(i64.ne(pending, none), [
          i64.store(left, 8 * b, i64.xor(i64.load(left, 8 * b), pending)),
          set(grown, one),
          whilst(i64.ne(pending, none), split(own)),
        ]),
      ]),
    )
    return [
      set(words, i32.add(wordOf(n), one)),
      oneWord ? [rowsOfLeft, rowOfParents] : [],
      begin,
      set(grown, one),
      whilst(grown, [set(grown, i32.const(0)), round]),
      upwards(w, wordOf(i), words, [
        set(to, address(w, n, i)),
        i64.store(to, union, i64.orAll(cnf.nonterminals.map((_, a) => i64.load(to, 8 * a)))),
      ]),
    ]
  })

/** The function outside(i, n, base): all outside masks of start i, and what follows from them for starts beyond. */
function outsideFunction(cnf: Cnf) {
  const { union, address } = spanRows(cnf.nonterminals.length)
  const leftRules = rulesByLeftChild(cnf)
  const pointers = { k: i32.type, w: i32.type, words: i32.type, outer: i32.type, inner: i32.type, to: i32.type }
  const masks = { meant: i64.type, all: i64.type, found: i64.type }
  return defineFunction('outside', ['i', 'n', 'base'], { ...pointers, ...masks }, (locals) => {
    const { i, n, base, k, w, words, outer, inner, to, meant, all, found } = locals
    const outerRow = (word: Code, start: Code): Code => i32.add(base, address(word, n, start))

    /** Bits below i came along with others and mean nothing. */
    const settle = upwards(w, wordOf(i), words, [
      set(outer, outerRow(w, i)),
      set(meant, i64.const(-1)),
      when(i32.eq(w, wordOf(i)), set(meant, i64.shl(meant, i64.extendI32U(i)))),
      set(all, none),
      cnf.nonterminals.map((_, a) => [
        i64.store(outer, 8 * a, i64.and(i64.load(outer, 8 * a), meant)),
        set(all, i64.or(all, i64.load(outer, 8 * a))),
      ]),
      i64.store(outer, union, all),
    ])
    /** From (i, j) of a parent to (i, k) of its left child, for every right child inside (k, j). */
    const leftChildren = downwards(k, i32.sub(n, one), i, [
      set(to, outerRow(wordOf(k), i)),
      upwards(w, wordOf(k), words, [
        set(outer, outerRow(w, i)),
        set(inner, address(w, n, k)),
        when(i64.ne(i64.and(i64.load(outer, union), i64.load(inner, union)), none), [
          set(all, none),
          everyLeft(leftRules, (b, rules) => {
            const meetings = rules.map(({ parent, right }) =>
              i64.and(i64.load(outer, 8 * parent), i64.load(inner, 8 * right)),
            )
            return [
              set(found, i64.extendI32U(i64.ne(i64.orAll(meetings), none))),
              orInto(to, 8 * b, i64.shl(found, i64.extendI32U(k))),
              set(all, i64.or(all, found)),
            ]
          }),
          orInto(to, union, i64.shl(all, i64.extendI32U(k))),
        ]),
      ]),
    ])
    /** From (i, j) of a parent to (k, j) of its right child, for every left child inside (i, k). */
    const rightChildren = upwards(k, i32.add(i, one), i32.add(n, one), [
      set(inner, address(wordOf(k), n, i)),
      when(hasBit(i64.load(inner, union), k), [
        upwards(w, wordOf(k), words, [
          set(outer, outerRow(w, i)),
          set(to, outerRow(w, k)),
          when(i64.ne(i64.load(outer, union), none), [
            everyLeft(leftRules, (b, rules) =>
              when(
                hasBit(i64.load(inner, 8 * b), k),
                rules.map(({ parent, right }) => orInto(to, 8 * right, i64.load(outer, 8 * parent))),
              ),
            ),
          ]),
        ]),
      ]),
    ])
    return [set(words, i32.add(wordOf(n), one)), settle, leftChildren, rightChildren]
  })
}

/**
 * Where compiled code finds the masks of a string of n tokens: one row for each word (of 64 ends) and start, with a slot
 * for each symbol and one more for the union of them, by which places where nothing is are passed over.
 */
interface SpanRows {
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

function spanRows(symbols: number): SpanRows {
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
const wordOf = (end: Code): Code => i32.shrU(end, i32.const(6))

/** The bit of an end, alone, in its word. */
const bitAt = (end: Local): Code => i64.shl(i64.const(1), i64.extendI32U(end))

/** Has a mask the bit of an end? 0 or 1. */
const hasBit = (mask: Code, end: Local): Code => i32.wrapI64(i64.and(i64.shrU(mask, i64.extendI32U(end)), i64.const(1)))

/** Adds a mask to the one at an address. */
const orInto = (address: Code, offset: number, mask: Code): Code =>
  i64.store(address, offset, i64.or(i64.load(address, offset), mask))

/** Code for every symbol that is a left child, with the rules in which it is. */
const everyLeft = (
  rules: readonly (readonly LeftRule[])[],
  code: (b: number, own: readonly LeftRule[]) => Code,
): Code => rules.map((own, b) => (own.length === 0 ? [] : code(b, own)))
