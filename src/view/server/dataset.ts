import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../../core/index.ts'
import { openDataset } from '../../datasets/index.ts'
import type { DatasetDocument } from '../api/index.ts'
import type { ViewFolder } from './folders.ts'
import { datasetSummary } from './summary.ts'

/** A dataset: strata, empty indices, files, audit, root. */
export async function datasetOf(folder: ViewFolder): Promise<DatasetDocument> {
  const { manifest } = await openDataset(folder.path)
  const { config, seed, version, empty, salted, first, indices, strata, shards } = manifest
  return {
    schema: 'touchstone/view-dataset/1',
    dataset: await datasetSummary(folder),
    config,
    seed: 'text' in seed ? seed.text : null,
    version,
    empty,
    salted,
    first,
    indices,
    strata,
    files: shards.map(({ file, count, sha256 }) => ({ file, count, sha256 })),
    audit: await auditOf(folder.path),
  }
}

/** audit.json; null: there is none, false: it is no JSON. */
async function auditOf(folder: string): Promise<Json> {
  const text = await readFile(join(folder, 'audit.json'), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return false
  }
}
