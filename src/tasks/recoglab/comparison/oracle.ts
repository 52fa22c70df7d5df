import { closure, topologicalOrder } from '../../../libraries/graphs/closure.ts'
import type { Question } from './question.ts'

/**
 * The answer by another principle than the draw's: transitive closure by bit sets, or elimination of entities that
 * nothing is left below (Kahn). Reads the statements only.
 */
export function solve(question: Question): string {
  const { entities, statements, ask } = question.given
  const graph = { n: entities.length, edges: statements }
  if (ask.kind === 'consistency') return topologicalOrder(graph) === null ? 'Inconsistent' : 'Consistent'
  const known = closure(graph)
  const [less, more] = ask.word === 'lesser' ? [ask.first, ask.second] : [ask.second, ask.first]
  if (known.reaches(less, more)) return 'Yes'
  return known.reaches(more, less) ? 'No' : 'Unknown'
}

export const oracle = (question: Question, answer: string): boolean => solve(question) === answer
