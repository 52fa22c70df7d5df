import { UsageError } from '../core/index.ts'
import type { WorkRun } from './run.ts'
import { requireTask } from './run-models.ts'

/** @throws UsageError where a task asks in other words than the run was planned with: half of its answers would be to another question. */
export function rejectReworded({ file, context }: Pick<WorkRun, 'file' | 'context'>): void {
  for (const { task: name, wording } of file.sources) {
    const here = requireTask(context.tasks, name).promptVersion
    if (here !== wording)
      throw new UsageError(
        `this run was planned with wording ${wording} of ${name}, installed is wording ${here}: its responses can be scored and ` +
          'reported, and `touchstone resume RUN --cancel-batches` collects what batches hold, but no further calls are made; go on with the program or plugin ' +
          'that planned it, or begin another run',
      )
  }
}
