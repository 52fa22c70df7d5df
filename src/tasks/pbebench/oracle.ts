import type { CascadeAnswer, Examples } from './types.ts'

/**
 * Is this cascade right? Written apart from the generator: every rule splits each word at its left side and joins the
 * pieces with its right side. Rules with a side too long or an empty left one are skipped, rules beyond the largest
 * number are not read.
 */
export function cascadeIsRight({ inputs, outputs, limits }: Examples, answer: CascadeAnswer): boolean {
  const length = (text: string): number =>
    limits.count === 'graphemes' ? text.replace(/\p{M}/gu, '').length : Array.from(text).length
  const usable = (side: string): boolean => {
    if (side.length > 16 * limits.side) return false
    // Two letters tied by a double mark count as one.
    const ties = limits.count === 'graphemes' ? (side.match(/[\u035c-\u0362]/g)?.length ?? 0) : 0
    return length(side) - ties <= limits.side
  }
  let words = [...inputs]
  for (let k = 0; k < answer.length && k < limits.rules; k++) {
    const rule = answer[k]
    if (rule?.length !== 2 || rule[0] === '' || !usable(rule[0]) || !usable(rule[1])) continue
    words = words.map((word) => word.split(rule[0]).join(rule[1]))
    // Longer than any output; within the limits of a benchmark such words cannot become short again.
    if (words.some((word) => word.length > 100_000)) return false
  }
  return words.every((word, i) => word === outputs[i])
}
