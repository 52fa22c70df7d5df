import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '../../core/index.ts'
import { isStoreError, type Row, strictRows } from '../../store/index.ts'
import { CARD } from '../folder.ts'
import type { Shard } from '../manifest.ts'
import { columnsOf, type Dataset } from '../open.ts'
import type { Problems } from './problems.ts'

/** What commands write beside a set, about it and others: no part of it. */
const BESIDE = ['overlap.json']

/**
 * Are all files there with the bytes that were written, and none more? Whoever forges a manifest can name any file there:
 * a set has its shards, its card and its audit.
 *
 * @returns files that lie beside the set and are not looked into.
 */
export async function checkFiles({ folder, manifest }: Dataset, problems: Problems): Promise<readonly string[]> {
  const beside: string[] = []
  const named = new Map([
    ...manifest.shards.map(({ file, bytes, sha256 }) => [file, { bytes, sha256 }] as const),
    ...Object.entries(manifest.files),
  ])
  if (!named.has(CARD)) problems.whole('file', `the manifest does not name the card ${CARD}`)
  for (const name of named.keys())
    if (/[/\\]|^\.\.?$/u.test(name)) problems.whole('file', `the manifest names ${name}, which is outside the folder`)
  for (const name of Object.keys(manifest.files))
    if (name !== CARD) problems.whole('file', `the manifest names ${name}, which is no part of a set: remove it`)
  for (const [file, { bytes, sha256 }] of named) {
    const found = await digest(join(folder, file)).catch(() => null)
    if (found === null) problems.whole('file', `${file} is missing`)
    else if (found.sha256 !== sha256)
      problems.whole(
        'file',
        `${file} has ${found.bytes} bytes with SHA-256 ${found.sha256}, the manifest says ${bytes} with ${sha256}`,
      )
    else if (found.bytes !== bytes)
      problems.whole('file', `${file} has ${found.bytes} bytes, the manifest says ${bytes}`)
  }
  const known = new Set([
    ...named.keys(),
    'manifest.json',
    ...(manifest.audit === null ? [] : ['audit.json']),
    ...BESIDE,
  ])
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!known.has(entry.name))
      problems.whole(
        'file',
        `${entry.name} is no part of the set: the manifest does not name it. Remove it or keep it elsewhere; who loads the folder may read it`,
      )
    else if (!entry.isFile())
      problems.whole('file', `${entry.name} is no file of this folder but a ${entry.isDirectory() ? 'folder' : 'link'}`)
    if (BESIDE.includes(entry.name)) beside.push(entry.name)
  }
  return beside
}

async function digest(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** The rows of one file until it cannot be read: what is wrong with it becomes a problem of its own. */
export async function* readableRows(
  { folder, manifest }: Dataset,
  task: Task,
  shard: Shard,
  problems: Problems,
): AsyncGenerator<readonly Row[]> {
  let rows = 0
  try {
    const tell = (message: string): void => problems.whole('form', `${shard.file} ${message}`)
    for await (const batch of strictRows(join(folder, shard.file), columnsOf(task, shard.kind, manifest), tell)) {
      rows += batch.length
      yield batch
    }
    if (rows !== shard.count && shard.kind !== 'items')
      problems.whole('file', `${shard.file} has ${rows} rows, the manifest says ${shard.count}`)
  } catch (error) {
    if (!isStoreError(error)) throw error
    problems.whole('file', error.message)
  }
}
