import { type Cnf, preterminals, rulesByParent } from '../grammar/cnf.ts'
import { powerOfTwo } from '../sample/inside.ts'
import { type Code, defineFunction, f64x2, i32, i64, set, upwards, when } from '../wasm/assembler.ts'
import { compileKernel, workingMemory } from '../wasm/kernel.ts'
import { hasBit, spanRows, wordOf } from './span-passes.ts'

/** A number mantissa * 2^exponent, the exponent 0 where a double holds it. */
export interface ScaledCount {
  readonly mantissa: number
  readonly exponent: number
}

/**
 * How many trees the start symbol has over a string: exact below 2^53, never 0 where there is one. Asked directly after
 * the inside pass (`span-passes.ts`) over the same string. Null where scaled doubles do not hold the counts of all spans,
 * from 2^2045 on, and for strings too long or grammars too large for a table of all spans.
 */
export type TreeCounter = (tokens: ArrayLike<number>) => ScaledCount | null

/**
 * By how many powers of two in all a second attempt divides, a share at each token. So no count is below 2^-1022, where
 * doubles begin to lose digits, and what is not rounded is as exact as in the first.
 */
const SCALE = 1022

/** Tokens of the longest string: the work here grows with n^3 even where there are few trees. */
const MAX_TOKENS = 512

/** Bytes of the largest table; the working memory of a thread never shrinks. */
const MAX_BYTES = 2 ** 28

/**
 * Counts of every symbol and span, the sum over splits and rules of products of counts: two ends at a time, in straight
 * code over the rules of one grammar. Splits where nothing ends, ends that nothing reaches from a split, and parents that do
 * not derive the span are seen in the inside masks and passed over.
 */
export function treeCounter(cnf: Cnf): TreeCounter {
  const symbols = cnf.nonterminals.length
  const byToken = preterminals(cnf)
  const { bytes, slots } = spanRows(symbols)
  const { count } = compileKernel<'count'>([countFunction(cnf)])

  /** The count divided by 2^scale; not finite where some span has more trees than a double holds. */
  function divided(tokens: ArrayLike<number>, scale: number): number {
    const n = tokens.length
    const base = bytes(n)
    const pairs = (n >>> 1) + 1
    const size = 2 * n * pairs * symbols
    const memory = workingMemory(base + 8 * size)
    const counts = new Float64Array(memory, base, size)
    const masks = new Int32Array(memory, 0, base / 4)
    /** The half word of an inside mask that has the bit of an end. */
    const maskOf = (slot: number, i: number, end: number): number =>
      masks[2 * (((end >>> 6) * (n + 1) + i) * slots + slot) + ((end >>> 5) & 1)] as number
    const at = (i: number, j: number): number => 2 * (i * pairs + (j >>> 1)) * symbols + (j & 1)
    /** Powers of two that are taken away before a place. */
    const taken = (place: number): number => Math.floor((place * scale) / n)
    for (let i = n - 1; i >= 0; i--) {
      // What is left as it was is not read.
      for (let pair = (i + 1) >>> 1; pair < pairs; pair++) {
        if (((maskOf(symbols, i, 2 * pair) >>> ((2 * pair) & 31)) & 3) === 0) continue
        const first = at(i, 2 * pair)
        counts.fill(0, first, first + 2 * symbols)
      }
      const one = powerOfTwo(taken(i) - taken(i + 1))
      for (const a of byToken[tokens[i] as number] ?? []) counts[at(i, i + 1) + 2 * a] = one
      count(i, n, base)
    }
    return (maskOf(0, 0, n) >>> (n & 31)) & 1 ? counts[at(0, n)]! : 0
  }

  return (tokens) => {
    const n = tokens.length
    if (n > MAX_TOKENS || 8 * n * (n + 2) * symbols > MAX_BYTES) return null
    const whole = divided(tokens, 0)
    if (Number.isFinite(whole)) return { mantissa: whole, exponent: 0 }
    const mantissa = divided(tokens, SCALE)
    if (!Number.isFinite(mantissa)) return null
    const held = mantissa * powerOfTwo(SCALE)
    return Number.isFinite(held) ? { mantissa: held, exponent: 0 } : { mantissa, exponent: SCALE }
  }
}

/**
 * The function count(i, n, base): the trees over all spans from start i. Counts lie from `base` on by start, pair of
 * ends (2 p, 2 p + 1), symbol, and end.
 */
function countFunction(cnf: Cnf) {
  const symbols = cnf.nonterminals.length
  const { union, address } = spanRows(symbols)
  const counters = { k: i32.type, pair: i32.type, pairs: i32.type }
  const pointers = { left: i32.type, right: i32.type, to: i32.type, masks: i32.type }
  const one = i32.const(1)
  return defineFunction('count', ['i', 'n', 'base'], { ...counters, ...pointers, ends: i64.type }, (locals) => {
    const { i, n, base, k, pair, pairs, left, right, to, masks, ends } = locals
    const cell = (start: Code, at: Code): Code =>
      i32.add(base, i32.mul(i32.add(i32.mul(start, pairs), at), i32.const(16 * symbols)))
    const wordOfPair = i32.shrU(pair, i32.const(5))
    /** Does a symbol, or any, derive the tokens from a row's start up to one of the pair of ends? */
    const endsThere = (row: Code, slot: number): Code => i64.ne(i64.and(i64.load(row, slot), ends), i64.const(0))
    const sums = rulesByParent(cnf).map((rules, parent): Code => {
      if (rules.length === 0) return []
      const products = rules.map((rule) =>
        f64x2.mul(f64x2.loadSplat(left, 16 * rule.left), f64x2.load(right, 16 * rule.right)),
      )
      const sum = f64x2.addAll([f64x2.load(to, 16 * parent), ...products])
      return when(endsThere(masks, 8 * parent), f64x2.store(to, 16 * parent, sum))
    })
    return [
      set(pairs, i32.add(i32.shrU(n, one), one)),
      upwards(k, i32.add(i, one), n, [
        when(hasBit(i64.load(address(wordOf(k), n, i), union), k), [
          set(left, i32.add(cell(i, i32.shrU(k, one)), i32.mul(i32.and(k, one), i32.const(8)))),
          upwards(pair, i32.shrU(i32.add(k, one), one), pairs, [
            set(ends, i64.shl(i64.const(3), i64.extendI32U(i32.add(pair, pair)))),
            when(endsThere(address(wordOfPair, n, k), union), [
              set(to, cell(i, pair)),
              set(right, cell(k, pair)),
              set(masks, address(wordOfPair, n, i)),
              sums,
            ]),
          ]),
        ]),
      ]),
    ]
  })
}
