import { type Json, type Outcome, type ParserResult, type Problem, statusOf, type Task } from '../../core/index.ts'
import { findProvider, readBody } from '../../models/index.ts'
import type { StoredResponse } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'

/**
 * Parses and scores one response. Never throws: a parser or grader that throws makes the outcome an error of the task, never
 * an incorrect response.
 */
export function scoreResponse(
  task: Task,
  problem: Problem<Json, Json, Json>,
  response: Pick<StoredResponse, 'finish' | 'text' | 'logprobs'>,
): Outcome {
  try {
    if (task.parsers === undefined) {
      if (task.metrics === undefined) return failed('no-scorer', `${task.name} has neither parsers nor a measure`)
      if (response.logprobs === null)
        return failed('no-logprobs', `${task.name} measures log-probabilities, and the response has none`)
      return measured(task.metrics(problem, response.logprobs))
    }
    const results: { [parser: string]: ParserResult } = {}
    // As stores keep it, without lone surrogates: scoring again must see the same text.
    const text = response.text.toWellFormed()
    for (const [name, parser] of Object.entries(task.parsers)) {
      const read = parser(text, problem)
      results[name] = read.kind === 'unparsed' ? { kind: 'unparsed', reason: read.reason } : graded(task, problem, read)
    }
    return { kind: 'answered', finish: response.finish, results }
  } catch (error) {
    return failed('scorer-threw', String(error))
  }
}

function graded(
  task: Task,
  problem: Problem<Json, Json, Json>,
  read: { readonly answer: Json; readonly rule: string; readonly span: readonly [number, number] },
): ParserResult {
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

const failed = (code: string, message: string): Outcome => ({ kind: 'error', source: 'task', code, message })

/** Correct (1) or not (0) as in the headline; null if there is no response, or it is not parsed. */
export function rightness(outcome: Outcome): 0 | 1 | null {
  if (outcome.kind !== 'answered') return null
  const verdict = outcome.results['strict']
  return statusOf(outcome, 'strict') === 'graded' && verdict?.kind === 'graded' && verdict.value >= 1 ? 1 : 0
}

/** Models whose responses are what the bodies of their provider say. */
export const rereadableModels = ({ file, context }: Run): ReadonlySet<string> =>
  new Set(
    file.models
      .filter(({ spec }) => findProvider(spec, context.providers).provider.rewrites !== true)
      .map(({ name }) => name),
  )

/** Is a stored response what the provider's body says? null: it cannot be told. */
export function isReread(response: Omit<StoredResponse, 'raw'> & { readonly raw: unknown }): boolean | null {
  const { text, reasoning, finish, raw, logprobs } = response
  // Where secrets were replaced, the two differ.
  if (typeof raw !== 'string' || logprobs !== null || /\[redacted/u.test(`${raw}${text}`)) return null
  const read = readBody(raw)
  return read === null ? null : read.text === text && read.reasoning === reasoning && read.finish === finish
}
