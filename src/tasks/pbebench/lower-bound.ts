import { type Independent, independentOf } from './independent.ts'
import { solvedByOneRule } from './multiplicity.ts'
import type { Examples } from './types.ts'

/**
 * Rules that every cascade with these outputs has at least. The proof: a rule changes how often each letter stands in a
 * word by the same amounts each time it fires, right side minus left side. So the matrix of changes (words by letters) is
 * (how often each rule fires in each word) times (what each rule changes), and its rank is at most the number of rules,
 * whatever their letters, sides and order. Two rules are also needed where words differ and no one rule does it.
 *
 * The rank is taken modulo a prime, which can only lower it.
 */
export function lowerBound({ inputs, outputs }: Pick<Examples, 'inputs' | 'outputs'>, side: number): number {
  if (inputs.every((word, i) => word === outputs[i])) return 0
  const letters = [...new Set([...inputs, ...outputs].flatMap((word) => [...word]))]
  const rows: Independent[] = []
  for (const [i, word] of inputs.entries()) {
    if (word === outputs[i]) continue
    const row = independentOf(rows, letterChanges(letters, word, outputs[i] as string))
    if (row !== null) rows.push(row)
  }
  if (rows.length > 1) return rows.length
  return solvedByOneRule({ inputs, outputs }, side) ? 1 : 2
}

/** How many more of each letter the second text has. */
export function letterChanges(letters: readonly string[], before: string, after: string): readonly number[] {
  const changes = new Map<string, number>()
  for (const letter of before) changes.set(letter, (changes.get(letter) ?? 0) - 1)
  for (const letter of after) changes.set(letter, (changes.get(letter) ?? 0) + 1)
  return letters.map((letter) => changes.get(letter) ?? 0)
}
