import { sha256Hex } from '../../core/index.ts'

export const FENCE_DOMAIN = 'pbebench/pairs'

/** First-occurrence numbering: equal for texts that differ by a renaming of letters. */
function numbered(text: string): string {
  const seen = new Map<string, number>()
  let out = ''
  for (const letter of text) {
    if (letter === '>') {
      out += '>'
      continue
    }
    let number = seen.get(letter)
    if (number === undefined) {
      number = seen.size
      seen.set(letter, number)
    }
    out += `${number.toString(36)}.`
  }
  return out
}

/**
 * A key that renaming letters and reordering pairs leaves alone: the sorted patterns of equal letters of all pairs. It
 * is an invariant, not a full form, which is all that keeping splits apart needs (integrity 1.6).
 */
export function fenceKey(inputs: readonly string[], outputs: readonly string[]): string {
  const pairs = inputs.map((input, i) => numbered(`${input}>${outputs[i]}`))
  return sha256Hex(pairs.sort().join('|')).slice(0, 32)
}
