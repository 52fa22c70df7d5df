import type { ChatRequest, RandomStreams } from '../../../core/index.ts'
import type { Shared } from './grammar.ts'
import { fenced, presentations, presentGrammar, writerOf } from './present.ts'

/** A question about a grammar, as a task puts it. */
export interface GrammarQuestion {
  readonly shared: Shared
  /** What is asked, with names written by `show`. */
  ask(show: (code: string) => string): string
  /** The form of the answer, with an example from a fixed toy grammar. */
  readonly form: string
  /** Solved examples from the same grammar. */
  examples(count: number): readonly { readonly question: string; readonly answer: string }[]
}

const shotCounts = [2, 4] as const

/** Prompt styles of all tasks over drawn grammars: presentations of one question, and solved examples. */
export const styles = [...presentations, ...shotCounts.map((n) => `few-shot-${n}`)] as unknown as readonly [
  string,
  ...string[],
]

export function requestOf(question: GrammarQuestion, style: string, draws: RandomStreams): ChatRequest {
  const shots = /^few-shot-(\d+)$/u.exec(style)?.[1]
  const examples = shots === undefined ? [] : question.examples(Number(shots))
  const parts = [
    presentGrammar(question.shared, style, draws),
    ...(examples.length === 0
      ? []
      : [`Solved examples:\n\n${examples.map((one) => `${one.question}\n\n${one.answer}`).join('\n\n')}`]),
    question.ask(writerOf(question.shared, style)),
    question.form,
  ]
  return { kind: 'chat', messages: [{ role: 'user', content: parts.join('\n\n') }] }
}

export { fenced }
