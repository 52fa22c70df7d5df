import { type Cnf, preterminals, rulesByLeftChild } from '../grammar/cnf.ts'
import { useful } from '../grammar/trim.ts'

/** Longest string a recogniser takes, in tokens. */
export const MAX_RECOGNIZED_TOKENS = 5000

const MAX_END_WORDS = (MAX_RECOGNIZED_TOKENS >>> 6) + 1

/** A set of symbols: bit A stands for symbol A. */
type SymbolSet = bigint

const setOf = (symbols: Iterable<number>): SymbolSet => [...symbols].reduce((set, a) => set | (1n << BigInt(a)), 0n)

/** By left child and parent: the right children, of useful rules. */
export type Rules = readonly ReadonlyMap<number, readonly number[]>[]

/** Where a kernel finds what, by the words of a set of symbols; S is 64 times as many. The string begins at 0. */
export function addresses(setWords: number) {
  const S = 64 * setWords
  let end = 4 * MAX_RECOGNIZED_TOKENS
  const room = (bytes: number): number => {
    const start = end
    end += bytes
    return start
  }
  return {
    /** By word of ends and symbol: ends at the current start that were not yet used as splits. All 0 between strings. */
    unused: room(8 * S * MAX_END_WORDS),
    /** By word of ends: the splits of the left child in hand. */
    splits: room(8 * MAX_END_WORDS),
    /** By start: the set of symbols that derive something there. */
    alive: room(8 * setWords * (MAX_RECOGNIZED_TOKENS + 1)),
    /** From here on the tables of a grammar. By left child and word of sets: its first pair with a right child in that word. */
    firstPair: room(4 * S * setWords),
    /** By symbol, a set: its right siblings. */
    siblings: room(8 * S * setWords),
    /** By symbol, a set: what may end where it begins, its left siblings with their right corners. */
    wanted: room(8 * S * setWords),
    /** Two sets: the left children of rules, and the symbols that may end a string. */
    leftChildren: room(8 * setWords),
    wantedAtEnd: room(8 * setWords),
    /** How many splits there were of left children with several. */
    crowding: room(8),
    /** By pair: the address of its first parent. After that the parents of all pairs, and the record of each token. */
    parents: room(0),
  }
}

/** The tables of a grammar for the kernels of `recognition-kernel.ts`. */
export interface RecognitionTables {
  readonly setWords: number
  readonly rules: Rules
  /** The tables, from `firstPair` on. */
  readonly tables: Int32Array
  /** The address of token 0: three sets, the symbols over it, their right siblings, and what may end before it. */
  readonly records: number
  /** The first row; a row has a mask for each symbol, `stride` bytes, whole lines of 64. Rows stand by word of ends and start. */
  readonly rows: number
  readonly stride: number
}

export function recognitionTables(cnf: Cnf): RecognitionTables {
  const symbols = cnf.nonterminals.length
  const setWords = (symbols + 63) >>> 6
  const isUseful = useful(cnf)
  const rules = Array.from({ length: 64 * setWords }, () => new Map<number, number[]>())
  for (const [left, own] of rulesByLeftChild(cnf).entries())
    for (const { parent, right } of own) {
      if (!isUseful[parent] || !isUseful[left] || !isUseful[right]) continue
      const rights = rules[left]!.get(parent)
      if (rights === undefined) rules[left]!.set(parent, [right])
      else rights.push(right)
    }
  const siblings = rules.map((own) => setOf([...own.values()].flat()))
  const corners = rightCorners(rules)
  const wanted = new Array<SymbolSet>(rules.length).fill(0n)
  for (const [left, own] of rules.entries())
    for (const right of [...own.values()].flat()) wanted[right]! |= corners[left]!
  const lexical = preterminals(cnf).map((own) => own.filter((symbol) => isUseful[symbol]))
  const union = (own: readonly number[], sets: readonly SymbolSet[]) => own.reduce((all, a) => all | sets[a]!, 0n)
  const leftChildren = setOf([...rules.keys()].filter((left) => rules[left]!.size > 0))

  const firstPair: number[] = []
  const parents: number[][] = []
  for (const own of rules) {
    const rights = [...new Set([...own.values()].flat())].sort((a, b) => a - b)
    for (let w = 0; w < setWords; w++) firstPair.push(parents.length + rights.filter((right) => right < 64 * w).length)
    for (const right of rights) parents.push([...own].flatMap(([parent, all]) => (all.includes(right) ? [parent] : [])))
  }
  const at = addresses(setWords)
  let next = at.parents + 4 * (parents.length + 1)
  const lists = [next, ...parents.map((own) => (next += 4 * own.length))]
  const records = 8 * Math.ceil(next / 8)
  const rows = 16 * Math.ceil((records + 24 * setWords * lexical.length) / 16)
  const tables = new Int32Array((rows - at.firstPair) / 4)
  const put = (values: ArrayLike<number>, address: number): void => tables.set(values, (address - at.firstPair) / 4)
  const words = (sets: readonly SymbolSet[]): Int32Array => {
    const all = sets.flatMap((set) =>
      Array.from({ length: setWords }, (_, w) => BigInt.asIntN(64, set >> BigInt(64 * w))),
    )
    return new Int32Array(BigInt64Array.from(all).buffer)
  }
  put(firstPair, at.firstPair)
  put(words([...siblings, ...wanted, leftChildren, isUseful[0] ? corners[0]! : 0n]), at.siblings)
  put([...lists, ...parents.flat()], at.parents)
  put(words(lexical.flatMap((own) => [setOf(own), union(own, siblings), union(own, wanted)])), records)
  return { setWords, rules, tables, records, rows, stride: 64 * Math.ceil(symbols / 8) }
}

/** For every symbol, those that come last in something that it derives, itself among them. */
function rightCorners(rules: Rules): SymbolSet[] {
  const corners = Array.from(rules, (_, symbol) => setOf([symbol]))
  for (let grown = true; grown; ) {
    grown = false
    for (const own of rules)
      for (const [parent, rights] of own) {
        const all = rights.reduce((set, right) => set | corners[right]!, corners[parent]!)
        if (all === corners[parent]) continue
        corners[parent] = all
        grown = true
      }
  }
  return corners
}
