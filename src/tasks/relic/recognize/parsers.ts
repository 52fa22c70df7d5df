import type { Extraction, Parser } from '../../../core/index.ts'
import { lenientChoice, strictChoice } from '../../../libraries/language/choice-parser.ts'
import type { Shared } from '../grammars/grammar.ts'
import type { Given } from '../grammars/strings.ts'

export const verdicts = ['Yes', 'No'] as const

const asLabel = (found: Extraction<string>): Extraction<boolean> =>
  found.kind === 'unparsed' ? found : { ...found, answer: found.answer === 'Yes' }

const edge = '[\\p{L}\\p{N}_]'
const word = new RegExp(`(?<!${edge})(?:yes|no)(?!${edge})`, 'giu')

/** What a pattern finds last in a text. */
export function lastMatch(text: string, pattern: RegExp): RegExpExecArray | null {
  let last: RegExpExecArray | null = null
  for (const match of text.matchAll(pattern)) last = match
  return last
}

/** The released rule (specs/relic 4): the last whole word "yes" or "no" anywhere in the raw text, reasoning included. */
function published(text: string): Extraction<boolean> {
  const last = lastMatch(text, word)
  return last === null
    ? { kind: 'unparsed', reason: 'neither yes nor no occurs' }
    : {
        kind: 'extracted',
        answer: /^y/i.test(last[0]),
        rule: 'last-word',
        span: [last.index, last.index + last[0].length],
      }
}

export const parsers: { readonly [name in 'strict' | 'lenient' | 'published']: Parser<Shared, Given, boolean> } = {
  strict: (text) => asLabel(strictChoice(text, verdicts)),
  lenient: (text) => asLabel(lenientChoice(text, verdicts)),
  published,
}
