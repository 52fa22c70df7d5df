import { memoize, type Stream } from '../../../core/index.ts'
import type { CfgRule } from '../../../libraries/grammars/grammar/cfg.ts'
import type { Cnf } from '../../../libraries/grammars/grammar/cnf.ts'
import {
  type Arrangement,
  type PairChart,
  type PairGrammar,
  type PairItem,
  type PairRule,
  pairCharts,
} from '../../../libraries/grammars/recognise/pair-chart.ts'
import type { ParseCount } from '../../../libraries/grammars/recognise/parses.ts'
import { type Language, language } from '../../../libraries/grammars/sample/language.ts'
import { liftedOf, nameOf, type Shared, symbolsOf } from './grammar.ts'

/** Is it a grammar over pairs of strings? */
export const isCrossed = ({ pairs }: Shared): boolean => pairs !== undefined

/** By rule of the grammar's text: its arrangement; null where it writes two tokens. */
export const arrangementsOf = memoize((shared: Shared): readonly (Arrangement | null)[] =>
  shared.pairs!.split('\n').map((line) => (line === '' ? null : (line as Arrangement))),
)

/** Which strings an arrangement writes, each as a row of letters: a, b of the first child, c, d of the second. */
export const stringsOf = (arrangement: Arrangement): readonly (readonly string[])[] =>
  arrangement.split(', ').map((string) => string.split(' '))

/** The string of a child that a letter names. */
export const placeOf = (letter: string): readonly [child: 0 | 1, string: 0 | 1] => [
  letter < 'c' ? 0 : 1,
  letter === 'a' || letter === 'c' ? 0 : 1,
]

const isLexical = ({ right }: CfgRule): boolean => right[0]?.kind === 'terminal'

/** The grammar by numbers: of nonterminals and tokens those of {@link symbolsOf}' names in order, S first. */
export const pairGrammarOf = memoize((shared: Shared): PairGrammar => {
  const { rules } = liftedOf(shared)
  const { nonterminals, tokens } = symbolsOf(shared)
  const names = [...nonterminals.keys()]
  const numbers = new Map(names.map((name, number) => [name, number]))
  const number = (name: string): number => numbers.get(name)!
  return {
    nonterminals: names,
    terminals: [...tokens.keys()],
    binary: rules.flatMap(({ left, right: [first, second] }, at) => {
      const arrangement = arrangementsOf(shared)[at]!
      return arrangement === null
        ? []
        : { left: number(left), first: number(first!.name), second: number(second!.name), arrangement }
    }),
    lexical: rules
      .filter(isLexical)
      .map(({ left, right: [first, second] }) => [number(left), tokens.get(first!.name)!, tokens.get(second!.name)!]),
  }
})

const chartsOf = memoize((shared: Shared) => {
  const make = pairCharts(pairGrammarOf(shared))
  let last: { readonly string: string; readonly chart: PairChart } | null = null
  return (tokens: ArrayLike<number>): PairChart => {
    const string = Array.from(tokens).join(' ')
    if (last?.string !== string) last = { string, chart: make(tokens) }
    return last.chart
  }
})

/** Everything that a grammar over pairs derives of a string. */
export const pairChartOf = (shared: Shared, tokens: ArrayLike<number>): PairChart => chartsOf(shared)(tokens)

/** The arrangement of a rule by its name, null for two tokens; undefined: no such rule. */
const arrangementByName = memoize(
  (shared: Shared): ReadonlyMap<string, Arrangement | null> =>
    new Map(liftedOf(shared).rules.map((rule, at) => [nameOf(rule), arrangementsOf(shared)[at]!])),
)
export const arrangementOf = (shared: Shared, name: string): Arrangement | null | undefined =>
  arrangementByName(shared).get(name)

/** One string, or a pair. */
type Strings<T> = readonly (readonly T[])[]

/** What a rule writes. */
export function written<T>(arrangement: Arrangement, first: Strings<T>, second: Strings<T>): Strings<T> {
  return stringsOf(arrangement).map((letters) =>
    letters.flatMap((letter) => {
      const [child, string] = placeOf(letter)
      return [first, second][child]![string]!
    }),
  )
}

