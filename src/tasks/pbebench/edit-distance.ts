/** Levenshtein distance in code points. Time and memory |a| * |b| and min(|a|, |b|). */
export function editDistance(a: string, b: string): number {
  if (a === b) return 0
  const [long, short] = a.length < b.length ? [[...b], [...a]] : [[...a], [...b]]
  let row = Uint32Array.from({ length: short.length + 1 }, (_, j) => j)
  let next = new Uint32Array(short.length + 1)
  for (const [i, symbol] of long.entries()) {
    next[0] = i + 1
    for (let j = 0; j < short.length; j++) {
      const change = (row[j] as number) + (symbol === short[j] ? 0 : 1)
      next[j + 1] = Math.min(change, (row[j + 1] as number) + 1, (next[j] as number) + 1)
    }
    ;[row, next] = [next, row]
  }
  return row[short.length] as number
}

/** The summed distance of corresponding words. */
export const totalDistance = (a: readonly string[], b: readonly string[]): number =>
  a.reduce((sum, word, i) => sum + editDistance(word, b[i] as string), 0)
