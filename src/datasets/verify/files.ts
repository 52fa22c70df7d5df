import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '../../core/index.ts'
import { isStoreError, type Row } from '../../store/index.ts'
import type { Shard } from '../manifest.ts'
import { type Dataset, shardRows } from '../open.ts'
import type { Problems } from './problems.ts'

/** Are all files there, with the bytes that were written? */
export async function checkFiles({ folder, manifest }: Dataset, problems: Problems): Promise<void> {
  for (const { file, bytes, sha256 } of manifest.shards) {
    const found = await digest(join(folder, file)).catch(() => null)
    if (found === null) problems.whole('file', `${file} is missing`)
    else if (found.sha256 !== sha256)
      problems.whole(
        'file',
        `${file} has ${found.bytes} bytes with SHA-256 ${found.sha256}, the manifest says ${bytes} with ${sha256}`,
      )
  }
  await access(join(folder, 'README.md')).catch(() => problems.whole('file', 'README.md, the dataset card, is missing'))
}

async function digest(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** Is the audit that the manifest names the one in the folder? */
export async function checkAudit({ folder, manifest }: Dataset, problems: Problems): Promise<void> {
  if (manifest.audit === null) return
  const text = await readFile(join(folder, 'audit.json')).catch(() => null)
  if (text === null) problems.whole('audit', 'audit.json, which the manifest names, is missing')
  else if (createHash('sha256').update(text).digest('hex') !== manifest.audit.sha256)
    problems.whole('audit', 'audit.json is not the one the manifest names')
}

/** The rows of one file until it cannot be read: what is wrong with it becomes a problem of its own. */
export async function* readableRows(
  dataset: Dataset,
  task: Task,
  shard: Shard,
  problems: Problems,
): AsyncGenerator<readonly Row[]> {
  try {
    yield* shardRows(dataset, task, shard)
  } catch (error) {
    if (!isStoreError(error)) throw error
    problems.whole('file', error.message)
  }
}