/** The trees alone, as a grammar in Chomsky normal form whose tokens are pairs of tokens. */
const treesOf = memoize((shared: Shared) => {
  const { nonterminals, binary, lexical } = pairGrammarOf(shared)
  const pairs = new Map<string, number>()
  const rows = lexical.map(([left, first, second]) => {
    const name = `${first} ${second}`
    const number = pairs.get(name) ?? pairs.size
    pairs.set(name, number)
    return [left, number]
  })
  const cnf: Cnf = {
    nonterminals,
    terminals: [...pairs.keys()],
    binary: Int32Array.from(binary.flatMap(({ left, first, second }) => [left, first, second])),
    lexical: Int32Array.from(rows.flat()),
  }
  return {
    cnf,
    pairs: [...pairs.keys()].map((name) => name.split(' ').map((token) => [Number(token)])),
    arrangements: new Map(
      binary.map(({ left, first, second, arrangement }) => [`${left} ${first} ${second}`, arrangement]),
    ),
  }
})

/** The language by lengths, with strings drawn by their trees as in other languages. `plain`: that of the trees' leaves. */
export function crossedLanguage(shared: Shared, plain: Language): Language {
  const { cnf, pairs, arrangements } = treesOf(shared)
  const trees = language(cnf, plain.maxLength >> 1)
  function sample(stream: Stream, length: number): Int32Array {
    if (length % 2 === 1) throw new RangeError(`the language has no string of length ${length}`)
    const trace: number[] = []
    const leaves = trees.sampler.sample(stream, length / 2, trace)
    let leaf = leaves.length
    /** Finished nodes, the next child uppermost. */
    const built: { readonly symbol: number; readonly strings: Strings<number> }[] = []
    for (const mark of trace.toReversed())
      if (mark < 0) built.push({ symbol: -1 - mark, strings: pairs[leaves[--leaf]!]! })
      else {
        const [first, second] = [built.pop()!, built.pop()!]
        const arrangement = arrangements.get(`${mark} ${first.symbol} ${second.symbol}`)!
        built.push({ symbol: mark, strings: written(arrangement, first.strings, second.strings) })
      }
    return Int32Array.from(built[0]!.strings[0]!)
  }
  return {
    grammar: plain.grammar,
    maxLength: plain.maxLength,
    get lengths() {
      return plain.lengths
    },
    get inside() {
      return plain.inside
    },
    sampler: { sample },
    distinct: plain.distinct,
  }
}

/** A derivation of a string, the first that the chart found at every item; empty outside the language. */
export function pairDerivationOf(shared: Shared, tokens: ArrayLike<number>): readonly (readonly string[])[] {
  const { nonterminals, terminals } = pairGrammarOf(shared)
  const { goal } = pairChartOf(shared, tokens)
  const out: string[][] = []
  const pending = goal === undefined ? [] : [goal]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const [way] = item.ways
    const right =
      way === undefined
        ? [item.bounds[0]!, item.bounds[2]!].map((place) => terminals[tokens[place]!]!)
        : [way.first, way.second].map(({ symbol }) => nonterminals[symbol]!)
    out.push([nonterminals[item.symbol]!, ...right])
    if (way !== undefined) pending.push(way.second, way.first)
  }
  return out
}

/** How many derivations a string has. */
export function pairDerivations(shared: Shared, tokens: ArrayLike<number>): ParseCount {
  const { goal } = pairChartOf(shared, tokens)
  const known = new Map<PairItem, number>()
  const count = (item: PairItem): number => {
    const before = known.get(item)
    if (before !== undefined) return before
    const found =
      item.ways.length === 0 ? 1 : item.ways.reduce((sum, { first, second }) => sum + count(first) * count(second), 0)
    known.set(item, found)
    return found
  }
  const mantissa = goal === undefined ? 0 : count(goal)
  return { mantissa, exponent: 0, exact: Number.isSafeInteger(mantissa) }
}

