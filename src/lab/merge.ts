import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import type { Manifest } from '../datasets/index.ts'
import type { MergeResult } from '../runner/index.ts'
import type { Installed } from './installed.ts'

/**
 * Joins the shards of one dataset or of one run, given in any order, into what one process would have made.
 *
 * @throws UsageError where they are not of one whole, one is missing, or one was changed.
 */
export async function mergeShards(
  here: Installed,
  folders: readonly string[],
  out: string,
): Promise<Manifest | MergeResult> {
  const runs = folders.filter((folder) => existsSync(join(folder, 'run.json')))
  const missing = folders.filter((folder) => !existsSync(folder))
  if (missing.length > 0) throw new UsageError(`there is no folder ${missing.join(', nor ')}`)
  if (runs.length > 0 && runs.length < folders.length)
    throw new UsageError(`runs are in ${runs.join(', ')}, and none in the others: join datasets, or join runs`)
  if (runs.length > 0) {
    const { mergeRuns } = await import('../runner/index.ts')
    return mergeRuns(folders, out, await here.runContext())
  }
  const { merge, openDataset } = await import('../datasets/index.ts')
  const datasets = await Promise.all(folders.map((folder) => openDataset(folder)))
  return merge(datasets, here.task(datasets[0]?.manifest.task ?? ''), out)
}
