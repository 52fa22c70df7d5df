import type { ChatRequest, Message } from '../../../core/request.ts'

/** How a task wants its answer written; pieces of sentences for the prompts. */
export interface AnswerForm {
  /** "Answer Yes or No." A full sentence. */
  readonly instruction: string
  /** What stands after "Answer:", as in "either Yes or No". */
  readonly final: string
  /** The role a model is put in by the `role` style. */
  readonly role: string
  /** The answer is a fenced block: no "Answer:" line is asked for. */
  readonly fenced?: boolean
}

/** A solved example for the few-shot styles. */
export interface Shot {
  readonly question: string
  readonly answer: string
}

/**
 * Named ways of asking. `bare`, `one-word`, `think`, `think-one-word`, `step-by-step`, `role` and `best-guess` play the
 * parts of the paper's templates (appendix A), in our own words; `answer-line` is the default; `few-shot-k` puts k
 * solved examples made of train words before the question.
 */
export const commonStyles = [
  'answer-line',
  'bare',
  'one-word',
  'think',
  'think-one-word',
  'step-by-step',
  'role',
  'best-guess',
  'few-shot-2',
  'few-shot-5',
] as const

export const shotsOf = (style: string): number => Number(/^few-shot-(\d+)$/.exec(style)?.[1] ?? 0)

/** Wraps a question (context and question proper) in a style. */
export function wrapped(style: string, question: string, form: AnswerForm, shots: readonly Shot[] = []): ChatRequest {
  const content = contentOf(style, question, form, shots)
  const messages: readonly Message[] = [{ role: 'user', content }]
  return { kind: 'chat', messages }
}

function contentOf(style: string, question: string, form: AnswerForm, shots: readonly Shot[]): string {
  const ending = form.fenced
    ? `${form.instruction} Nothing may follow that block.`
    : `${form.instruction} Close with a line that reads "Answer:" followed by ${form.final}.`
  switch (style) {
    case 'bare':
      return form.fenced ? `${question}\n${form.instruction}` : question
    case 'one-word':
      return form.fenced
        ? `${question}\n${form.instruction} Write the block and nothing else.`
        : `${question}\n${form.instruction} Reply with ${form.final} and nothing else.`
    case 'think':
      return `${question}\nThink it over before you commit yourself. ${ending}`
    case 'think-one-word':
      return `${question}\nThink it over before you commit yourself. ${ending} Keep that line as short as it can be.`
    case 'step-by-step':
      return `${question}\n${form.instruction} Work through it one step at a time.`
    case 'role':
      return `${form.role}\n\n${question}\n${ending}`
    case 'best-guess':
      return `${question}\n${ending} If you are not sure, give the answer you think most likely.`
    default: {
      if (shots.length === 0) return `${question}\n${ending}`
      const solved = shots.map((shot, i) => `Example ${i + 1}\n${shot.question}\n${shot.answer}`).join('\n\n')
      return `${solved}\n\nNow your turn\n${question}\n${ending}`
    }
  }
}

/** The response that a form expects for a final answer. */
export const answerLine = (answer: string): string => `Answer: ${answer}`