/** Items of the chart that some derivation of the whole string uses. */
export function usefulPairItems({ goal }: PairChart): number {
  const seen = new Set<PairItem>(goal === undefined ? [] : [goal])
  // The set grows while it is read.
  for (const { ways } of seen) for (const { first, second } of ways) seen.add(first).add(second)
  return seen.size
}

/**
 * The tokens with which the two strings of a symbol can begin (0, 1) and end (2, 3), and the neighbours `x y` in the language, its
 * ends as empty names.
 */
export const pairEdgesOf = memoize((shared: Shared) => {
  const { nonterminals, binary, lexical } = pairGrammarOf(shared)
  const edges = nonterminals.map(() => Array.from({ length: 4 }, () => new Set<number>()))
  for (const [left, first, second] of lexical)
    for (const [at, token] of [first, second, first, second].entries()) edges[left]![at]!.add(token)
  const edgeOf = (rule: PairRule, letter: string, side: 0 | 2): ReadonlySet<number> => {
    const [child, string] = placeOf(letter)
    return edges[child === 0 ? rule.first : rule.second]![side + string]!
  }
  for (let grown = true; grown; ) {
    grown = false
    for (const rule of binary)
      for (const [string, letters] of stringsOf(rule.arrangement).entries())
        for (const side of [0, 2] as const) {
          const own = edges[rule.left]![side + string]!
          const before = own.size
          for (const token of edgeOf(rule, side === 0 ? letters[0]! : letters.at(-1)!, side)) own.add(token)
          grown ||= own.size > before
        }
  }
  const neighbours = new Set<string>()
  for (const token of edges[0]![0]!) neighbours.add(` ${token}`)
  for (const token of edges[0]![2]!) neighbours.add(`${token} `)
  for (const rule of binary)
    for (const letters of stringsOf(rule.arrangement))
      for (const [at, letter] of letters.slice(1).entries())
        for (const before of edgeOf(rule, letters[at]!, 2))
          for (const after of edgeOf(rule, letter, 0)) neighbours.add(`${before} ${after}`)
  return { edges, neighbours }
})

/** Can the first token begin, the last end, and each pair of neighbours stand side by side in some string? */
export const hasLegalNeighbours = (shared: Shared, tokens: ArrayLike<number>): boolean =>
  ['', ...Array.from(tokens), ''].every(
    (token, at, all) => at === 0 || pairEdgesOf(shared).neighbours.has(`${all[at - 1]} ${token}`),
  )

/**
 * Does this find pairs of the grammar for all tokens? It takes the token with the fewest partners left, and of these the one with the
 * fewest. So it fails on some members, too.
 */
export function canBePaired(shared: Shared, tokens: ArrayLike<number>): boolean {
  const pairs = pairsOf(shared)
  const places = Array.from(tokens, (_, place) => place)
  const partners = places.map((one) =>
    places.filter((other) => {
      const [first, second] = one < other ? [one, other] : [other, one]
      return one !== other && pairs.has(tokens[first]! * pairs.terminals + tokens[second]!)
    }),
  )
  const free = new Set(places)
  const left = (place: number): number => partners[place]!.reduce((sum, other) => sum + (free.has(other) ? 1 : 0), 0)
  const fewest = (among: Iterable<number>): number => {
    let [best, least] = [-1, Number.POSITIVE_INFINITY]
    for (const place of among) {
      const count = free.has(place) ? left(place) : Number.POSITIVE_INFINITY
      if (count < least) [best, least] = [place, count]
    }
    return best
  }
  while (free.size > 0) {
    const one = fewest(free)
    const other = fewest(partners[one]!)
    if (other === -1) return false
    free.delete(one)
    free.delete(other)
  }
  return true
}

/** The pairs of tokens that some symbol derives, each as one number. */
const pairsOf = memoize((shared: Shared) => {
  const { terminals, lexical } = pairGrammarOf(shared)
  const found = new Set(lexical.map(([, first, second]) => first * terminals.length + second))
  return { terminals: terminals.length, has: (pair: number): boolean => found.has(pair) }
})
