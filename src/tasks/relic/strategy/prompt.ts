import type { ChatRequest, Extraction, Parser, Question } from '../../../core/index.ts'
import { lenientChoice, strictChoice } from '../../../libraries/language/choice-parser.ts'
import { inFence } from '../../../libraries/language/fences.ts'
import type { Shared } from '../grammars/grammar.ts'
import { lastMatch } from '../recognize/parsers.ts'

export interface Given {
  /** The string that the response is about. */
  readonly string: string
  /** All that the model wrote. */
  readonly response: string
  readonly [key: string]: string
}
export type StrategyQuestion = Question<Shared, Given>

/** As in the paper a judge sees the response alone: neither grammar nor verdict of the item. */
export function request({ given }: StrategyQuestion): ChatRequest {
  const content = [
    'A language model was shown a context-free grammar and a string of tokens, and asked whether the grammar generates ' +
      'the string. Below is all that it wrote. How did it come to its verdict?',
    [
      'rule-based: it derives the whole string with the rules of the grammar, or goes through the rules until no derivation ' +
        'is left that could exist. No step is guessed.',
      'heuristic: it goes by signs, such as how long the string is, which tokens it holds or that some rules look as if they ' +
        'fit, or it begins a derivation and guesses how it would end.',
      'code: it writes a program, or steps of an algorithm as pseudo-code, and says what that would give.',
      'none: it states a verdict and no reason.',
    ].join('\n'),
    `What the model wrote:\n${inFence(given.response)}`,
    'Think as long as you like. Then close with a line that says only one of: rule-based, heuristic, code, none.',
  ].join('\n\n')
  return { kind: 'chat', messages: [{ role: 'user', content }] }
}

const asStrategy = (found: Extraction<string>): Extraction<Strategy> =>
  found.kind === 'unparsed' ? found : { ...found, answer: found.answer as Strategy }

const WORD = /heuristic|rule[-|\u2010]based|code/giu

/** The released rule (specs/relic 4): the last of three words anywhere, `code` counted with the rules. */
function published(text: string): Extraction<Strategy> {
  const last = lastMatch(text, WORD)
  if (last === null) return { kind: 'unparsed', reason: 'no strategy is named' }
  const [word] = last
  return {
    kind: 'extracted',
    answer: word.toLowerCase() === 'heuristic' ? 'heuristic' : 'rule-based',
    rule: 'last-word',
    span: [last.index, last.index + word.length],
  }
}

/**
 * The last line is a strategy and nothing else, or the response ends with the strategy that it asserts. Judges often end a
 * paragraph with "Classification: heuristic"; this is read as a separate line.
 */
function strict(response: string): Extraction<Strategy> {
  const text = withHyphens(response).replace(/(?<=\bclassifi\p{L}+(?: as)?:) (?=\S+\s*$)/iu, '\n')
  const line = strictChoice(text, strategies)
  if (line.kind === 'extracted') return asStrategy(line)
  const said = lenientChoice(text, strategies)
  return said.kind === 'extracted' && !/[\p{L}\p{N}]/u.test(text.slice(said.span[1])) ? asStrategy(said) : line
}

/** Judges also write rule-based with a hyphen that is no minus. */
const withHyphens = (text: string): string => text.replaceAll(/[\u2010\u2011]/gu, '-')

export const parsers: { readonly [name in 'strict' | 'lenient' | 'published']: Parser<Shared, Given, Strategy> } = {
  strict,
  lenient: (text) => asStrategy(lenientChoice(withHyphens(text), strategies)),
  published,
}

/** How a chain of thought comes to its verdict (the paper's appendix G has the first three; `none`: it has no reasoning). */
export const strategies = ['rule-based', 'heuristic', 'code', 'none'] as const
export type Strategy = (typeof strategies)[number]
