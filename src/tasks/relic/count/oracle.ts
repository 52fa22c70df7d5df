import type { Question } from '../../../core/index.ts'
import type { Shared } from '../grammars/grammar.ts'
import type { Given } from '../grammars/strings.ts'

/** From the top, over the text of the grammar: derivations of a symbol over a span, remembered. */
export function oracle({ shared, given }: Question<Shared, Given>, answer: number): boolean {
  const joins = new Map<string, (readonly [string, string])[]>()
  const words = new Set<string>()
  for (const line of shared.grammar.split('\n')) {
    const [left = '', , first = '', second] = line.split(' ')
    if (second === undefined) words.add(`${left} ${first.replaceAll("'", '')}`)
    else joins.set(left, [...(joins.get(left) ?? []), [first, second]])
  }
  const tokens = given.string.split(' ')
  const known = new Map<string, bigint>()
  const count = (symbol: string, from: number, to: number): bigint => {
    if (to - from === 1) return words.has(`${symbol} ${tokens[from]}`) ? 1n : 0n
    const key = `${symbol} ${from} ${to}`
    const found = known.get(key)
    if (found !== undefined) return found
    let sum = 0n
    for (const [left, right] of joins.get(symbol) ?? [])
      for (let split = from + 1; split < to; split++) {
        const ways = count(left, from, split)
        if (ways > 0n) sum += ways * count(right, split, to)
      }
    known.set(key, sum)
    return sum
  }
  return count('S', 0, tokens.length) === BigInt(answer)
}
