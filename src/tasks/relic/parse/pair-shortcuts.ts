import { memoize, pick, type Stream } from '../../../core/index.ts'
import type { PairItem, PairRule } from '../../../libraries/grammars/recognise/pair-chart.ts'
import { pairChartOf, pairEdgesOf, pairGrammarOf, stringsOf } from '../grammars/crossed.ts'
import type { Derivation } from '../grammars/derivation.ts'
import type { Shared } from '../grammars/grammar.ts'

/** Has the string a derivation in which every first child is a pair of tokens, or every second? */
export function isOneBranchingPairs(shared: Shared, tokens: ArrayLike<number>): boolean {
  const { goal } = pairChartOf(shared, tokens)
  return (['first', 'second'] as const).some((leaf) => {
    const known = new Map<PairItem, boolean>()
    const isChain = (item: PairItem): boolean => {
      const before = known.get(item)
      if (before !== undefined) return before
      const found =
        item.ways.length === 0 ||
        item.ways.some((way) => isPair(way[leaf]) && isChain(leaf === 'first' ? way.second : way.first))
      known.set(item, found)
      return found
    }
    return goal !== undefined && isChain(goal)
  })
}

const isPair = ({ bounds: [i, j, k, l] }: PairItem): boolean => j! - i! === 1 && l! - k! === 1

type Bounds = readonly number[]

interface Option {
  readonly rule: PairRule
  readonly children: readonly [Bounds, Bounds]
}

/** By symbol: its rules, and its pairs of tokens. */
const tablesOf = memoize((shared: Shared) => {
  const { nonterminals, binary, lexical } = pairGrammarOf(shared)
  return {
    edges: pairEdgesOf(shared).edges,
    /** Ways on from the symbols over parts of the last string: it is tried several times. */
    last: { string: '', options: new Map<string, readonly Option[]>() },
    rules: nonterminals.map((_, symbol) => binary.filter(({ left }) => left === symbol)),
    pairs: nonterminals.map(
      (_, symbol) => new Set(lexical.flatMap(([left, first, second]) => (left === symbol ? `${first} ${second}` : []))),
    ),
  }
})

/** Most ways to cut that are looked at. */
const MAX_CUTS = 20_000

/**
 * A derivation from the top without going back: at every symbol a random rule and cut whose parts can begin and end with the tokens
 * at their edges; null where that comes to an end.
 */
export function lookAheadPairs(shared: Shared, tokens: ArrayLike<number>, stream: Stream): Derivation | null {
  const { nonterminals, terminals } = pairGrammarOf(shared)
  const { edges, rules, pairs, last } = tablesOf(shared)
  const string = Array.from(tokens).join(' ')
  if (last.string !== string) {
    last.string = string
    last.options.clear()
  }
  const known = last.options
  const out: string[][] = []
  const pending: { readonly symbol: number; readonly bounds: Bounds }[] = [{ symbol: 0, bounds: [0, tokens.length] }]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { symbol, bounds } = node
    const size = bounds.reduce((sum, bound, at) => sum + (at % 2 === 0 ? -bound : bound), 0)
    if (size === 2) {
      const [first, second] = [tokens[bounds[0]!]!, tokens[bounds[2]!]!]
      if (!pairs[symbol]!.has(`${first} ${second}`)) return null
      out.push([nonterminals[symbol]!, terminals[first]!, terminals[second]!])
      continue
    }
    const options = optionsOf(symbol, bounds)
    if (options.length === 0) return null
    const { rule, children } = pick(stream, options)
    out.push([nonterminals[symbol]!, nonterminals[rule.first]!, nonterminals[rule.second]!])
    pending.push({ symbol: rule.second, bounds: children[1] }, { symbol: rule.first, bounds: children[0] })
  }
  return out

  function optionsOf(symbol: number, bounds: Bounds): readonly Option[] {
    const key = `${symbol} ${bounds.join(' ')}`
    const before = known.get(key)
    if (before !== undefined) return before
    const options: Option[] = []
    for (const rule of rules[symbol]!) {
      const fits = (letter: string, from: number, to: number): boolean => {
        const own = edges[letter < 'c' ? rule.first : rule.second]!
        const string = letter === 'a' || letter === 'c' ? 0 : 1
        return own[string]!.has(tokens[from]!) && own[2 + string]!.has(tokens[to - 1]!)
      }
      for (const parts of cuts(rule, bounds, fits)) {
        if (options.length >= MAX_CUTS) break
        const children = [
          [...parts['a']!, ...parts['b']!],
          [...parts['c']!, ...parts['d']!],
        ] as const
        if (children.every((child, at) => canBe(child, at === 0 ? rule.first : rule.second)))
          options.push({ rule, children })
      }
    }
    known.set(key, options)
    return options
  }

  /** Two tokens must be a pair of the symbol; more must come in pairs. */
  function canBe([i, j, k, l]: Bounds, symbol: number): boolean {
    const size = j! - i! + l! - k!
    return size === 2 ? pairs[symbol]!.has(`${tokens[i!]} ${tokens[k!]}`) : size % 2 === 0
  }
}

type Parts = { readonly [letter: string]: Bounds }

/** Ways to lay the parts of a rule over the strings of its left-hand side, each part where it `fits`. */
function cuts(
  { arrangement }: PairRule,
  bounds: Bounds,
  fits: (letter: string, from: number, to: number) => boolean,
): readonly Parts[] {
  let all: readonly Parts[] = [{}]
  for (const [string, letters] of stringsOf(arrangement).entries()) {
    const end = bounds[2 * string + 1]!
    let open: readonly { readonly parts: Parts; readonly at: number }[] = all.map((parts) => ({
      parts,
      at: bounds[2 * string]!,
    }))
    for (const [number, letter] of letters.entries()) {
      const after = letters.length - 1 - number
      open = open.flatMap(({ parts, at }) => {
        const ends = after === 0 ? [end] : Array.from({ length: Math.max(0, end - after - at) }, (_, k) => at + 1 + k)
        return ends.flatMap((to) =>
          to > at && fits(letter, at, to) ? { parts: { ...parts, [letter]: [at, to] }, at: to } : [],
        )
      })
    }
    all = open.map(({ parts }) => parts)
  }
  return all
}
