import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Verification } from '../datasets/index.ts'
import type { RunVerification, SealVerification } from '../runner/index.ts'
import { type VerifyRequest, verifyDataset } from './datasets.ts'
import type { Installed } from './installed.ts'
import { refuse } from './refuse.ts'
import { onRun } from './runs.ts'
import { inStore, withStored } from './stored.ts'

const OF_DATASETS = ['quick', 'sample', 'oracles', 'audit'] as const

/** Checks a dataset, a run (a folder, or `store:RUN`) or the file of a seal. @throws UsageError for options of the others. */
export async function verifyPath(
  here: Installed,
  path: string,
  request: VerifyRequest,
): Promise<Verification | RunVerification | SealVerification> {
  if (request.quick === true) refuse(request, ['sample', 'oracles', 'audit'], 'quick makes nothing anew')
  if (inStore(path)) {
    refuse(request, OF_DATASETS, 'of datasets; a run is checked whole')
    const { verifyStored } = await import('../runner/index.ts')
    return withStored(here, path, verifyStored)
  }
  if (existsSync(path) && statSync(path).isFile()) {
    refuse(request, OF_DATASETS, 'of datasets; a seal is checked whole')
    const { parseSeal, verifySeal } = await import('../runner/index.ts')
    const { tasks } = await here.runContext()
    return verifySeal(parseSeal(await readFile(path, 'utf8'), path), tasks)
  }
  if (!existsSync(join(path, 'run.json'))) return verifyDataset(here, path, request)
  refuse(request, OF_DATASETS, 'of datasets; a run is checked whole')
  const { verifyRun } = await import('../runner/index.ts')
  return onRun(here, path, { mode: 'read' }, verifyRun)
}
