import { type LoglikelihoodRequest, type Question, UsageError } from '../../../core/index.ts'
import { segmentStarts } from '../../../libraries/language/segments.ts'
import { joinTokens } from '../format.ts'
import { languageOf } from '../languages/compiled.ts'
import type { Given, Shared } from './types.ts'

/** Tokens that take the place of those of a language, in their alphabetical order. */
const alphabets: { readonly [style: string]: readonly string[] } = {
  letters: [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  words:
    'time way year work day part place case week side group fact hand point home water room area money story'.split(
      ' ',
    ),
  // Syllables of Yi, which models have seldom read.
  rare: Array.from({ length: 400 }, (_, i) => String.fromCodePoint(0xa000 + 2 * i)),
}

/**
 * Ways of writing a string. `lines`: as the format defines. `spaced`: tokens separated by spaces, so that tokenizers
 * keep them apart. `merged`: in groups separated by spaces, as tokenizers with tokens of three digits see numbers:
 * `312654987` becomes `312 654 987`. `letters`, `words`, `rare`: the same string in another alphabet.
 */
export const styles = ['lines', 'spaced', 'merged', 'letters', 'words', 'rare'] as const satisfies readonly [
  string,
  ...string[],
]

/** Tokens per group: three for alphabets of at most ten tokens, so that there are at most a thousand groups. */
export const groupWidth = (alphabet: number): number => (alphabet <= 10 ? 3 : alphabet <= 31 ? 2 : 1)

/** Tokens in groups of `width`; the last may be shorter. */
export const groupsOf = <T>(tokens: readonly T[], width: number): T[][] =>
  Array.from({ length: Math.ceil(tokens.length / width) }, (_, i) => tokens.slice(i * width, (i + 1) * width))

/** A token in the alphabet of a style. @throws UsageError for a language with more tokens than the alphabet. */
function tokenIn(terminals: readonly string[], style: string): (token: string) => string {
  const alphabet = alphabets[style]
  if (alphabet === undefined) return (token) => token
  if (terminals.length > alphabet.length)
    throw new UsageError(
      `the style ${style} has ${alphabet.length} tokens and the language ${terminals.length}: choose another style`,
    )
  const order = terminals.toSorted()
  return (token) => alphabet[order.indexOf(token)] as string
}

/** A string as written in a style; strings are stored as tokens joined by single spaces. */
export function formatString({ grammar, format }: Shared, text: string, style: string): string {
  const { terminals } = languageOf(grammar).grammar
  const tokens = text.split(' ')
  if (style === 'merged')
    return groupsOf(tokens, groupWidth(terminals.length))
      .map((group) => group.join(''))
      .join(' ')
  const apart = style === 'spaced' || style === 'words'
  return joinTokens(tokens.map(tokenIn(terminals, style)).join(' '), apart ? ' ' : format.separator)
}

/** Where each token of the question's string begins in it as written in any style, and its end; null: it is another string. */
export function writtenStarts({ shared, given }: Question<Shared, Given>, text: string): readonly number[] | null {
  const { terminals } = languageOf(shared.grammar).grammar
  const names = given.text.split(' ')
  for (const style of ['lines', ...Object.keys(alphabets)]) {
    if (terminals.length > (alphabets[style] ?? terminals).length) continue
    const written = names.map(tokenIn(terminals, style))
    const starts = segmentStarts(text, written, shared.format.terminator, groupWidth(terminals.length))
    if (starts !== null) return starts
  }
  return null
}

/** The strings of a context of k examples. */
export const contextOf = ({ examples, repeats = 1 }: Shared, k: number): readonly string[] =>
  Array.from({ length: repeats }, () => examples.slice(0, k)).flat()

export function request({ shared, given }: Question<Shared, Given>, style: string): LoglikelihoodRequest {
  const { format } = shared
  const end = format.terminator
  const examples = contextOf(shared, given.k).map((text) => formatString(shared, text, style) + end)
  return {
    kind: 'score',
    context: `${format.instruction}${format.opening}${examples.join('')}`,
    text: formatString(shared, given.text, style) + (format.scoreEnd ? end : ''),
  }
}
