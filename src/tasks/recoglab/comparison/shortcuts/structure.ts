import type { AnonymizedQuestion } from '../../../../core/task.ts'
import { ordered } from '../../common/presentation.ts'
import type { Question } from '../question.ts'

/** Who is less than whom, and of which two it is asked whether the first is the less. */
export function structure({ shared, given }: Question): AnonymizedQuestion {
  const { ask } = given
  return {
    kind: 'statements',
    statements: ordered(shared, given.statements).map((places) => ({ kind: 'less', places })),
    question: ask.kind,
    asked: ask.kind === 'consistency' ? [] : ask.word === 'lesser' ? [ask.first, ask.second] : [ask.second, ask.first],
  }
}
