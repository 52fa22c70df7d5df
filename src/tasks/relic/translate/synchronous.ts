import { below, float, memoize, type Stream, sampleIndices } from '../../../core/index.ts'
import { rulesByParent } from '../../../libraries/grammars/grammar/cnf.ts'
import { CHILD } from '../../../libraries/grammars/grammar/normal-form.ts'
import { analyzerOf, liftedOf, type Shared, symbolsOf, targetsOf } from '../grammars/grammar.ts'
import type { Config } from './task.ts'

/** Words of the target language for each token of the source. */
const WORDS = 1.5

/**
 * Target sides for the rules of a grammar in Chomsky normal form. Two symbols with the same token have different words for it.
 * Parts with one name keep their order, since they could not be told apart.
 */
export function drawTargets({ inversion, particles }: Config, { grammar }: Shared, stream: Stream): string {
  const { rules } = liftedOf({ grammar })
  const tokens = symbolsOf({ grammar }).tokens.size
  const size = Math.ceil(WORDS * tokens)
  /** Words of a token that its symbols have not taken. */
  const left = new Map<string, number[]>()
  const word = (number: number): string => `'u${number}'`
  const lines = rules.map(({ right: [first, second] }) => {
    if (second === undefined) {
      const own = left.get(first!.name) ?? sampleIndices(stream, size, size)
      left.set(first!.name, own)
      return word(own.pop() as number)
    }
    const inverted = float(stream) < inversion && first!.name !== second.name
    const sides = inverted ? [second.name, first!.name] : [first!.name, second.name]
    if (float(stream) < particles) sides.splice(below(stream, 3), 0, word(below(stream, size)))
    return sides.join(' ')
  })
  return lines.join('\n')
}

/** A translation and one derivation that gives it, as rules of the grammar in leftmost order. */
export interface Translation {
  readonly words: readonly string[]
  readonly derivation: readonly number[]
}

/** Most translations that are counted. */
export const MAX_TRANSLATIONS = 20

/** Words and children (0, 1) of the target side of every rule of the grammar. */
const sidesOf = memoize((shared: Shared): readonly (readonly (string | 0 | 1)[])[] => {
  const { rules, fragments } = liftedOf(shared)
  return fragments.map(([number = CHILD]) =>
    targetsOf(shared)[number]!.map(({ kind, name }, place, side) => {
      if (kind === 'terminal') return name
      const [first, second] = rules[number]!.right
      if (first!.name !== second?.name) return name === first!.name ? 0 : 1
      return side.slice(0, place).some((before) => before.kind === 'nonterminal') ? 1 : 0
    }),
  )
})

const tablesOf = memoize((shared: Shared) => rulesByParent(liftedOf(shared).cnf))

/** All translations of what a symbol derives, or of the whole string; null: more than are counted. */
export function translations(
  shared: Shared,
  tokens: ArrayLike<number>,
  whole: readonly [symbol: number, from: number, to: number] = [0, 0, tokens.length],
): readonly Translation[] | null {
  const { cnf } = liftedOf(shared)
  const rules = tablesOf(shared)
  const sides = sidesOf(shared)
  const chart = analyzerOf(shared).chart(tokens)
  const binary = cnf.binary.length / 3
  const known = new Map<string, ReadonlyMap<string, Translation> | null>()
  const of = (symbol: number, from: number, to: number): ReadonlyMap<string, Translation> | null => {
    const key = `${symbol} ${from} ${to}`
    const before = known.get(key)
    if (before !== undefined) return before
    const out = new Map<string, Translation>()
    const add = (rule: number, ...children: readonly Translation[]): void => {
      const words = sides[rule]!.flatMap((part) => (typeof part === 'string' ? part : children[part]!.words))
      const text = words.join(' ')
      if (!out.has(text)) out.set(text, { words, derivation: [rule, ...children.flatMap((child) => child.derivation)] })
    }
    const search = (): boolean => {
      if (to - from === 1)
        for (let l = 0; 2 * l < cnf.lexical.length; l++)
          if (cnf.lexical[2 * l] === symbol && cnf.lexical[2 * l + 1] === tokens[from]) add(binary + l)
      for (const { left, right, rule } of to - from > 1 ? rules[symbol]! : [])
        for (let split = from + 1; split < to; split++) {
          if (!chart.has(left, from, split) || !chart.has(right, split, to)) continue
          const [first, second] = [of(left, from, split), of(right, split, to)]
          if (first === null || second === null) return false
          for (const one of first.values()) for (const two of second.values()) add(rule, one, two)
          if (out.size > MAX_TRANSLATIONS) return false
        }
      return true
    }
    const found = search() ? out : null
    known.set(key, found)
    return found
  }
  const [symbol, from, to] = whole
  if (!chart.has(symbol, from, to)) return []
  const found = of(symbol, from, to)
  return found === null ? null : [...found.values()]
}

/** The target words of a derivation's tokens, in the order of the source. */
export function wordsInOrder(shared: Shared, { derivation }: Translation): readonly string[] {
  const binary = liftedOf(shared).cnf.binary.length / 3
  return derivation.filter((rule) => rule >= binary).map((rule) => sidesOf(shared)[rule]![0] as string)
}

/** The words that a derivation gives, replayed from its rules; null where they do not fit together. */
export function yieldOf(shared: Shared, derivation: readonly number[]): readonly string[] | null {
  const sides = sidesOf(shared)
  const binary = liftedOf(shared).cnf.binary.length / 3
  const built: (readonly string[])[] = []
  for (const rule of derivation.toReversed()) {
    const side = sides[rule]
    if (side === undefined || (rule < binary && built.length < 2)) return null
    const children = rule < binary ? [built.pop() as readonly string[], built.pop() as readonly string[]] : []
    built.push(side.flatMap((part) => (typeof part === 'string' ? part : children[part]!)))
  }
  return built.length === 1 ? built[0]! : null
}
