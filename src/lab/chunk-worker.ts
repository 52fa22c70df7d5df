import type { Source, Task } from '../core/index.ts'
import { type Chunk, type DatasetJob, makeChunk } from '../datasets/index.ts'
import { familiesWith, findTask, loadPlugin } from './plugins.ts'
import type { WorkerJob } from './workers.ts'

let open: { readonly key: string; readonly task: Task; readonly source: Source } | null = null

/** The entry of a worker thread: one dataset is kept open between chunks. */
export default async function run({ dataset, plugins, chunk }: WorkerJob): Promise<Chunk> {
  const key = `${dataset.task} ${JSON.stringify(dataset.config)} ${dataset.split} ${dataset.seed}`
  if (open?.key !== key) open = { key, ...(await openDataset(dataset, plugins)) }
  return makeChunk(open.task, open.source, chunk)
}

async function openDataset(job: DatasetJob, plugins: WorkerJob['plugins']): Promise<{ task: Task; source: Source }> {
  const loaded = await Promise.all(plugins.map(({ module, from }) => loadPlugin(module, from ?? process.cwd())))
  const tasks = (await familiesWith(loaded, [job.task])).flatMap((family) => family.tasks)
  const task = findTask(tasks, job.task)
  const plan = job.plan === null ? undefined : job.plan
  return { task, source: task.source(job.config, { split: job.split, seed: job.seed }, plan) }
}
