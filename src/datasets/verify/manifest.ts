import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalConfig, isUsageError, type Json, type Source, type Task } from '../../core/index.ts'
import { isStoreError, type Row, strictRows } from '../../store/index.ts'
import { featureSchema } from '../columns.ts'
import type { Manifest, Shard } from '../manifest.ts'
import { columnsOf, type Dataset } from '../open.ts'
import { CARD } from '../writer.ts'
import type { Problems } from './problems.ts'

/** Does the manifest say of the task what the task says itself? Needs nothing made anew. */
export function checkManifest(manifest: Manifest, task: Task, problems: Problems): void {
  const wrong = (what: string, said: Json, is: Json): void =>
    problems.whole('manifest', `the manifest says ${what} ${brief(said)}; of ${task.name} it is ${brief(is)}`)
  const same = (what: string, said: Json, is: Json): void => {
    if (canonicalConfig(said) !== canonicalConfig(is)) wrong(what, said, is)
  }
  checkPreset(manifest, task, problems)
  same('salted', manifest.salted, !('text' in manifest.seed))
  same('features', manifest.features, featureSchema(task))
  same(
    'partition',
    manifest.partition,
    task.partition === undefined ? null : { domain: task.partition.domain, keyVersion: task.partition.keyVersion },
  )
  same('scorerVersion', manifest.scorerVersion, task.scorerVersion)
  if (manifest.prompts !== null) {
    same('promptVersion', manifest.prompts.promptVersion, task.promptVersion)
    if (!task.styles.includes(manifest.prompts.style))
      problems.whole(
        'prompts',
        `the style ${manifest.prompts.style} is none of ${task.name}: ${task.styles.join(', ')}`,
      )
  }
  if (manifest.prompts === null && manifest.shards.some(({ kind }) => kind === 'prompts'))
    problems.whole('prompts', 'the set has files of prompts, but the manifest says nothing of prompts')
  checkShards(manifest, problems)
}

/** What the manifest says that only the set made anew can tell. */
export function checkLayout(manifest: Manifest, source: Source, problems: Problems): void {
  if (manifest.groups.layout !== source.layout.layout)
    problems.whole(
      'groups',
      `the manifest says groups lie ${manifest.groups.layout}, made anew ${source.layout.layout}`,
    )
  const { size } = source.layout
  if (size !== null && manifest.first + manifest.indices > size)
    problems.whole(
      'order',
      `the manifest says indices ${manifest.first} to ${manifest.first + manifest.indices - 1}, the config has ${size}`,
    )
}

function checkPreset({ preset, config }: Manifest, task: Task, problems: Problems): void {
  if (preset === null) return
  try {
    const named = task.preset(preset)
    if (named.name !== preset)
      problems.whole('manifest', `the preset is called ${named.name}, the manifest says ${preset}`)
    else if (canonicalConfig(named.config) !== canonicalConfig(task.configure(config)))
      problems.whole('manifest', `the config is not that of the preset ${preset}: the set is not what its name says`)
  } catch (error) {
    if (!isUsageError(error)) throw error
    problems.whole('manifest', `${error.message}; the manifest says it is of the preset ${preset}`)
  }
}

/** Files are cut and called as the writer cuts and calls them, and hold as many rows as the manifest says there are. */
function checkShards({ shards, first, indices, groups, count, empty: holes }: Manifest, problems: Problems): void {
  const rows: { [kind in Shard['kind']]: number } = { items: 0, groups: 0, prompts: 0 }
  const files: { [kind in Shard['kind']]: number } = { items: 0, groups: 0, prompts: 0 }
  const formats = new Set<string>()
  for (const { file, kind, first: at, count: own } of shards) {
    const [name, format = ''] = file.split('.')
    formats.add(format)
    if (name !== `${kind}-${String(files[kind]).padStart(5, '0')}`)
      problems.whole('manifest', `the manifest calls ${file} file ${files[kind]} of the ${kind}`)
    if (at !== (kind === 'items' ? first : 0) + rows[kind])
      problems.whole('manifest', `the manifest says ${file} begins at ${at}, the file before it ends elsewhere`)
    rows[kind] += own
    files[kind]++
  }
  if (formats.size > 1) problems.whole('manifest', `the files are of several formats: ${[...formats].join(', ')}`)
  for (const [what, said, is] of [
    ['indices', indices, rows.items],
    ['items and holes', count + holes.proved + holes.notFound, indices],
    ['groups', groups.count, rows.groups],
  ] as const)
    if (said !== is) problems.whole('manifest', `the manifest says there are ${said} ${what}, and elsewhere ${is}`)
}

function brief(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

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
