import type { Task } from './define.ts'
import type { Json } from './json.ts'
import type { Problem } from './task.ts'

/** Tests whether a response scores 1 under the strict parser; null: the task has no parsers. */
export function correctnessChecker(task: Task, problem: Problem<Json, Json, Json>): ((text: string) => boolean) | null {
  const read = task.parsers?.strict
  const { grade } = task
  if (read === undefined || grade === undefined) return null
  const { right = (_, answer) => grade(problem, answer).value >= 1 } = task
  return (text) => {
    const answer = read(text, problem)
    return answer.kind === 'extracted' && right(problem, answer.answer)
  }
}
