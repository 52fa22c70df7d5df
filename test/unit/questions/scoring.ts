import type { Item, Json, Task } from '../../../src/core/index.ts'

export type { Item, Json, Task }

/** Score of a text under the strict parser; null: unparsed. Lenient must find the same answer where strict finds one. */
export function scoreOfText(task: Task, item: Item, text: string): number | null {
  const { strict, lenient } = task.parsers ?? {}
  if (strict === undefined || lenient === undefined || task.grade === undefined)
    throw new Error('the task has no parsers')
  const read = strict(text, item)
  const also = lenient(text, item)
  if (read.kind === 'unparsed') return null
  if (also.kind === 'unparsed' || also.answer !== read.answer) throw new Error('lenient disagrees with strict')
  return task.grade(item, read.answer).value
}
