import type { ChatRequest } from '../../../core/request.ts'
import type { Problem, Question } from '../../../core/task.ts'
import type { EntityKind } from '../../../libraries/language/filler.ts'
import type { TokenCounters } from '../../../libraries/language/tokens.ts'
import { wordBucket } from '../../../libraries/language/word-partition.ts'
import { least } from './fence.ts'
import { withFiller } from './filler.ts'
import { moduleLines } from './modules.ts'
import type { Shown } from './presentation.ts'
import { type AnswerForm, type Shot, shotsOf, wrapped } from './styles.ts'

/** What a context speaks of. */
export interface About {
  /** Who or what filler about entities mentions. */
  readonly kind: EntityKind
  readonly names: readonly string[]
  /** Words that further contexts may not use. */
  readonly taken: readonly string[]
  /** The word whose fence region further contexts take theirs from. */
  readonly home: string
}

export const about = (kind: EntityKind, names: readonly string[]): About => ({
  kind,
  names,
  taken: names,
  home: least(names),
})

/** How one task puts its questions into words; {@link requestOf} adds what all four tasks share. */
export interface Wording<S extends Shown, G, A> {
  /** The statements or records in the order shown. */
  lines(question: Question<S, G>): readonly string[]
  about(given: G): About
  /** The question proper, after the context. */
  ask(question: Question<S, G>): string
  form(question: Question<S, G>, style: string): AnswerForm
  /** Solved examples of the question's kind. */
  examples(shared: S, count: number): readonly Problem<S, G, A>[]
  /** How a solved example answers. */
  gold(problem: Problem<S, G, A>): string
}

/** The prompt of a question in a style: solved examples, further contexts, statements with filler, and the question. */
export function requestOf<S extends Shown, G, A>(
  wording: Wording<S, G, A>,
  counters: TokenCounters,
): (question: Question<S, G>, style: string) => ChatRequest {
  function text(question: Question<S, G>): string {
    const { shared, given } = question
    const entities = wording.about(given)
    const further = moduleLines(shared, 1 << wordBucket(entities.home), entities.taken)
    const own = withFiller(shared, wording.lines(question), entities, counters)
    const { preamble, questionPreamble } = shared
    return [preamble ?? [], ...further, ...own, questionPreamble ?? [], wording.ask(question)].flat().join('\n')
  }
  return (question, style) => {
    const solved = wording
      .examples(question.shared, shotsOf(style))
      .map((problem): Shot => ({ question: text(problem), answer: wording.gold(problem) }))
    return wrapped(style, text(question), wording.form(question, style), solved)
  }
}
