import { sha256Hex } from '../../core/index.ts'
import { canonical } from '../../libraries/graphs/canonical.ts'
import type { Rule } from '../../libraries/rewriting/index.ts'
import type { Pairs } from './types.ts'

/** Relation ids: letter at place p (from 1) of an input, of an output; both lengths; what rules and counts add. */
const OUTPUT = 100
const LENGTHS = 1000
const COUNT = 5000
const RULE = 10_000

/**
 * Equal exactly for questions that differ by a renaming of letters and the order of their pairs, without the cascade.
 * For words longer than 31 letters (their relations overlap), and where the canonical form is too expensive (the key is
 * then an invariant), other questions may be equal too.
 */
export function pairsKey({ inputs, outputs }: Pairs): string {
  return keyOf('pbe/instance', { inputs, outputs }, [])
}

/** The same with rules as further vertices, for scrambled cascades, in any order shown. */
export function scrambledKey({ inputs, outputs }: Pairs, rules: readonly Rule[]): string {
  return keyOf('pbe/scrambled', { inputs, outputs }, rules)
}

function keyOf(kind: string, { inputs, outputs }: Pairs, rules: readonly Rule[]): string {
  const counts = new Map<string, { readonly input: string; readonly output: string; count: number }>()
  for (const [i, input] of inputs.entries()) {
    const output = outputs[i] as string
    const known = counts.get(`${input}\n${output}`)
    if (known === undefined) counts.set(`${input}\n${output}`, { input, output, count: 1 })
    else known.count++
  }
  const letters = [...new Set([...inputs, ...outputs, ...rules.flat()].join(''))]
  const vertex = new Map(letters.map((letter, k) => [letter, k]))
  const colours = letters.map(() => 0)
  const tuples: number[][] = []
  const spell = (relation: number, at: number, text: string) => {
    for (const [place, letter] of [...text].entries())
      tuples.push([relation + place + 1, at, vertex.get(letter) as number])
  }
  for (const { input, output, count } of counts.values()) {
    const pair = colours.push(1) - 1
    spell(0, pair, input)
    spell(OUTPUT, pair, output)
    tuples.push([LENGTHS + 32 * [...input].length + [...output].length, pair])
    if (count > 1) tuples.push([COUNT + count, pair])
  }
  for (const [left, right] of rules) {
    const rule = colours.push(2) - 1
    spell(RULE, rule, left)
    spell(RULE + OUTPUT, rule, right)
  }
  // Letters stand in second places only, pairs and rules in first places of different relations: the tuples tell the colours.
  const { form, invariant } = canonical(kind, { n: colours.length, colours, tuples })
  return form ?? invariant
}

export const FENCE_DOMAIN = 'pbebench/pairs'

/** The partition of tasks that show pairs. */
export const pairsPartition = {
  domain: FENCE_DOMAIN,
  keyVersion: 1,
  key: ({ given }: { readonly given: Pairs }) => partitionKey(given.inputs, given.outputs),
  of: 'item',
} as const

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
 * is an invariant, not a full form, which is all that keeping splits apart needs.
 */
export function partitionKey(inputs: readonly string[], outputs: readonly string[]): string {
  const pairs = inputs.map((input, i) => numbered(`${input}>${outputs[i]}`))
  return sha256Hex(pairs.sort().join('|')).slice(0, 32)
}
