import type { LoglikelihoodRequest, Question } from '../../../core/index.ts'
import { joinTokens } from '../format.ts'
import { languageOf } from '../languages/compiled.ts'
import type { Given, Shared } from './types.ts'

/**
 * Ways of writing a string. `lines`: as the format defines. `spaced`: tokens separated by spaces, so that tokenizers
 * keep them apart. `merged`: in groups separated by spaces, as tokenizers with tokens of three digits see numbers:
 * `312654987` becomes `312 654 987`.
 */
export const styles = ['lines', 'spaced', 'merged'] as const satisfies readonly [string, ...string[]]

/** Tokens per group: three for alphabets of at most ten tokens, so that there are at most a thousand groups. */
export const groupWidth = (alphabet: number): number => (alphabet <= 10 ? 3 : alphabet <= 31 ? 2 : 1)

/** Tokens in groups of `width`; the last may be shorter. */
export const groupsOf = <T>(tokens: readonly T[], width: number): T[][] =>
  Array.from({ length: Math.ceil(tokens.length / width) }, (_, i) => tokens.slice(i * width, (i + 1) * width))

/** A string as written in a style; strings are stored as tokens joined by single spaces. */
export function formatString(text: string, style: string, separator: string, alphabet: number): string {
  if (style === 'merged')
    return groupsOf(text.split(' '), groupWidth(alphabet))
      .map((group) => group.join(''))
      .join(' ')
  return joinTokens(text, style === 'spaced' ? ' ' : separator)
}

export function request({ shared, given }: Question<Shared, Given>, style: string): LoglikelihoodRequest {
  const { format } = shared
  const alphabet = languageOf(shared.grammar).grammar.terminals.length
  const write = (text: string) => formatString(text, style, format.separator, alphabet)
  const end = format.terminator
  const examples = shared.examples.slice(0, given.k).map((text) => write(text) + end)
  return {
    kind: 'score',
    context: `${format.instruction}${format.opening}${examples.join('')}`,
    text: write(given.text) + (format.scoreEnd ? end : ''),
  }
}
