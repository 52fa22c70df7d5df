import type { EditKind } from './edits.ts'
import type { Cnf } from './grammar.ts'
import { rulesByChild } from './rules-by-child.ts'

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

/**
 * Computes edit-1 neighbourhoods for one grammar. Where `only` one kind of edit is asked for, the parts for the others
 * mean nothing, and the work ends as soon as every edit of that kind is known to stay in the language. Buffers are reused;
 * results are fresh.
 */
export type NeighbourhoodKernel = (tokens: ArrayLike<number>, only?: EditKind) => Neighbourhood

/**
 * One inside and one outside pass over end masks. `row[i][A]` holds the ends j with A =>* tokens i..j; `out[i][A]` the
 * ends j such that S =>* tokens 0..i, A, tokens j..n. The outside of a span does not depend on what is inside it, so A
 * with (p, p+1) outside and a rule A -> t says that t may stand at p; (g, g) outside, that t may be inserted; and a rule
 * A -> B C with A outside (i, j), B inside (i, p) and C inside (p+1, j) says that p may go.
 *
 * All three passes visit (start, split) pairs and handle all ends at once, in an order that completes every mask before
 * it is read; so nothing is queued, and on dense grammars, where most masks are full, hardly a branch is mispredicted.
 */
export function neighbourhoodKernel(grammar: Cnf): NeighbourhoodKernel {
  const symbols = grammar.nonterminals.length
  const terminals = grammar.terminals.length
  const tokenWords = (terminals + 31) >>> 5
  const byLeft = rulesByChild(grammar, 1)
  const byRight = rulesByChild(grammar, 2)
  const lexical = lexicalTables(grammar, tokenWords)
  const allTokens = new Int32Array(tokenWords)
  for (let t = 0; t < terminals; t++) allTokens[t >>> 5]! |= 1 << (t & 31)

  let words = 0
  let row = new Int32Array(0)
  let out = new Int32Array(0)
  // The symbols with a non-empty row, per start, and the union of their rows.
  let starting = new Int32Array(0)
  let startingCount = new Int32Array(0)
  let reach = new Int32Array(0)
  // The ends j at which some symbol with binary rules is outside (i, j), for each i.
  let wanted = new Int32Array(0)
  // All bits from k up, `words` words for each k.
  let upwards = new Int32Array(0)

  /** Clear the buffers for a string of n tokens, growing them where they are too small. */
  function reserve(n: number): void {
    words = Math.max(2, (n >>> 5) + 1)
    const cells = (n + 1) * symbols
    if (row.length < cells * words) {
      row = new Int32Array(cells * words)
      out = new Int32Array(cells * words)
      starting = new Int32Array(cells)
    } else {
      row.fill(0, 0, cells * words)
      out.fill(0, 0, cells * words)
    }
    startingCount = new Int32Array(n + 1)
    reach = new Int32Array((n + 1) * words)
    wanted = new Int32Array((n + 1) * words)
    upwards = new Int32Array((n + 1) * words)
    for (let k = 0; k <= n; k++)
      for (let w = k >>> 5; w < words; w++) upwards[k * words + w] = w === k >>> 5 ? -1 << (k & 31) : -1
  }

  // The passes keep the buffers in local constants and write out the first two words, which are all there is up to 63
  // tokens: both matter, for these loops are the whole cost.

  /** Starts from right to left; at one start, splits from left to right: what ends at k is complete when k is reached. */
  function inside(tokens: Int32Array): void {
    const n = tokens.length
    const W = words
    const rows = row
    const alive = starting
    const { start, rules } = byLeft
    for (let i = n - 1; i >= 0; i--) {
      const base = i * symbols
      const token = tokens[i]!
      let count = 0
      for (let r = lexical.ownerStart[token]!; r < lexical.ownerStart[token + 1]!; r++) {
        const a = lexical.owners[r]!
        const at = (base + a) * W
        if (isEmpty(rows, at)) alive[base + count++] = a
        rows[at + ((i + 1) >>> 5)]! |= 1 << ((i + 1) & 31)
      }
      const here = i * W
      if (count > 0) reach[here + ((i + 1) >>> 5)]! |= 1 << ((i + 1) & 31)
      for (let k = i + 1; k < n; k++) {
        const word = k >>> 5
        if (((reach[here + word]! >>> (k & 31)) & 1) === 0) continue
        let reachLow = 0
        let reachHigh = 0
        const after = k * symbols
        for (let s = 0; s < count; s++) {
          const b = alive[base + s]!
          if (((rows[(base + b) * W + word]! >>> (k & 31)) & 1) === 0) continue
          const last = start[b + 1]!
          for (let r = start[b]!; r < last; r += 2) {
            const from = (after + rules[r]!) * W
            const low = rows[from]!
            const high = rows[from + 1]!
            if ((low | high) === 0 && (W === 2 || isEmpty(rows, from))) continue
            const a = rules[r + 1]!
            const at = (base + a) * W
            const oldLow = rows[at]!
            const oldHigh = rows[at + 1]!
            if ((oldLow | oldHigh) === 0 && (W === 2 || isEmpty(rows, at))) alive[base + count++] = a
            rows[at] = oldLow | low
            rows[at + 1] = oldHigh | high
            reachLow |= low
            reachHigh |= high
            for (let w = 2; w < W; w++) {
              rows[at + w]! |= rows[from + w]!
              reach[here + w]! |= rows[from + w]!
            }
          }
        }
        reach[here]! |= reachLow
        reach[here + 1]! |= reachHigh
      }
      startingCount[i] = count
    }
  }

  /** `settled(p)`: are all edits at place p known to stay in the language? Ends when that is so up to `lastPlace`. */
  function outside(
    n: number,
    deletions: Uint8Array | null,
    settled: (place: number) => boolean,
    lastPlace: number,
  ): void {
    out[n >>> 5]! |= 1 << (n & 31)
    wanted[n >>> 5]! |= 1 << (n & 31)
    let place = 0
    for (let i = 0; i < n; i++) {
      if (isEmpty(wanted, i * words)) continue
      leftChildren(i, n)
      rightChildren(i, n, deletions)
      while (settled(place)) if (place++ === lastPlace) return
    }
  }

  /**
   * From (i, j) of a parent to (i, k) of its left child, for every right child inside (k, j). Splits from right to left:
   * what is outside (i, j) is complete when a k < j is reached.
   */
  function leftChildren(i: number, n: number): void {
    const W = words
    const outs = out
    const rows = row
    const { start, rules } = byRight
    const base = i * symbols
    const sought = i * W
    for (let k = n - 1; k >= i; k--) {
      if (!meet(wanted, sought, reach, k * W)) continue
      const word = k >>> 5
      const shift = k & 31
      const first = k * symbols
      const lastAlive = first + startingCount[k]!
      // What is found at k asks for nothing at k itself, so the ends wanted so far decide.
      const wantedLow = wanted[sought]!
      const wantedHigh = wanted[sought + 1]!
      let foundAny = 0
      for (let s = first; s < lastAlive; s++) {
        const c = starting[s]!
        const inner = (first + c) * W
        const low = rows[inner]!
        const high = rows[inner + 1]!
        if ((low & wantedLow) === 0 && (high & wantedHigh) === 0 && (W === 2 || !meet(wanted, sought, rows, inner)))
          continue
        const last = start[c + 1]!
        for (let r = start[c]!; r < last; r += 2) {
          const parent = (base + rules[r + 1]!) * W
          let both = (outs[parent]! & low) | (outs[parent + 1]! & high)
          for (let w = 2; w < W; w++) both |= outs[parent + w]! & rows[inner + w]!
          const found = ((both | -both) >>> 31) << shift
          outs[(base + rules[r]!) * W + word]! |= found
          foundAny |= found
        }
      }
      wanted[sought + word]! |= foundAny
    }
  }

  /** From (i, j) of a parent to (k, j) of its right child, for every left child inside (i, k); and k itself left out. */
  function rightChildren(i: number, n: number, deletions: Uint8Array | null): void {
    const W = words
    const outs = out
    const rows = row
    const { start, rules } = byLeft
    const base = i * symbols
    const lastAlive = base + startingCount[i]!
    for (let k = i + 1; k <= n; k++) {
      const word = k >>> 5
      if (((reach[i * W + word]! >>> (k & 31)) & 1) === 0) continue
      const after = k * symbols
      const aboveLow = upwards[k * W]!
      const aboveHigh = upwards[k * W + 1]!
      if (((wanted[i * W]! & aboveLow) | (wanted[i * W + 1]! & aboveHigh)) === 0 && W === 2) break
      let wantedLow = 0
      let wantedHigh = 0
      const open = deletions !== null && k + 1 < n && deletions[k] === 0
      let gone = 0
      for (let s = base; s < lastAlive; s++) {
        const b = starting[s]!
        if (((rows[(base + b) * W + word]! >>> (k & 31)) & 1) === 0) continue
        const last = start[b + 1]!
        for (let r = start[b]!; r < last; r += 2) {
          const parent = (base + rules[r + 1]!) * W
          const low = outs[parent]! & aboveLow
          const high = outs[parent + 1]! & aboveHigh
          if ((low | high) === 0 && W === 2) continue
          const at = (after + rules[r]!) * W
          outs[at]! |= low
          outs[at + 1]! |= high
          wantedLow |= low
          wantedHigh |= high
          for (let w = 2; w < W; w++) {
            const rest = outs[parent + w]! & upwards[k * W + w]!
            outs[at + w]! |= rest
            wanted[k * W + w]! |= rest
          }
          if (!open) continue
          const next = at + symbols * W
          gone |= (low & rows[next]!) | (high & rows[next + 1]!)
          for (let w = 2; w < W; w++) gone |= outs[parent + w]! & rows[next + w]!
        }
      }
      wanted[k * W]! |= wantedLow
      wanted[k * W + 1]! |= wantedHigh
      if (gone !== 0) deletions![k] = 1
    }
  }

  function meet(a: Int32Array, atA: number, b: Int32Array, atB: number): boolean {
    if (((a[atA]! & b[atB]!) | (a[atA + 1]! & b[atB + 1]!)) !== 0) return true
    for (let w = 2; w < words; w++) if ((a[atA + w]! & b[atB + w]!) !== 0) return true
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

  /** Is every token in the union of the terminals of the symbols outside (i, j)? */
  const isFree = (i: number, j: number): boolean => {
    const union = new Int32Array(tokenWords)
    allowedTokens(i, j, union, 0)
    return union.every((set, w) => set === allTokens[w])
  }

  return (given, only) => {
    const tokens = Int32Array.from(given)
    const n = tokens.length
    if (n === 0) throw new RangeError('the neighbourhood of the empty string is not defined; give at least one token')
    for (const token of tokens)
      if (token < 0 || token >= terminals)
        throw new RangeError(`token ${token} is not one of the grammar's ${terminals} terminals`)
    reserve(n)
    inside(tokens)
    const deletions = new Uint8Array(n)
    deletions[0] = n > 1 && spans(1, n) ? 1 : 0
    deletions[n - 1] = n > 1 && spans(0, n - 1) ? 1 : 0
    const settled = {
      all: () => false,
      substitute: (p: number) => isFree(p, p + 1),
      insert: (g: number) => isFree(g, g),
      delete: (p: number) => deletions[p] === 1,
    }[only ?? 'all']
    outside(n, only === undefined || only === 'delete' ? deletions : null, settled, only === 'insert' ? n : n - 1)
    const substitutions = new Int32Array(n * tokenWords)
    const insertions = new Int32Array((n + 1) * tokenWords)
    if (only === undefined || only === 'substitute')
      for (let p = 0; p < n; p++) allowedTokens(p, p + 1, substitutions, p * tokenWords)
    if (only === undefined || only === 'insert')
      for (let g = 0; g <= n; g++) allowedTokens(g, g, insertions, g * tokenWords)
    return { tokens, member: spans(0, n), tokenWords, substitutions, insertions, deletions }
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
