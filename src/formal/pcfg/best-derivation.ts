import { isTerminal, type Pcfg, type PcfgRule, terminalCode } from './grammar.ts'
import type { Derivation } from './tree.ts'

/**
 * The most probable derivation of a string (Viterbi over spans of dotted rules, unit rules by relaxation), or null for
 * a string outside the language. Cubic in the length, linear in the grammar; probabilities are scaled by a power of two
 * a token, so that long strings do not underflow. Ties go to the rule printed first and the shortest first part.
 */
export function bestDerivation(grammar: Pcfg, tokens: readonly number[]): Derivation | null {
  const n = tokens.length
  if (n === 0) return null
  const chart = new Chart(grammar, tokens)
  for (let width = 1; width <= n; width++)
    for (let start = 0; start + width <= n; start++) chart.fill(start, start + width)
  if (chart.score(0, 0, n) === 0) return null
  const out: number[] = []
  chart.write(0, 0, n, out)
  return out
}

const one: readonly number[] = [1]

/** Lengths up to `most` that strings of each nonterminal can have, ascending. */
function possibleLengths(grammar: Pcfg, most: number): number[][] {
  const can = grammar.nonterminals.map(() => new Uint8Array(most + 1))
  for (let changed = true; changed; ) {
    changed = false
    for (const { left, right } of grammar.rules) {
      let sums = new Uint8Array(most + 1)
      sums[0] = 1
      for (const symbol of right) {
        const next = new Uint8Array(most + 1)
        for (let from = 0; from <= most; from++)
          if (sums[from] === 1)
            for (let width = 1; from + width <= most; width++)
              if (isTerminal(symbol) ? width === 1 : can[symbol]?.[width] === 1) next[from + width] = 1
        sums = next
      }
      const own = can[left] as Uint8Array
      for (let width = 1; width <= most; width++)
        if (sums[width] === 1 && own[width] === 0) {
          own[width] = 1
          changed = true
        }
    }
  }
  return can.map((flags) => [...flags.keys()].filter((width) => flags[width] === 1))
}

/** Each token multiplies a span's score by this, so that scores stay near 1. */
const scale = 4

class Chart {
  private readonly grammar: Pcfg
  private readonly tokens: readonly number[]
  private readonly side: number
  /** Best score of nonterminal over a span; 0 = impossible. */
  private readonly best: Float64Array
  /** 1 + the rule of the best score. */
  private readonly rule: Int32Array
  private readonly units: readonly number[]
  private readonly longer: readonly number[]
  /** By nonterminal, the lengths its strings can have: most spans are ruled out by their width. */
  private readonly widths: readonly (readonly number[])[]

  constructor(grammar: Pcfg, tokens: readonly number[]) {
    this.grammar = grammar
    this.tokens = tokens
    this.side = tokens.length + 1
    this.best = new Float64Array(grammar.nonterminals.length * this.side * this.side)
    this.rule = new Int32Array(this.best.length)
    const isUnit = ({ right }: PcfgRule) => right.length === 1 && !isTerminal(right[0] as number)
    const numbers = grammar.rules.map((_, i) => i)
    this.units = numbers.filter((r) => isUnit(grammar.rules[r] as PcfgRule))
    this.longer = numbers.filter((r) => !isUnit(grammar.rules[r] as PcfgRule))
    this.widths = possibleLengths(grammar, tokens.length)
  }

  private at(nonterminal: number, start: number, end: number): number {
    return (nonterminal * this.side + start) * this.side + end
  }

  score(nonterminal: number, start: number, end: number): number {
    return this.best[this.at(nonterminal, start, end)] as number
  }

  fill(start: number, end: number): void {
    for (const r of this.longer) {
      const { left, right, probability } = this.grammar.rules[r] as PcfgRule
      if (!(this.widths[left] as readonly number[]).includes(end - start)) continue
      this.offer(left, start, end, r, probability * (this.splits(right, start, end)?.score ?? 0))
    }
    for (let changed = true; changed; ) {
      changed = false
      for (const r of this.units) {
        const { left, right, probability } = this.grammar.rules[r] as PcfgRule
        if (this.offer(left, start, end, r, probability * this.score(right[0] as number, start, end))) changed = true
      }
    }
  }

  private offer(left: number, start: number, end: number, rule: number, score: number): boolean {
    const at = this.at(left, start, end)
    if (!(score > (this.best[at] as number))) return false
    this.best[at] = score
    this.rule[at] = rule + 1
    return true
  }

  private part(symbol: number, start: number, end: number): number {
    if (!isTerminal(symbol)) return this.score(symbol, start, end)
    return end === start + 1 && terminalCode(this.tokens[start] as number) === symbol ? scale : 0
  }

  /** The best ways to cut a span among the symbols of a right-hand side: ends of each part. */
  private splits(right: readonly number[], start: number, end: number): { score: number; ends: number[] } | null {
    let layer = new Map<number, { score: number; ends: number[] }>([[start, { score: 1, ends: [] }]])
    for (const [i, symbol] of right.entries()) {
      const later = right.length - 1 - i
      const next = new Map<number, { score: number; ends: number[] }>()
      for (const [from, so] of layer) {
        for (const width of isTerminal(symbol) ? one : (this.widths[symbol] as readonly number[])) {
          const to = from + width
          if (later === 0 ? to !== end : to > end - later) continue
          const score = so.score * this.part(symbol, from, to)
          if (score > (next.get(to)?.score ?? 0)) next.set(to, { score, ends: [...so.ends, to] })
        }
      }
      if (next.size === 0) return null
      layer = next
    }
    return layer.get(end) ?? null
  }

  /** Appends the rules of the best derivation, leftmost order. */
  write(nonterminal: number, start: number, end: number, out: number[]): void {
    const r = (this.rule[this.at(nonterminal, start, end)] as number) - 1
    out.push(r)
    const { right } = this.grammar.rules[r] as PcfgRule
    const unit = right.length === 1 && !isTerminal(right[0] as number)
    const ends = unit ? [end] : (this.splits(right, start, end) as { ends: number[] }).ends
    let from = start
    for (const [i, symbol] of right.entries()) {
      if (!isTerminal(symbol)) this.write(symbol, from, ends[i] as number, out)
      from = ends[i] as number
    }
  }
}
