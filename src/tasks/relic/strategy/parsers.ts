import type { Extraction, Parser } from '../../../core/index.ts'
import { lenientChoice, strictChoice } from '../../../libraries/language/choice-parser.ts'
import type { Shared } from '../recognize/prompt.ts'
import type { Given } from './prompt.ts'
import { type Strategy, strategies } from './strategies.ts'

const asStrategy = (found: Extraction<string>): Extraction<Strategy> =>
  found.kind === 'unparsed' ? found : { ...found, answer: found.answer as Strategy }

const WORD = /heuristic|rule[-|\u2010]based|code/giu

/** The released rule (specs/relic 4): the last of three words anywhere, `code` counted with the rules. */
function published(text: string): Extraction<Strategy> {
  let last: RegExpExecArray | null = null
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) last = match
  if (last === null) return { kind: 'unparsed', reason: 'no strategy is named' }
  const [said] = last
  return {
    kind: 'extracted',
    answer: said.toLowerCase() === 'heuristic' ? 'heuristic' : 'rule-based',
    rule: 'last-word',
    span: [last.index, last.index + said.length],
  }
}

export const parsers: { readonly [name in 'strict' | 'lenient' | 'published']: Parser<Shared, Given, Strategy> } = {
  strict: (text) => asStrategy(strictChoice(text, strategies)),
  lenient: (text) => asStrategy(lenientChoice(text, strategies)),
  published,
}
