import { isTerminal, isUnit, meanMatrix, type Pcfg, type PcfgRule, terminalCode, wholeRight } from './grammar.ts'
import { childrenFirst } from './linear.ts'
import { impossible, isMore, type Small, sure, times } from './small.ts'
import type { Derivation } from './tree.ts'

/**
 * The most probable derivation of a string (Viterbi over spans of dotted rules, unit rules by relaxation), or null for
 * a string outside the language. Cubic in the length, linear in the grammar; probabilities have an exponent of their own,
 * so that those of long strings do not underflow. Ties go to the rule printed first and the shortest first part.
 */
export function bestDerivation(grammar: Pcfg, tokens: readonly number[]): Derivation | null {
  const n = tokens.length
  if (n === 0) return null
  const chart = new Chart(grammar, tokens)
  for (let width = 1; width <= n; width++)
    for (let start = 0; start + width <= n; start++) chart.fill(start, start + width)
  if (chart.score(0, 0, n).mantissa === 0) return null
  const out: number[] = []
  chart.write(0, 0, n, out)
  return out
}

/** Which lengths up to `most` strings of each nonterminal can have. */
function possibleLengths(grammar: Pcfg, most: number): Uint8Array[] {
  const can = grammar.nonterminals.map(() => new Uint8Array(most + 1))
  const order = childrenFirst(meanMatrix(grammar, wholeRight))
  const rules = order.flatMap((n) => (grammar.rulesOf[n] ?? []).map((r) => grammar.rules[r] as PcfgRule))
  for (let changed = true; changed; ) {
    changed = false
    for (const { left, right } of rules) {
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
  return can
}

/** Nonterminals that can stand before other symbols; a constituent of any other ends where the string ends. */
function canStandInside(grammar: Pcfg): boolean[] {
  const inside = grammar.nonterminals.map(() => false)
  const found: number[] = []
  const note = (symbol: number) => {
    if (isTerminal(symbol) || inside[symbol]) return
    inside[symbol] = true
    found.push(symbol)
  }
  for (const { right } of grammar.rules) for (const symbol of right.slice(0, -1)) note(symbol)
  for (const n of found)
    for (const r of grammar.rulesOf[n] as readonly number[]) note(grammar.rules[r]?.right.at(-1) as number)
  return inside
}

/** The best way to cut a span: the end of each part. */
interface Cut {
  readonly score: Small
  readonly ends: readonly number[]
}

class Chart {
  private readonly grammar: Pcfg
  private readonly tokens: readonly number[]
  private readonly side: number
  /** Best score of nonterminal over a span, as `Small`. */
  private readonly mantissa: Float64Array
  private readonly steps: Int32Array
  /** 1 + the rule of the best score. */
  private readonly rule: Int32Array
  private readonly units: readonly number[]
  private readonly longer: readonly number[]
  /** By nonterminal, the lengths its strings can have: most spans are ruled out by their width. */
  private readonly can: readonly Uint8Array[]
  /** The same as lists, ascending. */
  private readonly widths: readonly (readonly number[])[]

  private readonly inside: readonly boolean[]

  constructor(grammar: Pcfg, tokens: readonly number[]) {
    this.grammar = grammar
    this.tokens = tokens
    this.side = tokens.length + 1
    this.mantissa = new Float64Array(grammar.nonterminals.length * this.side * this.side)
    this.steps = new Int32Array(this.mantissa.length)
    this.rule = new Int32Array(this.mantissa.length)
    const numbers = grammar.rules.map((_, i) => i)
    this.units = numbers.filter((r) => isUnit(grammar.rules[r] as PcfgRule))
    this.longer = numbers.filter((r) => !isUnit(grammar.rules[r] as PcfgRule))
    this.inside = canStandInside(grammar)
    this.can = possibleLengths(grammar, tokens.length)
    this.widths = this.can.map((flags) => [...flags.keys()].filter((width) => flags[width] === 1))
  }

  private at(nonterminal: number, start: number, end: number): number {
    return (nonterminal * this.side + end) * this.side + start
  }

  score(nonterminal: number, start: number, end: number): Small {
    return this.held(this.at(nonterminal, start, end))
  }

  private held(at: number): Small {
    if (this.mantissa[at] === 0) return impossible
    return { mantissa: this.mantissa[at] as number, steps: this.steps[at] as number }
  }

  fill(start: number, end: number): void {
    for (const r of this.longer) {
      const { left, right, probability } = this.grammar.rules[r] as PcfgRule
      if (this.can[left]?.[end - start] !== 1 || !(this.inside[left] || end === this.tokens.length)) continue
      const cut = this.splits(right, start, end)
      if (cut !== null) this.offer(left, start, end, r, times(cut.score, probability))
    }
    for (let changed = true; changed; ) {
      changed = false
      for (const r of this.units) {
        const { left, right, probability } = this.grammar.rules[r] as PcfgRule
        if (this.offer(left, start, end, r, times(this.score(right[0] as number, start, end), probability)))
          changed = true
      }
    }
  }

  private offer(left: number, start: number, end: number, rule: number, score: Small): boolean {
    const at = this.at(left, start, end)
    if (!isMore(score, this.held(at))) return false
    this.mantissa[at] = score.mantissa
    this.steps[at] = score.steps
    this.rule[at] = rule + 1
    return true
  }

  /** The best way to cut a span among the symbols of a right-hand side. */
  private splits(right: readonly number[], start: number, end: number): Cut | null {
    let layer = new Map<number, Cut>([[start, { score: sure, ends: [] }]])
    for (const [i, symbol] of right.entries()) {
      const last = end - (right.length - 1 - i)
      const next = new Map<number, Cut>()
      for (const [from, so] of layer)
        if (isTerminal(symbol)) {
          const to = from + 1
          if (terminalCode(this.tokens[from] as number) === symbol && (last === end ? to === end : to <= last))
            next.set(to, { score: so.score, ends: [...so.ends, to] })
        } else if (last === end) this.extend(next, so, symbol, from, end)
        else
          for (const width of this.widths[symbol] as readonly number[]) {
            if (from + width > last) break
            this.extend(next, so, symbol, from, from + width)
          }
      if (next.size === 0) return null
      layer = next
    }
    return layer.get(end) ?? null
  }

  /** Offers a cut with one more part, a nonterminal over from..to. */
  private extend(next: Map<number, Cut>, so: Cut, symbol: number, from: number, to: number): void {
    const at = this.at(symbol, from, to)
    const mantissa = this.mantissa[at] as number
    if (mantissa === 0) return
    const score = times(so.score, mantissa, this.steps[at])
    if (isMore(score, next.get(to)?.score ?? impossible)) next.set(to, { score, ends: [...so.ends, to] })
  }

  /** Appends the rules of the best derivation, leftmost order. */
  write(nonterminal: number, start: number, end: number, out: number[]): void {
    const r = (this.rule[this.at(nonterminal, start, end)] as number) - 1
    out.push(r)
    const rule = this.grammar.rules[r] as PcfgRule
    const { right } = rule
    const ends = isUnit(rule) ? [end] : (this.splits(right, start, end) as Cut).ends
    let from = start
    for (const [i, symbol] of right.entries()) {
      if (!isTerminal(symbol)) this.write(symbol, from, ends[i] as number, out)
      from = ends[i] as number
    }
  }
}
