import type { Cnf } from './grammar.ts'

/**
 * Which strings one edit away from a string are in the language. Token sets are bit sets of `tokenWords` 32-bit words;
 * positions count tokens, gaps count the places between them.
 */
export interface Neighbourhood {
  readonly tokens: Int32Array
  /** Is the string itself in the language? */
  readonly member: boolean
  readonly tokenWords: number
  /** position p: tokens t such that the string with t at p is in the language (the unchanged string included) */
  readonly substitutions: Int32Array
  /** gap g = 0..n: tokens t such that the string with t put before position g is in the language */
  readonly insertions: Int32Array
  /** position p: 1 iff the string without p is in the language */
  readonly deletions: Uint8Array
}

/** Computes whole edit-1 neighbourhoods for one grammar. Buffers are reused; results are fresh. */
export type NeighbourhoodKernel = (tokens: ArrayLike<number>) => Neighbourhood

/**
 * One inside and one outside pass over end masks. `row[i][A]` holds the ends j with A =>* tokens i..j, `column[j][A]`
 * the starts; `out[i][A]` the ends j such that S =>* tokens 0..i, A, tokens j..n. The outside of a span does not depend
 * on what is inside it, so A with (p, p+1) outside and a rule A -> t says that t may stand at p; (g, g) outside, that t
 * may be inserted; and a rule A -> B C with A outside (i, j), B inside (i, p) and C inside (p+1, j) says that p may go.
 */
