import type { Features, Json, Problem, Task } from '../core/index.ts'
import type { Run } from './run.ts'

/** Facts about the groups of a run that need all of their items, by group; empty where no task of the run tells any. */
export async function groupFacts({ file, ledger, sources }: Run): Promise<ReadonlyMap<string, Features>> {
  const tellers = file.sources.map((_, source): Task => sources.scorer(source))
  if (tellers.every((task) => task.groupFacts === undefined)) return new Map()
  const groups = new Map<string, { readonly task: Task; readonly problems: Problem<Json, Json, Json>[] }>()
  for await (const page of ledger.problems())
    for (const { source, group, problem } of page) {
      const task = tellers[source]
      if (task?.groupFacts === undefined) continue
      const of = groups.get(group) ?? { task, problems: [] }
      groups.set(group, of)
      of.problems.push(problem)
    }
  const told = [...groups].map(
    async ([group, { task, problems }]) => [group, (await task.groupFacts?.(problems)) ?? {}] as const,
  )
  return new Map(await Promise.all(told))
}
