import type { Cnf } from './cnf.ts'

/** Which nonterminals derive at least one string of terminals: the least fixpoint, by a worklist in O(rules). */
function productive(cnf: Cnf): Uint8Array {
  const { binary, lexical } = cnf
  const out = new Uint8Array(cnf.nonterminals.length)
  const work: number[] = []
  const mark = (symbol: number) => {
    if (out[symbol]) return
    out[symbol] = 1
    work.push(symbol)
  }
  for (let at = 0; at < lexical.length; at += 2) mark(lexical[at]!)
  const users = rulesByChild(cnf)
  while (work.length > 0) {
    for (const at of users[work.pop() as number] as number[])
      if (out[binary[at + 1] as number] && out[binary[at + 2] as number]) mark(binary[at]!)
  }
  return out
}

/**
 * Which nonterminals occur in a derivation of a string from the start symbol: productive, and reachable by rules whose
 * right-hand sides are all productive. All zero iff the language is empty. (RELIC's trim set.)
 */
export function useful(cnf: Cnf): Uint8Array {
  const { binary } = cnf
  const alive = productive(cnf)
  const out = new Uint8Array(alive.length)
  if (!alive[0]) return out
  const byLeft: number[][] = Array.from(alive, () => [])
  for (let at = 0; at < binary.length; at += 3) (byLeft[binary[at] as number] as number[]).push(at)
  out[0] = 1
  const work = [0]
  while (work.length > 0) {
    for (const at of byLeft[work.pop() as number] as number[]) {
      const left = binary[at + 1]!
      const right = binary[at + 2]!
      if (!alive[left] || !alive[right]) continue
      for (const child of [left, right]) {
        if (out[child]) continue
        out[child] = 1
        work.push(child)
      }
    }
  }
  return out
}

/**
 * The grammar without useless rules and symbols, in the same order and with the same names; the language is the same.
 * Null when the language is empty. A grammar that is trimmed already comes back with equal content.
 *
 * @example
 * import { parseRelicGrammar, printRelicGrammar, trim } from '@touchstone-eval/touchstone/grammars'
 *
 * const kept = trim(parseRelicGrammar("S -> A A\nA -> 'a'\nB -> 'b'"))
 * console.log(kept === null ? 'empty' : printRelicGrammar(kept).split('\n').length) // 2
 */
export function trim(cnf: Cnf): Cnf | null {
  const keep = useful(cnf)
  if (!keep[0]) return null
  const nonterminals = renumber(cnf.nonterminals, keep)
  const used = new Uint8Array(cnf.terminals.length)
  for (let at = 0; at < cnf.lexical.length; at += 2)
    if (keep[cnf.lexical[at] as number]) used[cnf.lexical[at + 1] as number] = 1
  const terminals = renumber(cnf.terminals, used)
  const binary: number[] = []
  const { binary: rules, lexical: words } = cnf
  for (let at = 0; at < rules.length; at += 3) {
    const rule = [rules[at], rules[at + 1], rules[at + 2]] as number[]
    if (rule.every((symbol) => keep[symbol])) binary.push(...rule.map((s) => nonterminals.to[s]!))
  }
  const lexical: number[] = []
  for (let at = 0; at < words.length; at += 2) {
    const left = words[at]!
    if (keep[left]) lexical.push(nonterminals.to[left]!, terminals.to[words[at + 1] as number] as number)
  }
  return {
    nonterminals: nonterminals.names,
    terminals: terminals.names,
    binary: Int32Array.from(binary),
    lexical: Int32Array.from(lexical),
  }
}

/** For every nonterminal, the offsets of the binary rules that have it on the right-hand side. */
function rulesByChild(cnf: Cnf): number[][] {
  const { binary } = cnf
  const users: number[][] = cnf.nonterminals.map(() => [])
  for (let at = 0; at < binary.length; at += 3) {
    ;(users[binary[at + 1] as number] as number[]).push(at)
    if (binary[at + 1] !== binary[at + 2]) (users[binary[at + 2] as number] as number[]).push(at)
  }
  return users
}

function renumber(names: readonly string[], keep: Uint8Array): { names: string[]; to: Int32Array } {
  const to = new Int32Array(names.length)
  const kept: string[] = []
  for (const [symbol, name] of names.entries()) if (keep[symbol]) to[symbol] = kept.push(name) - 1
  return { names: kept, to }
}
