import { constants, setPriority } from 'node:os'
import { type Engine, engineOf } from '../extras/protocols/engine.ts'
import type { Drawn, IndexCount, Scored } from '../extras/protocols/job.ts'
import { familiesWith, loadPlugin } from './plugins.ts'
import type { Batch, Needed, Slice } from './serve-pool.ts'

let engine: Promise<Engine> | null = null

async function start({ plugins, tasks, heavy }: Needed): Promise<Engine> {
  // Linux has a priority per thread; elsewhere it would be that of the whole server.
  if (heavy && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const loaded = await Promise.all(plugins.map(({ module, from }) => loadPlugin(module, from ?? process.cwd())))
  return engineOf((await familiesWith(loaded, tasks)).flatMap((family) => family.tasks))
}

/** Time after which other requests come first, ms. */
const SLICE_MS = 20

function slice<J, R>(jobs: readonly J[], work: (job: J) => R): Slice<R> {
  const start = performance.now()
  const cpu = process.threadCpuUsage()
  const results: R[] = []
  for (const job of jobs) {
    results.push(work(job))
    if (performance.now() - start > SLICE_MS) break
  }
  const { user, system } = process.threadCpuUsage(cpu)
  return { results, ms: (user + system) / 1000 / Math.max(1, results.length) }
}

/** The entry of a thread of the server. */
export default async function run(batch: Batch): Promise<Slice<Drawn | Scored | IndexCount>> {
  engine ??= start(batch)
  const { draw, scorer, size } = await engine
  switch (batch.kind) {
    case 'draw':
      return slice(batch.jobs, draw)
    case 'score':
      return slice(batch.jobs, scorer())
    case 'size':
      return slice([batch.job], size)
  }
}
