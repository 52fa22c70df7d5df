import { memoize } from '../../../core/memo.ts'
import { type Cnf, rulesByLeftChild, rulesByParent } from '../grammar/cnf.ts'

/** A string of the language with the fewest edits from a string. */
export interface NearestMember {
  readonly distance: number
  readonly tokens: readonly number[]
}

/**
 * The nearest string of the language by a chart of least edits of every symbol over every span (Lyon 1974), and one such
 * string; null where none lies within `most` edits. The grammar must be trimmed. Time n^3 x rules.
 */
export function nearestMember(cnf: Cnf, tokens: ArrayLike<number>, most: number): NearestMember | null {
  const { byLeft, byRight, rules, words, shortest } = tablesOf(cnf)
  const symbols = cnf.nonterminals.length
  const n = tokens.length
  const none = most + 1
  /** Least edits by symbol, for spans from..to. */
  const chart: Int8Array[][] = Array.from({ length: n + 1 }, () => [])
  const within: (readonly number[])[][] = Array.from({ length: n + 1 }, () => [])
  const lengthOf = (symbol: number): number => Math.min(shortest[symbol]!.length, none)
  const costOf = (word: ReadonlySet<number>, from: number, to: number): number => {
    for (let at = from; at < to; at++) if (word.has(tokens[at]!)) return to - from - 1
    return to - from
  }
  for (let width = 0; width <= n; width++)
    for (let from = 0; from + width <= n; from++) {
      const to = from + width
      const row = new Int8Array(symbols).fill(none)
      chart[from]![to] = row
      const lower = (symbol: number, cost: number): void => {
        if (cost < row[symbol]!) row[symbol] = cost
      }
      for (let symbol = 0; symbol < symbols; symbol++) {
        if (width === 0) lower(symbol, lengthOf(symbol))
        else if (words[symbol]!.size > 0) lower(symbol, Math.min(none, costOf(words[symbol]!, from, to)))
      }
      for (let split = from + 1; split < to; split++)
        for (const left of within[from]![split]!)
          for (const { parent, right } of byLeft[left]!)
            lower(parent, chart[from]![split]![left]! + chart[split]![to]![right]!)
      // One child over the whole span, the other put in as its shortest string.
      if (width > 0)
        for (let level = 0; level <= most; level++)
          for (let symbol = 0; symbol < symbols; symbol++) {
            if (row[symbol] !== level) continue
            for (const { parent, right } of byLeft[symbol]!) lower(parent, level + lengthOf(right))
            for (const { parent, left } of byRight[symbol]!) lower(parent, level + lengthOf(left))
          }
      within[from]![to] = Array.from(row.keys()).filter((symbol) => row[symbol]! <= most)
    }
  const distance = chart[0]![n]![0]!
  if (distance > most) return null

  const out: number[] = []
  const pending: [symbol: number, from: number, to: number][] = [[0, 0, n]]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const [symbol, from, to] = item
    const cost = chart[from]![to]![symbol]!
    if (from === to) {
      out.push(...shortest[symbol]!)
      continue
    }
    if (words[symbol]!.size > 0 && costOf(words[symbol]!, from, to) === cost) {
      const kept = Array.from({ length: to - from }, (_, k) => tokens[from + k]!).find((token) =>
        words[symbol]!.has(token),
      )
      out.push(kept ?? (words[symbol]!.values().next().value as number))
      continue
    }
    let found: readonly [number, number, number] | null = null
    for (const { left, right } of rules[symbol]!)
      for (let split = from; found === null && split <= to; split++)
        if (chart[from]![split]![left]! + chart[split]![to]![right]! === cost) found = [left, right, split]
    if (found === null) throw new Error('a span costs what no rule explains')
    const [left, right, split] = found
    pending.push([right, split, to], [left, from, split])
  }
  return { distance, tokens: out }
}

const tablesOf = memoize((cnf: Cnf) => {
  const rules = rulesByParent(cnf)
  const byLeft = rulesByLeftChild(cnf)
  const byRight = rules.map((): { readonly parent: number; readonly left: number }[] => [])
  for (const [parent, own] of rules.entries()) for (const { left, right } of own) byRight[right]!.push({ parent, left })
  const words: Set<number>[] = rules.map(() => new Set())
  for (let at = 0; at < cnf.lexical.length; at += 2) words[cnf.lexical[at]!]!.add(cnf.lexical[at + 1]!)
  /** The shortest string of each symbol. */
  const shortest: (readonly number[] | null)[] = words.map((own) => (own.size > 0 ? [Math.min(...own)] : null))
  for (let grown = true; grown; ) {
    grown = false
    for (const [parent, own] of rules.entries())
      for (const { left, right } of own) {
        const [a, b] = [shortest[left], shortest[right]]
        if (a == null || b == null || (shortest[parent]?.length ?? Number.POSITIVE_INFINITY) <= a.length + b.length)
          continue
        shortest[parent] = [...a, ...b]
        grown = true
      }
  }
  return { byLeft, byRight, rules, words, shortest: shortest.map((string) => string ?? []) }
})