export function neighbourhoodKernel(grammar: Cnf): NeighbourhoodKernel {
  const symbols = grammar.nonterminals.length
  const terminals = grammar.terminals.length
  const tokenWords = (terminals + 31) >>> 5
  const byLeft = rulesByChild(grammar, 1)
  const byRight = rulesByChild(grammar, 2)
  const lexical = lexicalTables(grammar, tokenWords)
  const expands = new Uint8Array(symbols)
  for (let at = 0; at < grammar.binary.length; at += 3) expands[grammar.binary[at]!] = 1

  let size = 0
  let words = 0
  let row = new Int32Array(0)
  let column = new Int32Array(0)
  let out = new Int32Array(0)
  // Inside items, as the symbols with a non-empty row per start and with a non-empty column per end.
  let starting = new Int32Array(0)
  let startingCount = new Int32Array(0)
  let ending = new Int32Array(0)
  let endingCount = new Int32Array(0)
  // Items of the current start still to be combined: linked lists by end.
  let head = new Int32Array(0)
  let union = new Int32Array(0)
  // Ends j at which some symbol with binary rules is outside (i, j), for each i.
  let wanted = new Int32Array(0)
  // All bits from k up, `words` words for each k.
  let upwards = new Int32Array(0)
  let nextItem = new Int32Array(0)
  let itemSymbol = new Int32Array(0)
  let items = 0

  /** Clear the buffers for a string of n tokens, growing them where they are too small. */
  function reserve(n: number): void {
    size = n
    words = Math.max(2, (n >>> 5) + 1)
    const cells = (n + 1) * symbols
    if (row.length < cells * words) {
      row = new Int32Array(cells * words)
      column = new Int32Array(cells * words)
      out = new Int32Array(cells * words)
      starting = new Int32Array(cells)
      ending = new Int32Array(cells)
      nextItem = new Int32Array(cells)
      itemSymbol = new Int32Array(cells)
    } else {
      row.fill(0, 0, cells * words)
      column.fill(0, 0, cells * words)
      out.fill(0, 0, cells * words)
    }
    startingCount = new Int32Array(n + 1)
    endingCount = new Int32Array(n + 1)
    head = new Int32Array(n + 1)
    union = new Int32Array(words)
    wanted = new Int32Array((n + 1) * words)
    upwards = new Int32Array((n + 1) * words)
    for (let k = 0; k <= n; k++)
      for (let w = k >>> 5; w < words; w++) upwards[k * words + w] = w === k >>> 5 ? -1 << (k & 31) : -1
  }

  /** Record symbol `a` over (i, j). */
  function addItem(a: number, i: number, j: number): void {
    const at = (j * symbols + a) * words
    if (isEmpty(column, at)) ending[j * symbols + endingCount[j]!++] = a
    column[at + (i >>> 5)]! |= 1 << (i & 31)
    itemSymbol[items] = a
    nextItem[items] = head[j]!
    head[j] = items++
  }

  function addItems(a: number, i: number, at: number, w: number, added: number): void {
    row[at + w]! |= added
    for (let left = added; left !== 0; left &= left - 1) addItem(a, i, (w << 5) + (31 - Math.clz32(left & -left)))
  }

  // The three passes below keep the buffers in local constants and write out the first two words, which are all there
  // is up to 63 tokens: both matter, for these loops are the whole cost.

  function inside(tokens: Int32Array): void {
    const n = tokens.length
    const W = words
    const rows = row
    const { start, other, parentStart, parents } = byLeft
    for (let i = n - 1; i >= 0; i--) {
      items = 0
      head.fill(-1)
      const token = tokens[i]!
      for (let r = lexical.ownerStart[token]!; r < lexical.ownerStart[token + 1]!; r++) {
        const a = lexical.owners[r]!
        const at = (i * symbols + a) * W + ((i + 1) >>> 5)
        const bit = 1 << ((i + 1) & 31)
        if ((rows[at]! & bit) !== 0) continue
        rows[at]! |= bit
        starting[i * symbols + startingCount[i]!++] = a
        addItem(a, i, i + 1)
      }
      // Combining an item that ends at k only makes items that end later.
      for (let k = i + 1; k < n; k++)
        for (let item = head[k]!; item >= 0; item = nextItem[item]!) {
          const b = itemSymbol[item]!
          const lastGroup = start[b + 1]!
          for (let g = start[b]!; g < lastGroup; g++) {
            const from = (k * symbols + other[g]!) * W
            const low = rows[from]!
            const high = rows[from + 1]!
            if ((low | high) === 0 && isEmpty(rows, from)) continue
            const lastParent = parentStart[g + 1]!
            for (let r = parentStart[g]!; r < lastParent; r++) {
              const a = parents[r]!
              const at = (i * symbols + a) * W
              const newLow = low & ~rows[at]!
              const newHigh = high & ~rows[at + 1]!
              if ((newLow | newHigh) === 0 && W === 2) continue
              if (isEmpty(rows, at)) starting[i * symbols + startingCount[i]!++] = a
              if (newLow !== 0) addItems(a, i, at, 0, newLow)
              if (newHigh !== 0) addItems(a, i, at, 1, newHigh)
              for (let w = 2; w < W; w++) addItems(a, i, at, w, rows[from + w]! & ~rows[at + w]!)
            }
          }
        }
    }
  }

  /** Words 2 and up of out[i][a] |= `source` from `from`, only bits >= `low`. */
  function absorbRest(i: number, a: number, source: Int32Array, from: number, low: number): void {
    const at = (i * symbols + a) * words
    for (let w = 2; w < words; w++) {
      const added = source[from + w]! & upwards[low * words + w]!
      out[at + w]! |= added
      if (expands[a] === 1) wanted[i * words + w]! |= added
    }
  }

  function outside(n: number, deletions: Uint8Array): void {
    out[n >>> 5]! |= 1 << (n & 31)
    wanted[n >>> 5]! |= 1 << (n & 31)
    for (let i = 0; i < n; i++) {
      leftChildren(i, n)
      rightChildren(i, deletions)
    }
  }

  /** From (i, j) of a parent to (i, k) of its left child, for every right child inside (k, j); wide parents first. */
  function leftChildren(i: number, n: number): void {
    const W = words
    const outs = out
    const columns = column
    const { start, other, parentStart, parents } = byRight
    const maskLow = upwards[i * W]!
    const maskHigh = upwards[i * W + 1]!
    for (let j = n; j > i; j--) {
      const word = j >>> 5
      const bit = 1 << (j & 31)
      if ((wanted[i * W + word]! & bit) === 0) continue
      const lastEnding = j * symbols + endingCount[j]!
      for (let e = j * symbols; e < lastEnding; e++) {
        const c = ending[e]!
        const from = (j * symbols + c) * W
        const low = columns[from]! & maskLow
        const high = columns[from + 1]! & maskHigh
        if ((low | high) === 0 && !reaches(from, i)) continue
        const lastGroup = start[c + 1]!
        for (let g = start[c]!; g < lastGroup; g++) {
          const lastParent = parentStart[g + 1]!
          for (let r = parentStart[g]!; r < lastParent; r++) {
            if ((outs[(i * symbols + parents[r]!) * W + word]! & bit) === 0) continue
            const b = other[g]!
            const at = (i * symbols + b) * W
            outs[at]! |= low
            outs[at + 1]! |= high
            if (expands[b] === 1) {
              wanted[i * W]! |= low
              wanted[i * W + 1]! |= high
            }
            if (W > 2) absorbRest(i, b, columns, from, i)
            break
          }
        }
      }
    }
  }

  /** From (i, j) of a parent to (k, j) of its right child, for every left child inside (i, k); and k itself left out. */
  function rightChildren(i: number, deletions: Uint8Array): void {
    const W = words
    const outs = out
    const rows = row
    const masks = upwards
    const { start, other, parentStart, parents } = byLeft
    for (let s = 0; s < startingCount[i]!; s++) {
      const b = starting[i * symbols + s]!
      const spans = (i * symbols + b) * W
      const lastGroup = start[b + 1]!
      for (let g = start[b]!; g < lastGroup; g++) {
        let low = 0
        let high = 0
        if (W > 2) union.fill(0)
        const lastParent = parentStart[g + 1]!
        for (let r = parentStart[g]!; r < lastParent; r++) {
          const parent = (i * symbols + parents[r]!) * W
          low |= outs[parent]!
          high |= outs[parent + 1]!
          for (let w = 2; w < W; w++) union[w]! |= outs[parent + w]!
        }
        if ((low | high) === 0 && isEmpty(union, 0)) continue
        const c = other[g]!
        for (let w = 0; w < W; w++)
          for (let left = rows[spans + w]!; left !== 0; left &= left - 1) {
            const k = (w << 5) + (31 - Math.clz32(left & -left))
            const at = (k * symbols + c) * W
            const lowAbove = low & masks[k * W]!
            const highAbove = high & masks[k * W + 1]!
            outs[at]! |= lowAbove
            outs[at + 1]! |= highAbove
            if (expands[c] === 1) {
              wanted[k * W]! |= lowAbove
              wanted[k * W + 1]! |= highAbove
            }
            if (W > 2) absorbRest(k, c, union, 0, k)
            if (k + 1 >= size || deletions[k] === 1) continue
            const next = at + symbols * W
            if (((low & rows[next]!) | (high & rows[next + 1]!)) !== 0 || (W > 2 && meetRest(next))) deletions[k] = 1
          }
      }
    }
  }

  function meetRest(rowAt: number): boolean {
    for (let w = 2; w < words; w++) if ((union[w]! & row[rowAt + w]!) !== 0) return true
    return false
  }

  /** Has the column at `at` a start >= i, in words 2 and up? */
  function reaches(at: number, i: number): boolean {
    for (let w = 2; w < words; w++) if ((column[at + w]! & upwards[i * words + w]!) !== 0) return true
    return false
  }

  function isEmpty(masks: Int32Array, at: number): boolean {
    if ((masks[at]! | masks[at + 1]!) !== 0) return false
    for (let w = 2; w < words; w++) if (masks[at + w] !== 0) return false
    return true
  }

  const spans = (i: number, j: number) => (row[i * symbols * words + (j >>> 5)]! & (1 << (j & 31))) !== 0

  /** Union of the terminals of every symbol that is outside (i, j), into `target` from `at`. */
  function allowedTokens(i: number, j: number, target: Int32Array, at: number): void {
    const word = j >>> 5
    const bit = 1 << (j & 31)
    for (let l = 0; l < lexical.symbols.length; l++)
      if ((out[(i * symbols + lexical.symbols[l]!) * words + word]! & bit) !== 0)
        for (let w = 0; w < tokenWords; w++) target[at + w]! |= lexical.masks[l * tokenWords + w]!
  }

  return (given) => {
    const tokens = Int32Array.from(given)
    const n = tokens.length
    if (n === 0) throw new RangeError('the neighbourhood of the empty string is not defined; give at least one token')
    for (const token of tokens)
      if (token < 0 || token >= terminals)
        throw new RangeError(`token ${token} is not one of the grammar's ${terminals} terminals`)
    reserve(n)
    inside(tokens)
    const deletions = new Uint8Array(n)
    outside(n, deletions)
    deletions[0] = n > 1 && spans(1, n) ? 1 : 0
    deletions[n - 1] = n > 1 && spans(0, n - 1) ? 1 : 0
    const substitutions = new Int32Array(n * tokenWords)
    const insertions = new Int32Array((n + 1) * tokenWords)
    for (let p = 0; p < n; p++) allowedTokens(p, p + 1, substitutions, p * tokenWords)
    for (let g = 0; g <= n; g++) allowedTokens(g, g, insertions, g * tokenWords)
    return { tokens, member: spans(0, n), tokenWords, substitutions, insertions, deletions }
  }
}

