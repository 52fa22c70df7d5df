/**
 * A multiple context-free grammar of fan-out 2 whose rules have two children or none: nonterminal 0, the start symbol, derives
 * strings, all others pairs of strings.
 */
export interface PairGrammar {
  readonly nonterminals: readonly string[]
  readonly terminals: readonly string[]
  readonly binary: readonly PairRule[]
  /** Rows of symbol, first token, second token. */
  readonly lexical: readonly (readonly [left: number, first: number, second: number])[]
}
export interface PairRule {
  readonly left: number
  readonly first: number
  readonly second: number
  readonly arrangement: Arrangement
}

/**
 * How a rule writes its parts: (a, b) is the pair of its first child, (c, d) of its second; a comma parts the two strings of a
 * pair. Rules of the start symbol have no comma.
 */
export const arrangements = {
  'a c, b d': { first: [1, 3], second: [0, 2], outer: [0, 5, 2, 7], also: null },
  'a c, d b': { first: [1, 2], second: [0, 3], outer: [0, 5, 6, 3], also: null },
  'a, c b d': { first: [2, 3], second: [1, 2], outer: [0, 1, 4, 7], also: null },
  'a c b, d': { first: [1, 2], second: [0, 1], outer: [0, 3, 6, 7], also: null },
  'a c b d': { first: [1, 2], second: [0, 1], outer: [0, 7], also: [3, 6] },
  'a c d b': { first: [1, 2], second: [0, 3], outer: [0, 3], also: [5, 6] },
} as const satisfies {
  readonly [text: string]: {
    /** Boundaries of the first child (begin and end of a, begin and end of b) that equal these of the second. */
    readonly first: readonly [number, number]
    readonly second: readonly [number, number]
    /** Boundaries of the whole: 0 to 3 of the first child, 4 to 7 of the second. */
    readonly outer: readonly number[]
    /** Two more that are equal. */
    readonly also: readonly [number, number] | null
  }
}
export type Arrangement = keyof typeof arrangements

/** A symbol over its two parts, or the start symbol over one: begin and end of each. */
export interface PairItem {
  readonly symbol: number
  readonly bounds: readonly number[]
  /** The rules that put it together, in the order in which they were found; of two tokens none. */
  readonly ways: PairWay[]
}
interface PairWay {
  /** Its number among the binary rules. */
  readonly rule: number
  readonly first: PairItem
  readonly second: PairItem
}

/** Everything that the grammar derives of one string. */
export interface PairChart {
  readonly items: readonly PairItem[]
  find(symbol: number, bounds: readonly number[]): PairItem | undefined
  /** The start symbol over the whole string. */
  readonly goal: PairItem | undefined
}

/** Charts of one grammar, from the bottom: each item is combined with those found before it. */
export function pairCharts(grammar: PairGrammar): (tokens: ArrayLike<number>) => PairChart {
  const terminals = grammar.terminals.length
  const symbolsOf = new Map<number, number[]>()
  for (const [left, first, second] of grammar.lexical) {
    const key = first * terminals + second
    symbolsOf.set(key, [...(symbolsOf.get(key) ?? []), left])
  }
  const rules = grammar.binary.map((rule, number) => ({ ...rule, number, shape: arrangements[rule.arrangement] }))
  /** By symbol: the rules that have it as first or second child, and where it meets the other child. */
  const uses = grammar.nonterminals.map((_, symbol) => {
    const asFirst = rules.filter(({ first }) => first === symbol)
    const asSecond = rules.filter(({ second }) => second === symbol)
    const places = [
      ...asFirst.map(({ shape }) => [0, ...shape.first] as const),
      ...asSecond.map(({ shape }) => [1, ...shape.second] as const),
    ]
    return { asFirst, asSecond, places: [...new Map(places.map((place) => [place.join(), place])).values()] }
  })
  return (tokens) => {
    const n = tokens.length
    const size = n + 1
    const nameOf = (symbol: number, bounds: readonly number[]): number =>
      bounds.reduce((name, bound) => name * size + bound, symbol)
    const known = new Map<number, PairItem>()
    const items: PairItem[] = []
    /** Items by role, symbol and the two boundaries at which another is to meet them. */
    const meeting = new Map<number, PairItem[]>()
    const meets = (role: number, symbol: number, pair: number, x: number, y: number): number =>
      (((role * grammar.nonterminals.length + symbol) * 16 + pair) * size + x) * size + y
    const add = (symbol: number, bounds: readonly number[], way: PairWay | null): void => {
      const name = nameOf(symbol, bounds)
      const before = known.get(name)
      const item = before ?? { symbol, bounds, ways: [] }
      if (way !== null) item.ways.push(way)
      if (before !== undefined) return
      known.set(name, item)
      items.push(item)
    }
    const combine = (rule: (typeof rules)[number], first: PairItem, second: PairItem): void => {
      const { outer, also } = rule.shape
      const bound = (at: number): number => (at < 4 ? first.bounds[at]! : second.bounds[at - 4]!)
      if (also !== null && bound(also[0]) !== bound(also[1])) return
      const bounds = outer.map(bound)
      const isInOrder = bounds.length === 2 ? bounds[0] === 0 && bounds[1] === n : bounds[1]! <= bounds[2]!
      if (isInOrder) add(rule.left, bounds, { rule: rule.number, first, second })
    }
    for (let i = 0; i < n; i++)
      for (let j = i + 1; j < n; j++)
        for (const symbol of symbolsOf.get(tokens[i]! * terminals + tokens[j]!) ?? [])
          add(symbol, [i, i + 1, j, j + 1], null)
    // The list grows while it is read: an item that comes later meets those before it.
    for (const item of items) {
      if (item.bounds.length === 2) continue
      const { symbol, bounds } = item
      const { asFirst, asSecond, places } = uses[symbol]!
      for (const [role, x, y] of places) {
        const key = meets(role, symbol, 4 * x + y, bounds[x]!, bounds[y]!)
        const list = meeting.get(key)
        if (list === undefined) meeting.set(key, [item])
        else list.push(item)
      }
      for (const rule of asFirst) {
        const { first, second } = rule.shape
        const key = meets(1, rule.second, 4 * second[0] + second[1], bounds[first[0]]!, bounds[first[1]]!)
        for (const other of meeting.get(key) ?? []) combine(rule, item, other)
      }
      for (const rule of asSecond) {
        const { first, second } = rule.shape
        const key = meets(0, rule.first, 4 * first[0] + first[1], bounds[second[0]]!, bounds[second[1]]!)
        for (const other of meeting.get(key) ?? []) combine(rule, other, item)
      }
    }
    return {
      items,
      find: (symbol, bounds) => known.get(nameOf(symbol, bounds)),
      goal: known.get(nameOf(0, [0, n])),
    }
  }
}

/** What the chart costs a careful reader: its items, those that meet so that a rule might join them, and those that one joins. */
export function pairWork({ items }: PairChart) {
  let lookups = 0
  for (const [text, { first, second }] of Object.entries(arrangements)) {
    if (!text.includes(',')) continue
    const waiting = new Map<string, number>()
    const pairs = items.filter(({ bounds }) => bounds.length === 4)
    for (const { bounds } of pairs) {
      const key = `${bounds[first[0]]} ${bounds[first[1]]}`
      waiting.set(key, (waiting.get(key) ?? 0) + 1)
    }
    for (const { bounds } of pairs) lookups += waiting.get(`${bounds[second[0]]} ${bounds[second[1]]}`) ?? 0
  }
  return { entries: items.length, lookups, inferences: items.reduce((sum, { ways }) => sum + ways.length, 0) }
}
