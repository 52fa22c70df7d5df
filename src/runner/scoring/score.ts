import { type Json, type Outcome, type Problem, stateOf, type Task, type Verdict } from '../../core/index.ts'
import type { StoredResponse } from '../../store/index.ts'

/**
 * Reads and grades one response. Total: a parser or grader that throws makes the outcome failed at the boundary `task`,
 * never a wrong answer.
 */
export function scoreResponse(
  task: Task,
  problem: Problem<Json, Json, Json>,
  response: Pick<StoredResponse, 'finish' | 'text' | 'logprobs'>,
): Outcome {
  try {
    if (task.parsers === undefined) {
      if (task.measure === undefined) return failed('no-scorer', `${task.name} has neither parsers nor a measure`)
      if (response.logprobs === null)
        return failed('no-logprobs', `${task.name} measures log-probabilities, and the response has none`)
      return measured(task.measure(problem, response.logprobs))
    }
    const verdicts: { [parser: string]: Verdict } = {}
    // As stores keep it: halves of a pair have no form there, and what is scored anew must be what was scored.
    const text = response.text.toWellFormed()
    for (const [name, parser] of Object.entries(task.parsers)) {
      const read = parser(text, problem)
      verdicts[name] =
        read.kind === 'unparsed' ? { kind: 'unparsed', reason: read.reason } : graded(task, problem, read)
    }
    return { kind: 'answered', finish: response.finish, verdicts }
  } catch (error) {
    return failed('scorer-threw', error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  }
}

function graded(
  task: Task,
  problem: Problem<Json, Json, Json>,
  read: { readonly answer: Json; readonly rule: string; readonly span: readonly [number, number] },
): Verdict {
  if (task.grade === undefined) throw new Error(`${task.name} has parsers but no grade`)
  const { value, parts } = task.grade(problem, read.answer)
  if (!(value >= 0 && value <= 1)) throw new RangeError(`a grade is 0..1, got ${value}`)
  const { answer, rule, span } = read
  return { kind: 'graded', value, answer, rule, span, ...(parts === undefined ? {} : { parts }) }
}

function measured(values: { readonly [name: string]: number }): Outcome {
  for (const [name, value] of Object.entries(values))
    if (!Number.isFinite(value)) return failed('not-finite', `the measure ${name} is ${value}`)
  return { kind: 'measured', values }
}

const failed = (code: string, message: string): Outcome => ({ kind: 'failed', boundary: 'task', code, message })

/** As the headline counts it: 1 or 0; null where nothing came, or it is no answer. */
export function rightness(outcome: Outcome): 0 | 1 | null {
  if (outcome.kind !== 'answered') return null
  const verdict = outcome.verdicts['strict']
  return stateOf(outcome, 'strict') === 'graded' && verdict?.kind === 'graded' && verdict.value >= 1 ? 1 : 0
}
