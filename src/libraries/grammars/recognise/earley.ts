import type { Cnf } from '../grammar/cnf.ts'

/**
 * Earley recognition (Earley 1970): top-down, left to right, with prediction. It shares nothing with the end-mask
 * recogniser but the grammar type, and so serves as its oracle.
 */
export interface EarleyRecognizer {
  /** Terminal numbers; a number that is no terminal makes it false. */
  accepts(tokens: ArrayLike<number>): boolean
}

export function compileEarley(cnf: Cnf): EarleyRecognizer {
  const N = cnf.nonterminals.length
  const leftCorners = leftCornerClosure(cnf)
  // Rules by their left child: [parent, right child, ...].
  const byLeft: number[][] = cnf.nonterminals.map(() => [])
  for (let at = 0; at < cnf.binary.length; at += 3)
    (byLeft[cnf.binary[at + 1] as number] as number[]).push(cnf.binary[at]!, cnf.binary[at + 2]!)
  const byToken: number[][] = cnf.terminals.map(() => [])
  for (let at = 0; at < cnf.lexical.length; at += 2)
    (byToken[cnf.lexical[at + 1] as number] as number[]).push(cnf.lexical[at]!)

  return {
    accepts(tokens) {
      const n = tokens.length
      if (n === 0) return false
      // predicted[i][A]: is A expected to begin at i?
      const predicted = Array.from({ length: n + 1 }, () => new Uint8Array(N))
      // waiting[i][C]: parents and origins of items that need C from i on, [A, origin, ...].
      const waiting = Array.from({ length: n + 1 }, () => new Map<number, number[]>())
      const predict = (symbol: number, at: number): void => {
        const row = predicted[at] as Uint8Array
        if (row[symbol] === 1) return
        for (const corner of leftCorners[symbol] as number[]) row[corner] = 1
      }
      predict(0, 0)
      for (let end = 1; end <= n; end++) {
        const done = new Set<number>()
        const agenda: number[] = []
        const complete = (symbol: number, origin: number): void => {
          const key = origin * N + symbol
          if (done.has(key)) return
          done.add(key)
          agenda.push(symbol, origin)
        }
        for (const symbol of byToken[tokens[end - 1] as number] ?? [])
          if (predicted[end - 1]?.[symbol] === 1) complete(symbol, end - 1)
        while (agenda.length > 0) {
          const origin = agenda.pop() as number
          const symbol = agenda.pop() as number
          if (origin === 0 && symbol === 0 && end === n) return true
          const rules = byLeft[symbol] as number[]
          for (let r = 0; r < rules.length; r += 2) {
            const parent = rules[r]!
            if (predicted[origin]?.[parent] !== 1) continue
            const needed = rules[r + 1]!
            const list = waiting[end]?.get(needed)
            if (list === undefined) waiting[end]?.set(needed, [parent, origin])
            else list.push(parent, origin)
            predict(needed, end)
          }
          const parents = waiting[origin]?.get(symbol) ?? []
          for (let p = 0; p < parents.length; p += 2) complete(parents[p]!, parents[p + 1]!)
        }
      }
      return false
    },
  }
}

/** For every nonterminal, itself and all that can stand leftmost below it. */
function leftCornerClosure(cnf: Cnf): number[][] {
  const children: Set<number>[] = cnf.nonterminals.map(() => new Set())
  for (let at = 0; at < cnf.binary.length; at += 3) children[cnf.binary[at] as number]?.add(cnf.binary[at + 1]!)
  return cnf.nonterminals.map((_, symbol) => {
    const seen = new Set([symbol])
    for (const found of seen) for (const child of children[found] as Set<number>) seen.add(child)
    return [...seen]
  })
}
