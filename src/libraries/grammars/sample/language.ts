import { type Cnf, indexRules } from '../grammar/cnf.ts'
import { type DistinctStrings, distinctStrings } from './distinct.ts'
import { type InsideTable, insideTable } from './inside.ts'
import { type LengthTable, lengthTable } from './lengths.ts'
import { type StringSampler, stringSampler } from './sample-string.ts'

/** A grammar made ready for generation up to a length: what is derivable, with which weight, and how many strings. */
export interface Language {
  readonly grammar: Cnf
  readonly maxLength: number
  readonly lengths: LengthTable
  readonly inside: InsideTable
  readonly sampler: StringSampler
  /** Distinct strings per cell up to `cap`; tables are kept per cap. */
  distinct(cap: number): DistinctStrings
}

/**
 * Prepare a grammar under the uniform-rule PCFG. Tables are computed when first used.
 *
 * @example
 * import { language, namedStream, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { sampler } = language(parseRelicGrammar("S -> A B\nA -> A A\nA -> 'a'\nB -> 'b'"), 8)
 * console.log([...sampler.sample(namedStream('my strings', '1'), 4)]) // [ 0, 0, 0, 1 ]
 */
export function language(grammar: Cnf, maxLength: number): Language {
  const index = indexRules(grammar)
  const distinct = new Map<number, DistinctStrings>()
  let lengths: LengthTable | undefined
  let inside: InsideTable | undefined
  let sampler: StringSampler | undefined
  const self: Language = {
    grammar,
    maxLength,
    get lengths() {
      lengths ??= lengthTable(index, maxLength)
      return lengths
    },
    get inside() {
      inside ??= insideTable(grammar, maxLength)
      return inside
    },
    get sampler() {
      sampler ??= stringSampler(self.inside)
      return sampler
    },
    distinct(cap) {
      let table = distinct.get(cap)
      if (table === undefined) {
        table = distinctStrings(index, self.lengths, cap)
        distinct.set(cap, table)
      }
      return table
    },
  }
  return self
}
