import type { Statement } from './question.ts'

/** How often each of n entities is the lesser and the greater, as one number each: 2^12 times the former plus the latter. */
function degrees(n: number, statements: readonly Statement[]): Int32Array {
  const counts = new Int32Array(n)
  for (const [lesser, greater] of statements) {
    ;(counts[lesser] as number) += 4096
    ;(counts[greater] as number)++
  }
  return counts
}

/** A multiset of numbers as text. */
const multiset = (values: Int32Array): string => values.sort().join()

/**
 * What counting sees of statements, names erased: how often entities are the lesser and the greater, the same of the two of each
 * statement, and of each asked one with those above and those below it.
 */
export function countsAround(n: number, statements: readonly Statement[], asked: readonly number[]): string {
  const counts = degrees(n, statements)
  let around = ''
  for (const entity of asked) {
    const above: number[] = []
    const below: number[] = []
    for (const [lesser, greater] of statements) {
      if (lesser === entity) above.push(counts[greater] as number)
      else if (greater === entity) below.push(counts[lesser] as number)
    }
    around += `${counts[entity]}:${multiset(Int32Array.from(above))}/${multiset(Int32Array.from(below))}|`
  }
  const both = statements.map(([lesser, greater]) => (counts[lesser] as number) * 2 ** 24 + (counts[greater] as number))
  return `${around}${multiset(counts)}|${both.sort((a, b) => a - b).join()}`
}
