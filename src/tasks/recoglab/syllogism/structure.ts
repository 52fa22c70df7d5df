import type { Structure } from '../../../core/task.ts'
import { ordered } from '../common/presentation.ts'
import type { Question } from './question.ts'

/** Premises by mood; the terms of the conclusion are asked about, subject first. */
export function structure({ shared, given }: Question): Structure {
  const { ask } = given
  const judged = ask.kind === 'judge'
  return {
    kind: 'statements',
    statements: ordered(shared, given.premises).map(([kind, subject, predicate]) => ({
      kind,
      places: [subject, predicate],
    })),
    question: judged ? `judge ${ask.conclusion[0]}` : 'choose',
    asked: judged ? [ask.conclusion[1], ask.conclusion[2]] : [ask.subject, ask.predicate],
  }
}
