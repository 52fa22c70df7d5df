import type { Features, Json, Problem, Task } from '../core/index.ts'
import type { Run } from './run.ts'

/** Facts about the groups of a run that need all of their items, by group; empty where no task of the run tells any. */
export async function groupFacts({ file, ledger, sources }: Run): Promise<ReadonlyMap<string, Features>> {
  const tellers = file.sources.map((_, source): Task => sources.scorer(source))
  const facts = new Map<string, Features>()
  if (tellers.every((task) => task.groupFacts === undefined)) return facts
  const groups = new Map<string, { readonly task: Task; readonly problems: Problem<Json, Json, Json>[] }>()
  for await (const page of ledger.items())
    for (const { item, shared } of page) {
      const task = tellers[item.source]
      if (task?.groupFacts === undefined) continue
      const group = groups.get(item.group) ?? { task, problems: [] }
      groups.set(item.group, group)
      group.problems.push({ shared, given: item.given, answer: item.answer })
    }
  for (const [group, { task, problems }] of groups) facts.set(group, (await task.groupFacts?.(problems)) ?? {})
  return facts
}
