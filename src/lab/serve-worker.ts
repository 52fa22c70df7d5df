import { type Engine, engineOf } from '../extras/protocols/engine.ts'
import type { Drawn, IndexCount, Scored } from '../extras/protocols/job.ts'
import { familiesWith, loadPlugin } from './plugins.ts'
import type { Batch, Needed } from './serve-pool.ts'

let engine: Promise<Engine> | null = null

async function start({ plugins, tasks }: Needed): Promise<Engine> {
  const loaded = await Promise.all(plugins.map(({ module, from }) => loadPlugin(module, from ?? process.cwd())))
  return engineOf((await familiesWith(loaded, tasks)).flatMap((family) => family.tasks))
}

/** The entry of a thread of the server. */
export default async function run(batch: Batch): Promise<readonly Drawn[] | readonly Scored[] | IndexCount> {
  engine ??= start(batch)
  const { draw, score, size } = await engine
  switch (batch.kind) {
    case 'draw':
      return batch.jobs.map(draw)
    case 'score':
      return score(batch.jobs)
    case 'size':
      return size(batch.job)
  }
}
