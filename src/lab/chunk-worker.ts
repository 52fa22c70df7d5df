import { type EmptyIndex, type Item, type Json, makeUnits, type Source, type Task } from '../core/index.ts'
import { type Chunk, type DatasetJob, makeChunk } from '../datasets/index.ts'
import { familiesWith, findTask, loadPlugin } from './plugins.ts'
import type { ItemsJob, PlanJob, WorkerJob } from './workers.ts'

let open: { readonly key: string; readonly task: Task; readonly source: Source } | null = null

/** The entry of a worker thread: makes a chunk of a dataset. */
export default async function run({ chunk, ...job }: WorkerJob): Promise<Chunk> {
  const { task, source } = await opened(job)
  return makeChunk(task, source, chunk)
}

/** Items of a group. */
export async function items({ job, ...of }: ItemsJob): Promise<readonly (Item | EmptyIndex)[]> {
  const { source } = await opened(of)
  return makeUnits(source, job)
}

/** One dataset is kept open between jobs. */
async function opened({ dataset, plugins }: PlanJob): Promise<NonNullable<typeof open>> {
  const key = JSON.stringify(dataset)
  if (open?.key !== key) {
    const task = await taskOf(dataset, plugins)
    open = { key, task, source: sourceOf(task, dataset, dataset.plan ?? undefined) }
  }
  return open
}

/** The plan of a dataset, made again in this thread. */
export const plan = async ({ dataset, plugins }: PlanJob): Promise<Json> =>
  sourceOf(await taskOf(dataset, plugins), dataset).plan

async function taskOf({ task }: DatasetJob, plugins: PlanJob['plugins']): Promise<Task> {
  const loaded = await Promise.all(plugins.map(({ module, from }) => loadPlugin(module, from ?? process.cwd())))
  return findTask(
    (await familiesWith(loaded, [task])).flatMap((family) => family.tasks),
    task,
  )
}

const sourceOf = (task: Task, { config, split, seed }: DatasetJob, known?: Json): Source =>
  task.source(config, { split, seed }, known)
