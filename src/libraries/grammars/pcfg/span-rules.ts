import { memoize } from '../../../core/memo.ts'
import { isTerminal, isUnit, meanMatrix, type Pcfg, type PcfgRule, wholeRight } from './grammar.ts'
import { childrenFirst } from './linear.ts'

/** The rules that may make a span of some width, by number, ascending. */
export interface WidthRules {
  readonly longer: Int32Array
  readonly units: Int32Array
}

/** What the width of a span tells of its rules: most are ruled out by it. */
export interface SpanRules {
  /** By nonterminal, the lengths its strings can have, ascending, up to the greatest asked for. */
  readonly widths: readonly Int32Array[]
  /** By nonterminal and width (`nonterminal * stride + width`): how many of its lengths are no greater. */
  readonly ranks: Int32Array
  readonly stride: number
  /** By width: for spans that end with the string, and for all others, which few nonterminals can make. */
  readonly atEnd: readonly WidthRules[]
  readonly inside: readonly WidthRules[]
  /** The most symbols of a right-hand side. */
  readonly symbols: number
}

/** The span rules of a grammar for strings of up to `most` tokens. */
export function spanRules(grammar: Pcfg, most: number): SpanRules {
  const known = tables(grammar)
  let room = 64
  while (room < most) room *= 2
  let found = known.get(room)
  if (found === undefined) {
    found = compile(grammar, room)
    known.set(room, found)
  }
  return found
}
const tables = memoize<Pcfg, Map<number, SpanRules>>(() => new Map())

function compile(grammar: Pcfg, most: number): SpanRules {
  const can = possibleLengths(grammar, most)
  const stride = most + 1
  const ranks = new Int32Array(can.length * stride)
  for (const [n, flags] of can.entries())
    for (let width = 1; width <= most; width++)
      ranks[n * stride + width] = ranks[n * stride + width - 1]! + flags[width]!
  const longer = Array.from({ length: stride }, (): number[] => [])
  const units = Array.from({ length: stride }, (): number[] => [])
  for (const [r, rule] of grammar.rules.entries())
    for (const width of listed(lengthsOf(rule.right, can, most))) (isUnit(rule) ? units : longer)[width]?.push(r)
  const stands = canStandInside(grammar)
  const inside = (r: number) => stands[(grammar.rules[r] as PcfgRule).left] === true
  const byWidth = (which: (r: number) => boolean): WidthRules[] =>
    longer.map((list, width) => ({
      longer: Int32Array.from(list.filter(which)),
      units: Int32Array.from((units[width] as readonly number[]).filter(which)),
    }))
  return {
    widths: can.map((flags) => Int32Array.from(listed(flags))),
    ranks,
    stride,
    atEnd: byWidth(() => true),
    inside: byWidth(inside),
    symbols: grammar.rules.reduce((most, { right }) => Math.max(most, right.length), 0),
  }
}

/** Which lengths up to `most` strings of each nonterminal can have. */
function possibleLengths(grammar: Pcfg, most: number): Uint8Array[] {
  const can = grammar.nonterminals.map(() => new Uint8Array(most + 1))
  const order = childrenFirst(meanMatrix(grammar, wholeRight))
  const rules = order.flatMap((n) => (grammar.rulesOf[n] ?? []).map((r) => grammar.rules[r] as PcfgRule))
  for (let changed = true; changed; ) {
    changed = false
    for (const { left, right } of rules) {
      const sums = lengthsOf(right, can, most)
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

/** Which lengths up to `most` a right-hand side can have, after those of its nonterminals. */
function lengthsOf(right: readonly number[], can: readonly Uint8Array[], most: number): Uint8Array {
  let sums = new Uint8Array(most + 1)
  sums[0] = 1
  for (const symbol of right) {
    const next = new Uint8Array(most + 1)
    const own = isTerminal(symbol) ? [1] : listed(can[symbol] as Uint8Array)
    for (let from = 0; from < most; from++)
      if (sums[from] === 1) for (let i = 0; i < own.length && from + own[i]! <= most; i++) next[from + own[i]!] = 1
    sums = next
  }
  return sums
}

/** The places of the ones. */
function listed(flags: Uint8Array): number[] {
  const out: number[] = []
  for (let at = flags.indexOf(1); at >= 0; at = flags.indexOf(1, at + 1)) out.push(at)
  return out
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
