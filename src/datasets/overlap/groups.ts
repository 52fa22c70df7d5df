import { type Json, type Task, UsageError } from '../../core/index.ts'
import { type Dataset, datasetRows } from '../open.ts'

/**
 * The shared JSON of groups, asked for in the order of the items. Where groups come one after another only the last is
 * kept; elsewhere all are.
 */
export function groupsOf(dataset: Dataset, task: Task): (group: number) => Promise<Json> {
  if (task.group === undefined) return async () => null
  const known = new Map<number, Json>()
  const oneAtATime = dataset.manifest.groups.layout === 'group-major'
  const rows = unbatched(datasetRows(dataset, task, 'groups'))
  return async (group) => {
    while (!known.has(group)) {
      const next = await rows.next()
      if (next.done === true)
        throw new UsageError(`${dataset.folder} holds items of group ${group}, but not the group; run verify on it`)
      if (oneAtATime) known.clear()
      known.set(next.value['group'] as number, next.value['shared'] ?? null)
    }
    return known.get(group) as Json
  }
}

async function* unbatched<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}
