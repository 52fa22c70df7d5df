import type { Message, Question } from '../../../core/index.ts'

export interface Shared {
  /** One production a line: start rules, other binary rules, lexical rules. */
  readonly grammar: string
  readonly [key: string]: string
}
export interface Given {
  /** Tokens with one blank between them. */
  readonly string: string
  readonly [key: string]: string
}
export type RelicQuestion = Question<Shared, Given>

export interface Shot {
  readonly string: string
  readonly label: boolean
}

const verdictLine = 'Reason in whatever way you like. Then close with a line that says only Yes or only No.'

const fenced = (text: string): string => `\`\`\`\n${text}\n\`\`\``

const shotList = (shots: readonly Shot[]): string =>
  shots.map((shot) => `${shot.string} => ${shot.label ? 'Yes' : 'No'}`).join('\n')

/** The question with the grammar, and with solved examples if there are any. */
export function grammarPrompt(question: RelicQuestion, shots: readonly Shot[]): readonly Message[] {
  const parts = [
    'Below is a context-free grammar. Each line is one production; S is the start symbol, quoted symbols are tokens, ' +
      'and all other symbols are nonterminals. A string belongs to the language when S can be rewritten into exactly ' +
      'that sequence of tokens.',
    `Grammar:\n${fenced(question.shared.grammar)}`,
    ...(shots.length === 0 ? [] : [`Some strings with their verdicts:\n${fenced(shotList(shots))}`]),
    `Does this string belong to the language?\n${fenced(question.given.string)}`,
    verdictLine,
  ]
  return [{ role: 'user', content: parts.join('\n\n') }]
}

/** The baseline without the grammar: solved examples only. */
export function examplesPrompt(question: RelicQuestion, shots: readonly Shot[]): readonly Message[] {
  const parts = [
    'A hidden context-free grammar generates some strings of tokens and not others. Here are strings with their ' +
      `verdicts (Yes: the grammar generates it):\n${fenced(shotList(shots))}`,
    `Judging by these examples, does the grammar generate this string?\n${fenced(question.given.string)}`,
    verdictLine,
  ]
  return [{ role: 'user', content: parts.join('\n\n') }]
}
