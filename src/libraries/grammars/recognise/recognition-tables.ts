import { type Adjacency, adjacency } from '../grammar/adjacency.ts'
import type { Cnf } from '../grammar/cnf.ts'
import { useful } from '../grammar/trim.ts'

/** Binary rules A -> B C by the pair (B, C). N nonterminals; a set of nonterminals is `setWords` words of 32 bits. */
export interface PairRules {
  /** N sets: the C that stand right of B in some rule */
  readonly partners: Int32Array
  /** the A of pair (B, C) are left[from[B * N + C]] .. left[from[B * N + C + 1] - 1] */
  readonly from: Int32Array
  readonly left: Int32Array
}

/** The useful rules of a grammar, each once, laid out for the row kernels. */
export interface RecognitionTables {
  readonly nonterminals: number
  readonly terminals: number
  readonly setWords: number
  /** rules that may apply at the first token */
  readonly outer: PairRules
  /** rules that may apply elsewhere: without those of the start symbol, unless it stands on a right-hand side */
  readonly inner: PairRules
  /** nonterminals over terminal t are lex[lexFrom[t]] .. lex[lexFrom[t + 1] - 1] */
  readonly lexFrom: Int32Array
  readonly lex: Int32Array
  readonly adjacency: Adjacency
  /** whether few enough entries of `follow` and `precede` are set for them to save more than they cost */
  readonly filterFollow: boolean
  readonly filterPrecede: boolean
}

/** Share of set entries from which on a one-token look-ahead costs more than it saves (measured). */
const DENSE = 0.7

export function recognitionTables(cnf: Cnf, near: Adjacency = adjacency(cnf)): RecognitionTables {
  const N = cnf.nonterminals.length
  const T = cnf.terminals.length
  const keep = useful(cnf)
  const binary = distinct(cnf.binary, 3).filter((rule) => rule.every((symbol) => keep[symbol]))
  const lexical = distinct(cnf.lexical, 2).filter(([a]) => keep[a as number])
  const startInside = binary.some(([, b, c]) => b === 0 || c === 0)
  const outer = pairRules(binary, N)
  const cells = Math.max(1, sum(keep) * (T + 1))
  return {
    nonterminals: N,
    terminals: T,
    setWords: (N + 31) >>> 5,
    outer,
    inner: startInside
      ? outer
      : pairRules(
          binary.filter(([a]) => a !== 0),
          N,
        ),
    ...offsets(
      lexical.map(([a, t]) => [t, a] as [number, number]),
      T,
      (from, items) => ({ lexFrom: from, lex: items }),
    ),
    adjacency: near,
    filterFollow: sum(near.follow) < DENSE * cells,
    filterPrecede: sum(near.precede) < DENSE * cells,
  }
}

function pairRules(rules: readonly number[][], N: number): PairRules {
  const setWords = (N + 31) >>> 5
  const partners = new Int32Array(N * setWords)
  const entries: [number, number][] = []
  for (const [a, b, c] of rules as [number, number, number][]) {
    const word = b * setWords + (c >>> 5)
    partners[word] = (partners[word] as number) | (1 << (c & 31))
    entries.push([b * N + c, a])
  }
  return offsets(entries, N * N, (from, items) => ({ partners, from, left: items }))
}

/** Items by key as one flat list and the offsets of each key's block. */
function offsets<R>(
  entries: readonly (readonly [key: number, item: number])[],
  keys: number,
  build: (from: Int32Array, items: Int32Array) => R,
): R {
  const from = new Int32Array(keys + 1)
  const sorted = entries.toSorted((x, y) => x[0] - y[0] || x[1] - y[1])
  for (const [key] of sorted) from[key + 1] = (from[key + 1] as number) + 1
  for (let key = 0; key < keys; key++) from[key + 1] = (from[key + 1] as number) + (from[key] as number)
  return build(
    from,
    Int32Array.from(sorted, ([, item]) => item),
  )
}

/** The different rules of a flattened list, in order. */
function distinct(flat: Int32Array, width: number): number[][] {
  const known = new Set<number>()
  const out: number[][] = []
  const radix = 1 + flat.reduce((most, symbol) => Math.max(most, symbol), 0)
  for (let at = 0; at < flat.length; at += width) {
    const rule = [...flat.subarray(at, at + width)]
    // A number to itself, up to 200,000 symbols.
    const key = rule.reduce((sum, symbol) => sum * radix + symbol, 0)
    if (known.has(key)) continue
    known.add(key)
    out.push(rule)
  }
  return out
}

const sum = (flags: Uint8Array): number => flags.reduce((total, flag) => total + flag, 0)
