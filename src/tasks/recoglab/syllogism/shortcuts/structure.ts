import type { AnonymizedQuestion } from '../../../../core/task.ts'
import type { Question } from '../question.ts'
import { shownPremises } from '../shown.ts'

/** Premises by mood; the terms of the conclusion are asked about, subject first. */
export function structure(question: Question): AnonymizedQuestion {
  const { ask } = question.given
  const judged = ask.kind === 'judge'
  return {
    kind: 'statements',
    statements: shownPremises(question).map(([kind, subject, predicate]) => ({
      kind,
      places: [subject, predicate],
    })),
    question: judged ? `judge ${ask.conclusion[0]}` : 'choose',
    asked: judged ? [ask.conclusion[1], ask.conclusion[2]] : [ask.subject, ask.predicate],
  }
}
