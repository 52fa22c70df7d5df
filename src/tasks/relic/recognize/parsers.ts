import type { Extraction, Parser } from '../../../core/index.ts'
import { lenientChoice, strictChoice } from '../../../libraries/language/choice-parser.ts'
import type { Shared } from '../grammars/grammar.ts'
import type { Given } from './prompt.ts'

export const verdicts = ['Yes', 'No'] as const

const asLabel = (found: Extraction<string>): Extraction<boolean> =>
  found.kind === 'unparsed' ? found : { ...found, answer: found.answer === 'Yes' }

const edge = '[\\p{L}\\p{N}_]'
const word = new RegExp(`(?<!${edge})(?:yes|no)(?!${edge})`, 'giu')

/** The released rule (specs/relic 4): the last whole word "yes" or "no" anywhere in the raw text, reasoning included. */
function published(text: string): Extraction<boolean> {
  let last: RegExpExecArray | null = null
  word.lastIndex = 0
  for (let match = word.exec(text); match !== null; match = word.exec(text)) last = match
  if (last === null) return { kind: 'unparsed', reason: 'neither yes nor no occurs' }
  const said = last[0]
  return {
    kind: 'extracted',
    answer: /^y/i.test(said),
    rule: 'last-word',
    span: [last.index, last.index + said.length],
  }
}

export const parsers: { readonly [name in 'strict' | 'lenient' | 'published']: Parser<Shared, Given, boolean> } = {
  strict: (text) => asLabel(strictChoice(text, verdicts)),
  lenient: (text) => asLabel(lenientChoice(text, verdicts)),
  published,
}
