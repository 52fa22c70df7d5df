/** Sets of tokens as bits, a row of `words` words for each symbol (or whatever the rows stand for). */
export type TokenSets = Int32Array

/** to[at..] |= from[source..] over `width` words; whether anything changed. */
export function absorb(to: TokenSets, at: number, from: TokenSets, source: number, width: number): boolean {
  let changed = 0
  for (let w = 0; w < width; w++) {
    const added = from[source + w]! & ~to[at + w]!
    changed |= added
    to[at + w]! |= added
  }
  return changed !== 0
}

/** Calls `visit` with every token of the set at `at`, in ascending order. */
export function forEachToken(sets: TokenSets, at: number, words: number, visit: (token: number) => void): void {
  for (let w = 0; w < words; w++)
    for (let left = sets[at + w]!; left !== 0; left &= left - 1) visit((w << 5) + (31 - Math.clz32(left & -left)))
}
