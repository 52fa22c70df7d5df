import { plainReading, reverseSecondHalf } from './crossed.ts'
import { isTerminal, isUnit, type Pcfg, type PcfgRule, terminalCode } from './grammar.ts'
import { ScaledProbabilities, ScaledProbability } from './scaled-probability.ts'
import { type SpanBoundaries, spanBoundaries } from './span-boundaries.ts'
import { type SpanRules, spanRules } from './span-rules.ts'
import type { Derivation } from './tree.ts'

/**
 * The most probable derivation of a string (Viterbi over spans of dotted rules, unit rules by relaxation), or null for
 * a string outside the language. Cubic in the length, linear in the grammar; probabilities have their own exponent,
 * so that those of long strings do not underflow. Ties go to the rule printed first and the shortest first part.
 */
export function bestDerivation(grammar: Pcfg, tokens: readonly number[]): Derivation | null {
  const n = tokens.length
  if (n === 0) return null
  if (grammar.reading === 'crossed') return bestDerivation(plainReading(grammar), reverseSecondHalf(tokens))
  const chart = new Chart(grammar, tokens)
  for (let width = 1; width <= n; width++)
    for (let start = 0; start + width <= n; start++) chart.fill(start, start + width)
  return chart.derivation()
}

/** Memory that charts take in turn: to get it anew costs more than to fill it. */
let room = { scores: new ScaledProbabilities(0), rule: new Int32Array(0), reached: [] as readonly SpanEnds[], side: 0 }

/** Charts above this many entries, some 64 MB, have their own memory and give it back. */
const MAX_KEPT = 4_000_000

function roomFor(size: number, side: number, symbols: number): typeof room {
  if (size > MAX_KEPT) {
    const reached = Array.from({ length: symbols + 1 }, () => new SpanEnds(side))
    return { scores: new ScaledProbabilities(size), rule: new Int32Array(size), reached, side }
  }
  if (room.rule.length < size) {
    const entries = Math.min(2 * size, MAX_KEPT)
    room = { ...room, scores: new ScaledProbabilities(entries), rule: new Int32Array(entries) }
  }
  if (room.side < side || room.reached.length <= symbols) {
    const [ends, layers] = [Math.max(side, 2 * room.side), Math.max(symbols + 1, room.reached.length)]
    room = { ...room, side: ends, reached: Array.from({ length: layers }, () => new SpanEnds(ends)) }
  }
  room.scores.clear(size)
  return room
}

class Chart {
  private readonly grammar: Pcfg
  private readonly tokens: readonly number[]
  private readonly codes: Int32Array
  private readonly side: number
  /** By nonterminal: its first cell, and how many it has for each start, one a length. */
  private readonly cells: Int32Array
  private readonly perStart: Int32Array
  /** Best score of a cell: a nonterminal over a span. */
  private readonly scores: ScaledProbabilities
  /** The rule of the best score. */
  private readonly rule: Int32Array
  private readonly fitting: SpanRules
  private readonly places: SpanBoundaries
  /** After each symbol of a right-hand side. */
  private readonly reached: readonly SpanEnds[]
  private readonly score = new ScaledProbability()

  constructor(grammar: Pcfg, tokens: readonly number[]) {
    this.grammar = grammar
    this.tokens = tokens
    this.codes = new Int32Array(tokens.length)
    for (let i = 0; i < tokens.length; i++) this.codes[i] = terminalCode(tokens[i]!)
    this.side = tokens.length + 1
    this.fitting = spanRules(grammar, tokens.length)
    this.places = spanBoundaries(grammar, tokens)
    this.cells = new Int32Array(grammar.nonterminals.length)
    this.perStart = new Int32Array(grammar.nonterminals.length)
    let size = 0
    for (let n = 0; n < this.cells.length; n++) {
      const lengths = this.rank(n, tokens.length)
      this.cells[n] = size
      this.perStart[n] = lengths
      size += lengths * tokens.length
    }
    const { scores, rule, reached } = roomFor(size, this.side, this.fitting.symbols)
    this.scores = scores
    this.rule = rule
    this.reached = reached
  }

  private rank(nonterminal: number, width: number): number {
    return this.fitting.ranks[nonterminal * this.fitting.stride + width]!
  }

  private can(nonterminal: number, width: number): boolean {
    return this.rank(nonterminal, width) !== this.rank(nonterminal, width - 1)
  }

  /** The cell of a span of a length that the nonterminal can have. */
  private at(nonterminal: number, start: number, end: number): number {
    return this.first(nonterminal, start) + this.rank(nonterminal, end - start) - 1
  }

  /** The cell of a start's shortest span. */
  private first(nonterminal: number, start: number): number {
    return this.cells[nonterminal]! + start * this.perStart[nonterminal]!
  }

  fill(start: number, end: number): void {
    const fitting = end === this.tokens.length ? this.fitting.atEnd : this.fitting.inside
    const { longer, units } = fitting[end - start] as SpanRules['inside'][number]
    let made = false
    for (let i = 0; i < longer.length; i++) {
      const rule = longer[i]!
      const { left, right, probability } = this.grammar.rules[rule] as PcfgRule
      if (!this.begins(left, start) || !this.ends(left, end) || !this.cut(right, start, end)) continue
      this.offer(left, start, end, rule, this.score.times(probability))
      made = true
    }
    if (!made) return
    for (let changed = true; changed; ) {
      changed = false
      for (let i = 0; i < units.length; i++) {
        const rule = units[i]!
        const { left, right, probability } = this.grammar.rules[rule] as PcfgRule
        const part = this.at(right[0]!, start, end)
        if (!this.scores.has(part)) continue
        const score = this.scores.get(part, this.score).times(probability)
        if (this.offer(left, start, end, rule, score)) changed = true
      }
    }
  }

