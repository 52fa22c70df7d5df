import type { Statement } from './question.ts'

/** How often each of n entities is the lesser and the greater, as one number each: 2^16 times the former plus the latter. */
function degrees(n: number, statements: readonly Statement[]): Int32Array {
  const counts = new Int32Array(n)
  for (const [lesser, greater] of statements) {
    ;(counts[lesser] as number) += 0x10000
    ;(counts[greater] as number)++
  }
  return counts
}

const sortedText = (values: Int32Array | readonly number[]): string => Int32Array.from(values).sort().join()

/**
 * What counting sees of statements, names erased: how often somebody is the lesser and the greater, and the same of the two in
 * each statement.
 */
export function countsOf(n: number, statements: readonly Statement[]): string {
  const counts = degrees(n, statements)
  const pairs = statements.map(([lesser, greater]) => `${counts[lesser]}<${counts[greater]}`).sort()
  return `${sortedText(counts)} ${pairs.join(' ')}`
}

/** The same of the whole without its statements, and of each asked entity with those above and below it. */
export function countsAround(n: number, statements: readonly Statement[], asked: readonly number[]): string {
  const counts = degrees(n, statements)
  const around = asked.map((entity) => {
    const above = statements.flatMap(([u, v]) => (u === entity ? [counts[v] as number] : []))
    const below = statements.flatMap(([u, v]) => (v === entity ? [counts[u] as number] : []))
    return `${counts[entity]}: ${sortedText(above)} / ${sortedText(below)}`
  })
  return [sortedText(counts), ...around].join(' | ')
}
