import type { JsonObject, Problem, Task } from '../../../src/core/index.ts'
import { relic } from '../../../src/tasks/relic/index.ts'

/** Items of a task over drawn grammars. */
export function problemsOf<S, G, A>(
  name: string,
  preset: string,
  count: number,
  changes: JsonObject = {},
  seed = '1',
): { readonly task: Task; readonly problems: readonly Problem<S, G, A>[] } {
  const task = relic.tasks.find((one) => one.name === name) as Task
  const config = task.configure({ ...task.presets[preset]?.config, ...changes })
  const source = task.source(config, { split: 'test', seed })
  const problems: Problem<S, G, A>[] = []
  for (let index = 0; problems.length < count && index < 4 * count; index++) {
    const item = source.item(index)
    if (item.kind === 'item') problems.push(item as unknown as Problem<S, G, A>)
  }
  return { task, problems }
}
