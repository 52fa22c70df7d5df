import type { Cnf } from '../grammar/cnf.ts'
import { preterminals, rulesByLeftChild } from '../grammar/rule-lists.ts'
import { type Code, defineFunction, i32, i64, set, upwards, whilst } from '../wasm/assembler.ts'
import { compileKernel, workingMemory } from '../wasm/kernel.ts'
import type { Kernel } from './row-kernel.ts'
import { insideCode, insideLocals } from './span-passes.ts'
import { bitAt, everyLeft, orInto, spanRows, wordOf } from './span-rows.ts'

/**
 * Recognition for strings whose charts fill up: the inside pass of `span-passes.ts`, filtered by what may follow.
 *
 * Symbol B is wanted at k iff some rule A -> B C has C from k to an end at which A is wanted, or B comes last in
 * something wanted at k: the mirror image of Earley's prediction. What is not wanted is in no derivation of the string,
 * and where nothing over a token is wanted no string of the language ends like this one.
 */
export function compileCrowdedKernel(cnf: Cnf): Kernel {
  const symbols = cnf.nonterminals.length
  const { slots, bytes } = spanRows(symbols)
  const byToken = preterminals(cnf)
  const last = lastSymbols(cnf)
  const { start } = compileKernel<'start'>([startFunction(cnf)])

  return (tokens, n) => {
    // After the rows of the string, one more for each word: the ends at which each symbol is wanted.
    const base = bytes(n)
    const size = base / 4 + 2 * ((n >>> 6) + 1) * slots
    const words = new Int32Array(workingMemory(4 * size), 0, size).fill(0)
    /** Where a row begins, in the half of its word that has the bit of an end. */
    const half = (row: number, end: number): number => 2 * row * slots + ((end >>> 5) & 1)
    const goals = (end: number): number => base / 4 + half(end >>> 6, end)
    for (const symbol of last) words[goals(n) + 2 * symbol] = 1 << (n & 31)
    for (let i = n - 1; i >= 0; i--) {
      const end = i + 1
      const bit = 1 << (end & 31)
      const row = half((end >>> 6) * (n + 1) + i, end)
      const goal = goals(end)
      const own = byToken[tokens[i] as number] as readonly number[]
      let some = 0
      for (const a of own) some |= words[row + 2 * a] = (words[goal + 2 * a] as number) & bit
      if (some === 0) return false
      words[row + 2 * symbols] = bit
      start(i, n, base)
    }
    return ((words[half((n >>> 6) * (n + 1), n)] as number) & (1 << (n & 31))) !== 0
  }
}

/** The symbols that come last in something that the start symbol derives. */
function lastSymbols({ binary }: Cnf): ReadonlySet<number> {
  const found = new Set([0])
  for (const symbol of found)
    for (let at = 0; at < binary.length; at += 3) if (binary[at] === symbol) found.add(binary[at + 2] as number)
  return found
}

/** The function start(i, n, base): what is wanted of all that start i derives, then what is wanted at i. */
function startFunction(cnf: Cnf) {
  const { union, slots, address } = spanRows(cnf.nonterminals.length)
  const rules = rulesByLeftChild(cnf)
  const one = i32.const(1)
  const none = i64.const(0)
  const more = { words: i32.type, goal: i32.type, grown: i32.type }
  return defineFunction('start', ['i', 'n', 'base'], { ...insideLocals, ...more }, (locals) => {
    const { i, n, base, k, w, words, ends, to, from, goal, all, grown } = locals
    const goalRow = (word: Code): Code => i32.add(base, i32.mul(word, i32.const(8 * slots)))

    const derive = insideCode(
      cnf,
      locals,
      (b) => i64.and(i64.load(ends, 8 * b), i64.load(goal, 8 * b)),
      set(goal, goalRow(wordOf(k))),
    )
    const keepWanted = upwards(w, wordOf(i), words, [
      set(to, address(w, n, i)),
      set(goal, goalRow(w)),
      set(all, none),
      cnf.nonterminals.map((_, a) => [
        i64.store(to, 8 * a, i64.and(i64.load(to, 8 * a), i64.load(goal, 8 * a))),
        set(all, i64.or(all, i64.load(to, 8 * a))),
      ]),
      i64.store(to, union, all),
    ])
    const wantLeftChildren = upwards(w, wordOf(i), words, [
      set(from, address(w, n, i)),
      set(goal, goalRow(w)),
      everyLeft(rules, (b, own) => {
        const meetings = own.map(({ parent, right }) => i64.and(i64.load(goal, 8 * parent), i64.load(from, 8 * right)))
        const found = i64.extendI32U(i64.ne(i64.orAll(meetings), none))
        return orInto(to, 8 * b, i64.shl(found, i64.extendI32U(i)))
      }),
    ])
    const wantLast = whilst(grown, [
      set(all, none),
      everyLeft(rules, (_, own) =>
        own.map(({ parent, right }) => {
          const wanted = i64.and(i64.load(to, 8 * parent), bitAt(i))
          return [
            set(all, i64.or(all, i64.and(wanted, i64.xor(i64.load(to, 8 * right), i64.const(-1))))),
            orInto(to, 8 * right, wanted),
          ]
        }),
      ),
      set(grown, i64.ne(all, none)),
    ])
    return [
      set(words, i32.add(wordOf(n), one)),
      derive,
      keepWanted,
      set(to, goalRow(wordOf(i))),
      wantLeftChildren,
      set(grown, one),
      wantLast,
    ]
  })
}
