import type { Features, Json, Problem, Task } from '../../core/index.ts'
import type { Run } from '../folder/run.ts'

/** Groups at once: what a task works on, such as texts to be compressed, takes memory. */
const AT_ONCE = 4

/** Facts about the groups of a run that need all of their items, by group; empty if no task of the run has any. */
export async function groupFacts({ file, ledger, sources }: Run): Promise<ReadonlyMap<string, Features>> {
  const tellers = file.sources.map((_, source): Task => sources.scorer(source))
  const telling = [...tellers.keys()].filter((source) => tellers[source]?.groupFacts !== undefined)
  if (telling.length === 0) return new Map()
  const groups = new Map<string, { readonly task: Task; readonly problems: Problem<Json, Json, Json>[] }>()
  for await (const page of ledger.problems(telling))
    for (const { source, group, problem } of page) {
      const task = tellers[source]
      if (task?.groupFacts === undefined) continue
      const of = groups.get(group) ?? { task, problems: [] }
      groups.set(group, of)
      of.problems.push(problem)
    }
  const facts = new Map<string, Features>()
  const all = [...groups]
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const told = all
      .slice(at, at + AT_ONCE)
      .map(async ([group, { task, problems }]) => [group, (await task.groupFacts?.(problems)) ?? {}] as const)
    for (const [group, fact] of await Promise.all(told)) facts.set(group, fact)
  }
  return facts
}