  private offer(left: number, start: number, end: number, rule: number, score: ScaledProbability): boolean {
    const at = this.at(left, start, end)
    if (!this.scores.isLess(at, score)) return false
    this.scores.set(at, score)
    this.rule[at] = rule
    return true
  }

  /** Looks for the best way to cut a span among the symbols of a right-hand side, and leaves its score in `score`. */
  private cut(right: readonly number[], start: number, end: number): boolean {
    const { reached, score } = this
    if (!this.begins(right[0]!, start) || !this.ends(right[right.length - 1]!, end)) return false
    let so = reached[0] as SpanEnds
    so.clear()
    so.offer(start, start, score.set(1, 0))
    for (let i = 0; i < right.length; i++) {
      const symbol = right[i]!
      const next = reached[i + 1] as SpanEnds
      next.clear()
      // Every symbol after this one needs a token at least.
      const last = end - (right.length - 1 - i)
      for (let nth = 0; nth < so.count; nth++) this.follow(so, so.end(nth), symbol, last, last === end, next)
      if (next.count === 0) return false
      so = next
    }
    if (!so.has(end)) return false
    so.score(end, score)
    return true
  }

  private begins(symbol: number, at: number): boolean {
    return isTerminal(symbol) ? this.codes[at] === symbol : this.places.begins[symbol * this.side + at] === 1
  }

  private ends(symbol: number, at: number): boolean {
    return isTerminal(symbol) ? this.codes[at - 1] === symbol : this.places.ends[symbol * this.side + at] === 1
  }

  /** Puts one more symbol after what ends at `from`. */
  private follow(so: SpanEnds, from: number, symbol: number, last: number, isLast: boolean, next: SpanEnds): void {
    if (isTerminal(symbol)) {
      if (this.codes[from] === symbol && (isLast ? from + 1 === last : from < last))
        next.offer(from + 1, from, so.score(from, this.score))
    } else if (!this.begins(symbol, from)) return
    else if (isLast) {
      if (this.can(symbol, last - from)) this.extend(so, from, this.at(symbol, from, last), last, next)
    } else {
      const widths = this.fitting.widths[symbol] as Int32Array
      const first = this.first(symbol, from)
      for (let i = 0; i < widths.length; i++) {
        const to = from + widths[i]!
        if (to > last) break
        this.extend(so, from, first + i, to, next)
      }
    }
  }

  private extend(so: SpanEnds, from: number, cell: number, to: number, next: SpanEnds): void {
    if (this.scores.has(cell)) next.offer(to, from, this.scores.times(cell, so.score(from, this.score)))
  }

  /** The rules of the best derivation, leftmost order. */
  derivation(): Derivation | null {
    const n = this.tokens.length
    if (!this.can(0, n) || !this.scores.has(this.at(0, 0, n))) return null
    const out: number[] = []
    this.write(0, 0, n, out)
    return out
  }

  private write(nonterminal: number, start: number, end: number, out: number[]): void {
    const number = this.rule[this.at(nonterminal, start, end)]!
    out.push(number)
    const rule = this.grammar.rules[number] as PcfgRule
    const { right } = rule
    const begins = isUnit(rule) ? [start] : this.partsOf(right, start, end)
    for (const [i, symbol] of right.entries())
      if (!isTerminal(symbol)) this.write(symbol, begins[i]!, begins[i + 1] ?? end, out)
  }

  /** Where each part of the best cut begins. */
  private partsOf(right: readonly number[], start: number, end: number): number[] {
    this.cut(right, start, end)
    let to = end
    return right
      .map((_, i) => {
        to = (this.reached[right.length - i] as SpanEnds).begin(to)
        return to
      })
      .reverse()
  }
}

/** The ends that the first symbols of a right-hand side can reach in a span, in the order in which they were found, each with the best way there. */
export class SpanEnds {
  count = 0
  private readonly ends: Int32Array
  private readonly scores: ScaledProbabilities
  /** Where the last of the symbols begins, on the best way. */
  private readonly begins: Int32Array
  private readonly round: Int32Array
  private rounds = 0

  constructor(side: number) {
    this.ends = new Int32Array(side)
    this.scores = new ScaledProbabilities(side)
    this.begins = new Int32Array(side)
    this.round = new Int32Array(side)
  }

  clear(): void {
    this.count = 0
    this.rounds++
  }

  has(end: number): boolean {
    return this.round[end] === this.rounds
  }

  end(nth: number): number {
    return this.ends[nth]!
  }

  begin(end: number): number {
    return this.begins[end]!
  }

  score(end: number, into: ScaledProbability): ScaledProbability {
    return this.scores.get(end, into)
  }

  /** A way to an end; of equal ones the first stays. */
  offer(end: number, begin: number, score: ScaledProbability): void {
    if (!this.has(end)) {
      this.round[end] = this.rounds
      this.ends[this.count++] = end
    } else if (!this.scores.isLess(end, score)) return
    this.scores.set(end, score)
    this.begins[end] = begin
  }
}
