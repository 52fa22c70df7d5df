import { memoize } from '../../../core/memo.ts'
import type { Cnf } from '../grammar/cnf.ts'
import { preterminals, rulesByLeftChild } from '../grammar/rule-lists.ts'
import { type Code, defineFunction, i32, i64, set, upwards } from '../wasm/assembler.ts'
import { compileKernel, workingMemory } from '../wasm/kernel.ts'
import { type Companions, companions, lastIn } from './last-symbols.ts'
import type { Kernel } from './row-kernel.ts'
import { IN_ONE_WORD, insideCode, insideLocals } from './span-passes.ts'
import { bitAt, everyLeft, orInto, spanRows, wordOf } from './span-rows.ts'

/**
 * Recognition for strings whose charts fill up: the inside pass of `span-passes.ts`, filtered by what may follow.
 *
 * Symbol B is wanted at k iff some rule A -> B C has C from k to an end at which A is wanted, or B comes last in
 * something wanted at k: the mirror image of Earley's prediction. What is not wanted is in no derivation of the string,
 * and where nothing over a token is wanted no string of the language ends like this one.
 */
export function compileCrowdedKernel(cnf: Cnf): Kernel {
  const { slots, bytes } = spanRows(cnf.nonterminals.length)
  const byToken = preterminals(cnf)
  const last = lastIn(cnf, 0)

  return (tokens, n) => {
    const { start } = n > IN_ONE_WORD ? longKernel(cnf) : shortKernel(cnf)
    // After the rows of the string, two more for each word: the ends at which each symbol is wanted, and open splits.
    const base = bytes(n)
    const ofGoals = 2 * ((n >>> 6) + 1) * slots
    const open = base + 4 * ofGoals
    const size = base / 4 + 2 * ofGoals
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
      start(i, n, base, open)
    }
    return ((words[half((n >>> 6) * (n + 1), n)] as number) & (1 << (n & 31))) !== 0
  }
}

// Each is made when the first string comes to it.
const shortKernel = memoize((cnf: Cnf) => compileKernel<'start'>([startFunction(cnf, true)]))
const longKernel = memoize((cnf: Cnf) => compileKernel<'start'>([startFunction(cnf, false)]))

/** The function start(i, n, base, open): what is wanted of all that start i derives, then what is wanted at i. */
function startFunction(cnf: Cnf, oneWord: boolean) {
  const { address, row } = spanRows(cnf.nonterminals.length)
  const rules = rulesByLeftChild(cnf)
  const more = { goal: i32.type, all: i64.type }
  return defineFunction('start', ['i', 'n', 'base', 'open'], { ...insideLocals, ...more }, (locals) => {
    const { i, n, base, w, words, to, from, goal, all } = locals
    const goalRow = (word: Code): Code => i32.add(base, row(word))
    const eachWord = (body: Code): Code => upwards(w, wordOf(i), words, [set(goal, goalRow(w)), body])

    const derive = insideCode(cnf, oneWord, locals, (b) => i64.load(goal, 8 * b), set(goal, goalRow(w)))
    const keepWanted = eachWord([
      set(to, address(w, n, i)),
      cnf.nonterminals.map((_, a) => i64.store(to, 8 * a, i64.and(i64.load(to, 8 * a), i64.load(goal, 8 * a)))),
    ])
    const wantLeftChildren = eachWord([
      set(from, address(w, n, i)),
      everyLeft(rules, (b, own) => {
        const meetings = own.map(({ parent, right }) => i64.and(i64.load(goal, 8 * parent), i64.load(from, 8 * right)))
        const found = i64.extendI32U(i64.ne(i64.orAll(meetings), i64.const(0)))
        return orInto(to, 8 * b, i64.shl(found, i64.extendI32U(i)))
      }),
    ])
    const wantLast = companions(cnf).map(({ members, above }: Companions) => [
      set(all, i64.and(i64.orAll([...members, ...above].map((a) => i64.load(to, 8 * a))), bitAt(i))),
      members.map((a) => orInto(to, 8 * a, all)),
    ])
    return [derive, keepWanted, set(to, goalRow(wordOf(i))), wantLeftChildren, wantLast]
  })
}
