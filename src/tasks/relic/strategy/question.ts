import type { z } from 'zod'
import type { JudgedResponse, JudgeItem } from '../../../core/index.ts'
import { checkedStrategy } from './checker.ts'
import { type features, traced } from './features.ts'
import type { StrategyQuestion } from './prompt.ts'

/** A longer chain of thought is cut in the middle: it would cost more than it tells. */
const MAX = 60_000

/** A response to `relic/recognize` as a question to a judge; null where nothing was said. */
export function strategyQuestion({
  problem,
  judgedModel: respondent,
  finish,
  text,
  value,
}: JudgedResponse): JudgeItem | null {
  const { shared, given, answer } = problem as {
    readonly shared: StrategyQuestion['shared']
    readonly given: { readonly string: string }
    readonly answer: boolean
  }
  const response = cut(text)
  if (response.trim() === '') return null
  const question: StrategyQuestion = { shared, given: { string: given.string, response } }
  const found: z.infer<typeof features> = {
    respondent,
    length: given.string.split(' ').length,
    label: answer,
    right: value === null ? null : value >= 1,
    finish,
    ...traced(question),
  }
  return { shared, given: question.given, answer: checkedStrategy(question), features: found }
}

const cut = (text: string): string =>
  text.length <= MAX ? text : `${text.slice(0, MAX / 2)}\n[...]\n${text.slice(-MAX / 2)}`
