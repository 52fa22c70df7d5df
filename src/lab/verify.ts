import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Overlap, openDataset, overlap, type Verification } from '../datasets/index.ts'
import {
  fingerprintIn,
  parseSeal,
  type RunVerification,
  type SealVerification,
  signatureFile,
  signerOf,
  verifySeal,
  verifyStored,
} from '../extras/seals/index.ts'
import { writeFileAtomic } from '../store/index.ts'
import { verifyDataset } from './datasets.ts'
import type { Environment } from './environment.ts'
import { inStore } from './provenance.ts'
import { type overlapRequest, rejectOptions, type Valid, type verifyRequest } from './requests/index.ts'
import { onRun } from './runs.ts'
import { withStored } from './stored.ts'
import { verifyFolder } from './verify-report.ts'

const OF_DATASETS = ['hashOnly', 'sample', 'oracles', 'audit'] as const

/** Verifies a dataset, a run (a folder, or `store:RUN`) or the file of a seal. @throws UsageError for options of the others. */
export async function verifyPath(
  here: Environment,
  path: string,
  request: Valid<typeof verifyRequest>,
): Promise<Verification | RunVerification | SealVerification> {
  if (request.hashOnly === true)
    rejectOptions(request, ['sample', 'oracles', 'audit'], '--hash-only regenerates nothing. Leave one of them out')
  if (inStore(path)) {
    rejectOptions(request, OF_DATASETS, 'only for datasets; a run is always verified completely')
    return withStored(here, path, verifyStored)
  }
  if (existsSync(path) && statSync(path).isFile()) {
    rejectOptions(request, OF_DATASETS, 'only for datasets; a seal is always verified completely')
    return verifySealFile(here, path, request.signer)
  }
  rejectOptions(request, ['signer'], 'only for a seal: name its file')
  if (!existsSync(join(path, 'run.json'))) return verifyDataset(here, path, request)
  rejectOptions(request, OF_DATASETS, 'only for datasets; a run is always verified completely')
  return onRun(here, path, { mode: 'read' }, (run) => verifyFolder(here, run))
}

/** @param wanted - who must have signed it. */
async function verifySealFile(here: Environment, path: string, wanted: string | undefined): Promise<SealVerification> {
  const content = await readFile(path)
  const armored = await readFile(signatureFile(path), 'utf8').catch(() => null)
  const signer = armored === null ? null : signerOf(content, armored)
  const { tasks } = await here.runContext()
  const found = verifySeal(parseSeal(content.toString(), path), tasks, signer)
  if (wanted === undefined) return found
  const key = fingerprintIn(existsSync(wanted) ? await readFile(wanted, 'utf8') : wanted, wanted)
  if (key === found.signedBy) return found
  const message = `it is not signed by ${key}, but by ${found.signedBy ?? 'nobody'}`
  return { ...found, mismatches: found.mismatches + 1, problems: [message, ...found.problems] }
}

/** Content that two datasets share, up to renaming; of one dataset, its repeats and split partition. @throws UsageError for datasets of two tasks. */
export async function overlapOf(
  here: Environment,
  folder: string,
  { other, write = true, out = join(folder, 'overlap.json'), ...options }: Valid<typeof overlapRequest>,
): Promise<Overlap> {
  const first = await openDataset(folder)
  const second = other === undefined ? null : await openDataset(other)
  const found = await overlap(first, second, here.task(first.manifest.task), options)
  if (write) await writeFileAtomic(out, `${JSON.stringify(found, null, 1)}\n`)
  return found
}
