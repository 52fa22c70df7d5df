import {
  below,
  type ChatRequest,
  type Message,
  pick,
  type Question,
  type RandomStreams,
  type Stream,
  shuffle,
  type TemplateParts,
} from '../../../core/index.ts'
import { attainableLengths } from '../../../libraries/grammars/sample/lengths.ts'
import { isCrossed } from '../grammars/crossed.ts'
import { liftedOf, type Shared, textOf } from '../grammars/grammar.ts'
import { languageOf, recognizerOf } from '../grammars/languages.ts'
import { fenced, grammarText, pairGrammarLead } from '../grammars/present.ts'
import type { Given } from '../grammars/strings.ts'

export type RelicQuestion = Question<Shared, Given>

interface Shot {
  readonly string: string
  readonly label: boolean
}

const verdictLine = 'Reason in whatever way you like. Then close with a line that says only Yes or only No.'

const shotList = (shots: readonly Shot[]): string =>
  shots.map((shot) => `${shot.string} => ${shot.label ? 'Yes' : 'No'}`).join('\n')

/** The question with the grammar, and with solved examples if there are any. */
function grammarPrompt(question: RelicQuestion, shots: readonly Shot[]): readonly Message[] {
  const { grammar, shown } = question.shared
  const { start } = liftedOf(question.shared)
  const line = shown === undefined ? 'Each line is one production' : '| stands between alternatives'
  const parts = [
    ...(isCrossed(question.shared)
      ? [
          pairGrammarLead(question.shared),
          'A string belongs to the language when S derives exactly that sequence of tokens.',
        ]
      : [
          `Below is a context-free grammar. ${line}; ${start} is the start symbol, quoted symbols are tokens, ` +
            `and all other symbols are nonterminals. A string belongs to the language when ${start} can be rewritten into exactly ` +
            'that sequence of tokens.',
          `Grammar:\n${fenced(shown ?? grammar)}`,
        ]),
    ...(shots.length === 0 ? [] : [`Some strings with their verdicts:\n${fenced(shotList(shots))}`]),
    `Does this string belong to the language?\n${fenced(question.given.string)}`,
    verdictLine,
  ]
  return [{ role: 'user', content: parts.join('\n\n') }]
}

/** The baseline without the grammar: solved examples only. */
function examplesPrompt(question: RelicQuestion, shots: readonly Shot[]): readonly Message[] {
  const parts = [
    `A hidden ${isCrossed(question.shared) ? 'multiple ' : ''}context-free grammar ` +
      'generates some strings of tokens and not others. Here are strings with their ' +
      `verdicts (Yes: the grammar generates it):\n${fenced(shotList(shots))}`,
    `Judging by these examples, does the grammar generate this string?\n${fenced(question.given.string)}`,
    verdictLine,
  ]
  return [{ role: 'user', content: parts.join('\n\n') }]
}

const shotCounts = [2, 4, 8, 16, 32] as const

export const styles = [
  'zero-shot',
  ...shotCounts.map((n) => `few-shot-${n}`),
  ...shotCounts.map((n) => `grammar-free-${n}`),
] as unknown as readonly [string, ...string[]]

/** The question in one style; `n` in a style counts examples of both labels together. */
export function request(question: RelicQuestion, style: string, draws: RandomStreams): ChatRequest {
  const n = Number(style.split('-').at(-1))
  if (style.startsWith('few-shot-'))
    return { kind: 'chat', messages: grammarPrompt(question, shots(question, n, draws.stream('shots'))) }
  if (style.startsWith('grammar-free-'))
    return { kind: 'chat', messages: examplesPrompt(question, shots(question, n, draws.stream('shots'))) }
  return { kind: 'chat', messages: grammarPrompt(question, []) }
}

export const parts: TemplateParts<Shared, Given> = {
  texts: { grammar: ({ shared }) => grammarText(shared), string: ({ given }) => given.string },
  examples: {
    names: ['string', 'answer'],
    of: (question, n, draws) =>
      shots(question, n, draws.stream('shots')).map(({ string, label }) => ({ string, answer: label ? 'Yes' : 'No' })),
  },
}

/** Tokens of the longest example. */
const maxShot = 50

/** Maximum draws in a row without a new example: a small language may have no more strings. */
const patience = 500

/**
 * Balanced examples of the question's grammar, all different and never the question's string: positives with uniform
 * lengths, negatives by one to three random substitutions in a new positive. Both classes have equally many; none where
 * all strings are too long.
 */
function shots(question: RelicQuestion, n: number, stream: Stream): Shot[] {
  const { shared } = question
  const { grammar, sampler, lengths: reached } = languageOf(shared, maxShot)
  const lengths = attainableLengths(reached)
  if (lengths.length === 0) return []
  const seen = new Set([question.given.string])
  const examples = (label: boolean): Shot[] => {
    const found: Shot[] = []
    for (let tries = 0; found.length < n / 2 && tries < patience; tries++) {
      const tokens = Int32Array.from(sampler.sample(stream, pick(stream, lengths)))
      if (!label)
        for (let edits = 1 + below(stream, 3); edits > 0; edits--)
          tokens[below(stream, tokens.length)] = below(stream, grammar.terminals.length)
      const string = textOf(shared, tokens)
      if (seen.has(string) || recognizerOf(shared).accepts(tokens) !== label) continue
      seen.add(string)
      found.push({ string, label })
      tries = 0
    }
    return found
  }
  const [positives, negatives] = [examples(true), examples(false)]
  const each = Math.min(positives.length, negatives.length)
  return shuffle(stream, [...positives.slice(0, each), ...negatives.slice(0, each)])
}