/**
 * Binary rules by their left (1) or right (2) child b: for each distinct other child, groups
 * `start[b] .. start[b + 1]`, the parents of that pair, `parents[parentStart[g] .. parentStart[g + 1])`.
 */
function rulesByChild(grammar: Cnf, child: 1 | 2) {
  const { binary } = grammar
  const symbols = grammar.nonterminals.length
  const groups = Array.from({ length: symbols }, () => new Map<number, Set<number>>())
  for (let at = 0; at < binary.length; at += 3) {
    const group = groups[binary[at + child]!]!
    const other = binary[at + 3 - child]!
    const parents = group.get(other)
    if (parents) parents.add(binary[at]!)
    else group.set(other, new Set([binary[at]!]))
  }
  const start = [0]
  const other: number[] = []
  const parentStart = [0]
  const parents: number[] = []
  for (const group of groups) {
    for (const [sibling, set] of group) {
      other.push(sibling)
      parents.push(...set)
      parentStart.push(parents.length)
    }
    start.push(other.length)
  }
  return {
    start: Int32Array.from(start),
    other: Int32Array.from(other),
    parentStart: Int32Array.from(parentStart),
    parents: Int32Array.from(parents),
  }
}

/** Which symbols own each terminal, and each lexical symbol's terminals as a bit set. */
function lexicalTables(grammar: Cnf, tokenWords: number) {
  const { lexical } = grammar
  const rules = lexical.length / 2
  const symbols = [...new Set(lexical.filter((_, i) => i % 2 === 0))].sort((a, b) => a - b)
  const place = new Map(symbols.map((a, l) => [a, l]))
  const masks = new Int32Array(symbols.length * tokenWords)
  const ownerStart = new Int32Array(grammar.terminals.length + 1)
  for (let r = 0; r < rules; r++) ownerStart[lexical[r * 2 + 1]! + 1]!++
  for (let t = 0; t < grammar.terminals.length; t++) ownerStart[t + 1]! += ownerStart[t]!
  const next = ownerStart.slice()
  const owners = new Int32Array(rules)
  for (let r = 0; r < rules; r++) {
    const a = lexical[r * 2]!
    const t = lexical[r * 2 + 1]!
    owners[next[t]!++] = a
    masks[place.get(a)! * tokenWords + (t >>> 5)]! |= 1 << (t & 31)
  }
  return { symbols: Int32Array.from(symbols), masks, ownerStart, owners }
}
