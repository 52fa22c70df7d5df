import type { Extraction, Grade, Parser, Parsers, Problem } from '../../../core/index.ts'
import { BLANK, templateAnalyzer } from '../../../libraries/grammars/recognise/template.ts'
import { liftedOf, type Shared, symbolsOf } from '../grammars/grammar.ts'
import { lenientTokens, strictTokens } from '../grammars/sequences.ts'
import { type Answer, type Given, recognizerOf, templateOf } from './draw.ts'

/** A whole string; `alone`: or the tokens for the blanks alone. */
const wholeString =
  (alone: boolean): Parser<Shared, Given, Answer> =>
  (text, { shared, given }) => {
    const places = given.template.split(' ')
    const blanks = places.filter((place) => place === '_').length
    const fits = (names: readonly string[]): boolean =>
      names.length === places.length || (alone && names.length === blanks)
    const found = alone ? lenientTokens(text, shared, fits) : strictTokens(text, shared)
    if (found.kind === 'unparsed') return found
    if (!fits(found.answer))
      return {
        kind: 'unparsed',
        reason: `expected ${places.length} tokens, got ${found.answer.length}`,
      } satisfies Extraction<Answer>
    if (found.answer.length === places.length) return found
    const left = [...found.answer]
    return { ...found, answer: places.map((place) => (place === '_' ? (left.shift() as string) : place)) }
  }

export const parsers: Parsers<Shared, Given, Answer> = { strict: wholeString(false), lenient: wholeString(true) }

/**
 * 1 for a string of the language that agrees with the template. Subscore `prefix`: the share of the blanks, from the left,
 * before the first after which no filling is possible any more; 0 where the string does not agree.
 */
export function grade({ shared, given }: Problem<Shared, Given, Answer>, answer: Answer): Grade {
  const template = templateOf(shared, given)
  const { tokens } = symbolsOf(shared)
  const numbers = answer.map((name) => tokens.get(name) ?? -2)
  const agrees =
    numbers.length === template.length && template.every((token, at) => token === BLANK || token === numbers[at])
  if (!agrees) return { value: 0, parts: { prefix: 0 } }
  if (recognizerOf(shared).accepts(numbers)) return { value: 1, parts: { prefix: 1 } }
  const analyzer = templateAnalyzer(liftedOf(shared).cnf)
  const blanks = template.flatMap((token, at) => (token === BLANK ? [at] : []))
  const begun = [...template]
  let good = 0
  for (const place of blanks) {
    begun[place] = numbers[place]!
    if (begun[place] < 0 || !analyzer.fits(begun)) break
    good++
  }
  return { value: 0, parts: { prefix: good / blanks.length } }
}
