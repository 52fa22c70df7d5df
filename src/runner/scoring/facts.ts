import type { Features, Json, Problem, Task } from '../../core/index.ts'
import type { Run } from '../folder/run.ts'

/** Facts about groups and items of a run that are not stored with them; empty if no task of the run has any. */
export interface RunFacts {
  /** By group. */
  readonly groups: ReadonlyMap<string, Features>
  /** Names of the facts about items, and those of each item, computed when they are asked for. */
  readonly names: readonly string[]
  readonly items: ReadonlyMap<string, () => Features>
}

export async function factsOfRun({ file, ledger, sources }: Run): Promise<RunFacts> {
  const tellers = file.sources.map((_, source): Task => sources.scorer(source))
  const telling = [...tellers.keys()].filter((s) => tellers[s]?.groupFacts ?? tellers[s]?.itemFacts)
  const names = new Set(tellers.flatMap(({ itemFacts }) => itemFacts?.names ?? []))
  const groups = new Map<string, { readonly task: Task; readonly problems: Problem<Json, Json, Json>[] }>()
  const items = new Map<string, () => Features>()
  if (telling.length > 0)
    for await (const page of ledger.problems(telling))
      for (const { item, source, group, problem } of page) {
        const task = tellers[source] as Task
        if (task.itemFacts !== undefined) items.set(item, task.itemFacts.of(problem))
        if (task.groupFacts === undefined) continue
        const of = groups.get(group) ?? { task, problems: [] }
        groups.set(group, of)
        of.problems.push(problem)
      }
  const facts = new Map<string, Features>()
  for (const [group, { task, problems }] of groups) facts.set(group, (await task.groupFacts?.(problems)) ?? {})
  return { groups: facts, names: [...names], items }
}
