import type { Baseline, Problem, Question, RandomStreams } from '../../../core/task.ts'

export type Chat<S, G> = Baseline<S, G> & { readonly kind: 'chat' }

/** Makes baselines of a task from rules that give answers; `gold` writes an answer as a response. */
export const chatBy =
  <S, G, A>(gold: (problem: Problem<S, G, A>) => string) =>
  (note: string, answer: (question: Question<S, G>, draws: RandomStreams) => A): Chat<S, G> => ({
    kind: 'chat',
    note,
    answer: (question, draws) => gold({ ...question, answer: answer(question, draws) }),
  })
