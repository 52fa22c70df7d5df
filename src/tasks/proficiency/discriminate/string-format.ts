import type { LoglikelihoodRequest, Question } from '../../../core/index.ts'
import { joinTokens } from '../format.ts'
import { languageOf } from '../languages/compiled.ts'
import type { Given, Shared } from './types.ts'

/**
 * Ways of writing the same string. `lines`: as the format says. `spaced`: tokens separated by spaces whatever it says, so
 * that tokenizers keep them apart. `merged`: run together in groups with spaces between the groups, as tokenizers that make
 * one token of up to three digits read numbers: `312654987` becomes `312 654 987`.
 */
export const styles = ['lines', 'spaced', 'merged'] as const satisfies readonly [string, ...string[]]

/** Tokens a group: three where there are at most ten of them, as of digits; so that there are at most a thousand whole groups. */
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
