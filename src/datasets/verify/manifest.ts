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
import { brief, type Problems } from './problems.ts'

/** Compares the manifest with the task; regenerates nothing. */
export function checkManifest(manifest: Manifest, task: Task, problems: Problems): void {
  const same = (what: string, got: Json, expected: Json): void => {
    if (canonicalConfig(got) !== canonicalConfig(expected))
      problems.whole('manifest', `${what}: expected ${brief(expected)} of ${task.name}, got ${brief(got)}`)
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
        `unknown style ${manifest.prompts.style}. Styles of ${task.name}: ${task.styles.join(', ')}`,
      )
  }
  if (manifest.prompts === null && manifest.shards.some(({ kind }) => kind === 'prompts'))
    problems.whole('prompts', 'there are files of prompts, but `prompts` of the manifest is null')
  checkShards(manifest, problems)
}

/** Compares the manifest with the layout of the source. */
export function checkLayout(manifest: Manifest, source: Source, problems: Problems): void {
  if (manifest.groups.layout !== source.layout.layout)
    problems.whole('groups', `layout of groups: expected ${source.layout.layout}, got ${manifest.groups.layout}`)
  const { size } = source.layout
  if (size !== null && manifest.first + manifest.indices > size)
    problems.whole(
      'order',
      `indices: the config has ${size}, got ${manifest.first} to ${manifest.first + manifest.indices - 1}`,
    )
}

function checkPreset({ preset, config }: Manifest, task: Task, problems: Problems): void {
  if (preset === null) return
  try {
    const named = task.preset(preset)
    if (named.name !== preset) problems.whole('manifest', `preset: expected the name ${named.name}, got ${preset}`)
    else if (canonicalConfig(named.config) !== canonicalConfig(task.configure(config)))
      problems.whole('manifest', `the config differs from the preset ${preset}`)
  } catch (error) {
    if (!isUsageError(error)) throw error
    problems.whole('manifest', `preset ${preset}: ${error.message}`)
  }
}

/** Names, starts and row counts of the files must be those that the writer gives. */
function checkShards({ shards, first, indices, groups, count, empty }: Manifest, problems: Problems): void {
  const rows: { [kind in Shard['kind']]: number } = { items: 0, groups: 0, prompts: 0 }
  const files: { [kind in Shard['kind']]: number } = { items: 0, groups: 0, prompts: 0 }
  const formats = new Set<string>()
  for (const { file, kind, first: at, count: own } of shards) {
    const [name, format = ''] = file.split('.')
    formats.add(format)
    if (name !== `${kind}-${String(files[kind]).padStart(5, '0')}`)
      problems.whole('manifest', `expected ${kind}-${String(files[kind]).padStart(5, '0')}.${format}, got ${file}`)
    if (at !== (kind === 'items' ? first : 0) + rows[kind])
      problems.whole('manifest', `${file} begins at ${at}, but the file before it does not end there`)
    rows[kind] += own
    files[kind]++
  }
  if (formats.size > 1) problems.whole('manifest', `expected files of one format, got ${[...formats].join(', ')}`)
  for (const [what, got, expected] of [
    ['indices', indices, rows.items],
    ['items and empty indices', count + empty.proved + empty.notFound, indices],
    ['groups', groups.count, rows.groups],
  ] as const)
    if (got !== expected) problems.whole('manifest', `${what}: expected ${expected} by the other counts, got ${got}`)
}

/** Files that commands write beside a dataset. */
const BESIDE = ['overlap.json']

/**
 * Checks that all files are there with their bytes, and no others. A forged manifest may name any file, so only shards,
 * card and audit are accepted.
 *
 * @returns files beside the dataset that are not checked.
 */
export async function checkFiles({ folder, manifest }: Dataset, problems: Problems): Promise<readonly string[]> {
  const beside: string[] = []
  const named = new Map([
    ...manifest.shards.map(({ file, bytes, sha256 }) => [file, { bytes, sha256 }] as const),
    ...Object.entries(manifest.files),
  ])
  if (!named.has(CARD)) problems.whole('file', `the manifest does not list ${CARD}`)
  for (const name of named.keys())
    if (/[/\\]|^\.\.?$/u.test(name)) problems.whole('file', `${name}: the name of a file must not be a path`)
  for (const name of Object.keys(manifest.files))
    if (name !== CARD) problems.whole('file', `${name} is not a file of a dataset. Remove it from the manifest`)
  for (const [file, { bytes, sha256 }] of named) {
    const found = await digest(join(folder, file)).catch(() => null)
    if (found === null) problems.whole('file', `${file} is missing`)
    else if (found.sha256 !== sha256)
      problems.whole(
        'file',
        `${file}: expected ${bytes} bytes with SHA-256 ${sha256}, got ${found.bytes} with ${found.sha256}`,
      )
    else if (found.bytes !== bytes) problems.whole('file', `${file}: expected ${bytes} bytes, got ${found.bytes}`)
  }
  const known = new Set([
    ...named.keys(),
    'manifest.json',
    ...(manifest.audit === null ? [] : ['audit.json']),
    ...BESIDE,
  ])
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    // The questions that it was made of, which the record of their plugin binds to their content.
    if (entry.name === 'questions' && entry.isDirectory() && (manifest.plugins ?? []).length > 0) continue
    if (!known.has(entry.name))
      problems.whole(
        'file',
        `${entry.name} is not in the manifest. Move it elsewhere: programs that load the folder may read it`,
      )
    else if (!entry.isFile())
      problems.whole('file', `${entry.name}: expected a file, got a ${entry.isDirectory() ? 'folder' : 'link'}`)
    if (BESIDE.includes(entry.name)) beside.push(entry.name)
  }
  return beside
}

async function digest(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** The rows of one file; read errors become problems. */
export async function* readableRows(
  { folder, manifest }: Dataset,
  task: Task,
  shard: Shard,
  problems: Problems,
): AsyncGenerator<readonly Row[]> {
  let rows = 0
  try {
    const report = (message: string): void => problems.whole('form', `${shard.file} ${message}`)
    for await (const batch of strictRows(join(folder, shard.file), columnsOf(task, shard.kind, manifest), report)) {
      rows += batch.length
      yield batch
    }
    if (rows !== shard.count && shard.kind !== 'items')
      problems.whole('file', `${shard.file}: expected ${shard.count} rows, got ${rows}`)
  } catch (error) {
    if (!isStoreError(error)) throw error
    problems.whole('file', error.message)
  }
}
