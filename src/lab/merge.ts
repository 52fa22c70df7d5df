import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../core/index.ts'
import { type Manifest, merge, openDataset } from '../datasets/index.ts'
import { type MergeResult, mergeRuns } from '../runner/index.ts'
import type { Environment } from './environment.ts'
import { joinedJudgements, keepJoined } from './judgements.ts'
import { keepQuestions } from './plugins.ts'

/**
 * Joins the shards of one dataset or of one run, given in any order, into what one process would have written.
 *
 * @throws UsageError where they do not belong together, one is missing, or one has changed.
 */
export async function mergeShards(
  here: Environment,
  folders: readonly string[],
  out: string,
): Promise<Manifest | MergeResult> {
  const runs = folders.filter((folder) => existsSync(join(folder, 'run.json')))
  const missing = folders.filter((folder) => !existsSync(folder))
  if (missing.length > 0) throw new UsageError(`no such folder: ${missing.join(', ')}`)
  if (runs.length > 0 && runs.length < folders.length)
    throw new UsageError(`cannot join runs (${runs.join(', ')}) with datasets`)
  const datasets = runs.length > 0 ? [] : await Promise.all(folders.map((folder) => openDataset(folder)))
  const judgements = joinedJudgements(runs)
  const merged =
    runs.length > 0
      ? await mergeRuns(folders, out, await here.runContext())
      : await merge(datasets, here.task(datasets[0]?.manifest.task ?? ''), out)
  keepQuestions(here.plugins, out)
  await keepJoined(here, judgements, runs, out)
  return merged
}
