import type { Cnf } from './grammar.ts'
import { preterminals, rulesByParent } from './rule-lists.ts'
import { hasBit, spanRows, wordOf } from './span-rows.ts'
import { type Code, defineFunction, f64x2, i32, i64, set, upwards, when } from './wasm/assembler.ts'
import { compileKernel, workingMemory } from './wasm/kernel.ts'

/**
 * How many trees the start symbol has over a string, as a double: exact below 2^53, never 0 where there is one. Asked
 * directly after the inside pass (`span-passes.ts`) over the same string. Null for strings so long that a count might
 * pass 2^1000 under some grammar with as many rules: n - 1 binary rules in each tree, at most 4^n shapes.
 */
export type TreeCounter = (tokens: ArrayLike<number>) => number | null

/**
 * Counts of every symbol and span, the sum over splits and rules of products of counts: two ends at a time, in straight
 * code over the rules of one grammar. Splits where nothing ends are told by the inside masks and passed over.
 */
export function treeCounter(cnf: Cnf): TreeCounter {
  const symbols = cnf.nonterminals.length
  const byToken = preterminals(cnf)
  const rules = rulesByParent(cnf).reduce((sum, own) => sum + own.length, 0)
  const longest = Math.floor(1000 / (2 + 32 - Math.clz32(rules)))
  const { bytes } = spanRows(symbols)
  const { count } = compileKernel<'count'>([countFunction(cnf)])

  return (tokens) => {
    const n = tokens.length
    if (n > longest) return null
    const base = bytes(n)
    const pairs = (n >>> 1) + 1
    const size = 2 * n * pairs * symbols
    const counts = new Float64Array(workingMemory(base + 8 * size), base, size)
    const at = (i: number, j: number): number => 2 * (i * pairs + (j >>> 1)) * symbols + (j & 1)
    for (let i = n - 1; i >= 0; i--) {
      counts.fill(0, at(i, i & -2), at(i + 1, 0))
      for (const a of byToken[tokens[i] as number] ?? []) counts[at(i, i + 1) + 2 * a] = 1
      count(i, n, base)
    }
    return counts[at(0, n)] as number
  }
}

/**
 * The function count(i, n, base): the trees over all spans from start i. Counts lie from `base` on by start, pair of
 * ends (2 p, 2 p + 1), symbol, and end.
 */
function countFunction(cnf: Cnf) {
  const symbols = cnf.nonterminals.length
  const { union, address } = spanRows(symbols)
  const pointers = { k: i32.type, pair: i32.type, pairs: i32.type, left: i32.type, right: i32.type, to: i32.type }
  const one = i32.const(1)
  return defineFunction('count', ['i', 'n', 'base'], pointers, (locals) => {
    const { i, n, base, k, pair, pairs, left, right, to } = locals
    const cell = (start: Code, at: Code): Code =>
      i32.add(base, i32.mul(i32.add(i32.mul(start, pairs), at), i32.const(16 * symbols)))
    const sums = rulesByParent(cnf).map((rules, parent): Code => {
      if (rules.length === 0) return []
      const products = rules.map((rule) =>
        f64x2.mul(f64x2.loadSplat(left, 16 * rule.left), f64x2.load(right, 16 * rule.right)),
      )
      return f64x2.store(to, 16 * parent, f64x2.addAll([f64x2.load(to, 16 * parent), ...products]))
    })
    return [
      set(pairs, i32.add(i32.shrU(n, one), one)),
      upwards(k, i32.add(i, one), n, [
        when(hasBit(i64.load(address(wordOf(k), n, i), union), k), [
          set(left, i32.add(cell(i, i32.shrU(k, one)), i32.mul(i32.and(k, one), i32.const(8)))),
          upwards(pair, i32.shrU(i32.add(k, one), one), pairs, [
            set(to, cell(i, pair)),
            set(right, cell(k, pair)),
            sums,
          ]),
        ]),
      ]),
    ]
  })
}
