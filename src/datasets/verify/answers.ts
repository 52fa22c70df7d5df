import type { Json, Source, Task } from '../../core/index.ts'
import type { Row } from '../../store/index.ts'
import { breach } from './groups.ts'
import type { Problems } from './problems.ts'

/** Asks the oracle about a stored answer, checks its witness (made anew where none is stored) and its fence. */
export function checkAnswer(task: Task, source: Source, index: number, row: Row, problems: Problems): void {
  if ((row['hole'] ?? null) !== null) return
  const group = source.group(row['group'] as number)
  if (group.kind === 'unreachable') return
  const { shared } = group
  const given = row['given'] ?? null
  const problem = { shared, given, answer: row['answer'] ?? null }
  const attempt = (check: 'oracle' | 'witness' | 'fence', message: string, holds: () => boolean): void => {
    let error = ''
    try {
      if (holds()) return
    } catch (thrown) {
      // A changed row may be anything.
      error = ` (${thrown instanceof Error ? thrown.message : thrown})`
    }
    problems.report({ check, index, message: message + error })
  }
  attempt('oracle', 'the oracle does not accept the stored answer', () =>
    task.oracle({ shared, given }, problem.answer),
  )
  attempt('witness', 'the witness does not prove the answer', () => {
    const stored = row['witness']
    return task.check(problem, typeof stored === 'string' ? (JSON.parse(stored) as Json) : task.witness(problem))
  })
  if (task.partition?.of === 'item')
    attempt(
      'fence',
      'the item lies outside the fence of its split',
      () => breach(task, source.split, shared, given) === null,
    )
}
