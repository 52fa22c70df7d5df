import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Features, type Json, type Message, type Source, type Task, UsageError } from '../core/index.ts'
import { type ColumnSpec, type Row, readRows } from '../store/index.ts'
import { groupColumns, itemColumns, promptColumns } from './columns.ts'
import { type Manifest, parseManifest, type Shard } from './manifest.ts'

/** A dataset on disk. */
export interface Dataset {
  readonly folder: string
  readonly manifest: Manifest
}

/**
 * A dataset on disk by its folder: its manifest is read and checked, its rows are not read yet.
 *
 * @throws UsageError where there is no manifest, or not one this version reads.
 *
 * @example
 * import { openDataset } from '@touchstone-eval/touchstone/node'
 *
 * export const rootOf = async (folder: string): Promise<string> => (await openDataset(folder)).manifest.root
 */
export async function openDataset(folder: string): Promise<Dataset> {
  const path = join(folder, 'manifest.json')
  const text = await readFile(path, 'utf8').catch(() => {
    const why = existsSync(folder) ? 'there is no manifest.json in it' : 'there is no such folder'
    throw new UsageError(`${folder} holds no dataset: ${why}`)
  })
  return { folder, manifest: parseManifest(text, path) }
}

/**
 * The source that made the dataset, with the plan its manifest holds or another; undefined: with one made anew.
 * @throws UsageError where the task's version is another, or the seed is secret.
 */
export function sourceOf(
  task: Task,
  { manifest }: Dataset,
  { plan }: { readonly plan?: Json | undefined } = manifest,
): Source {
  if (manifest.version !== task.version)
    throw new UsageError(
      `this set was made by version ${manifest.version} of ${task.name} (package ${manifest.generator.version}), ` +
        `here is version ${task.version}; install package version ${manifest.generator.version} to make its items anew`,
    )
  if (!('text' in manifest.seed)) throw new UsageError('the seed of this set is sealed; it cannot be made anew')
  const config = task.configure(manifest.config)
  const key = { split: manifest.split, seed: manifest.seed.text }
  return task.source(config, key, plan)
}

export const columnsOf = (task: Task, kind: Shard['kind'], { prompts }: Manifest): readonly ColumnSpec[] =>
  kind === 'items'
    ? itemColumns(task)
    : kind === 'groups'
      ? groupColumns
      : promptColumns(prompts?.solutions !== undefined)

export const shardsOf = ({ manifest }: Dataset, kind: Shard['kind']): readonly Shard[] =>
  manifest.shards.filter((shard) => shard.kind === kind).sort((a, b) => a.first - b.first)

/**
 * All rows of one kind, in order, in batches.
 *
 * @example
 * import { datasetRows, openDataset } from '@touchstone-eval/touchstone/node'
 * import type { Task } from '@touchstone-eval/touchstone/task'
 *
 * export async function countItems(folder: string, task: Task): Promise<number> {
 *   let count = 0
 *   for await (const rows of datasetRows(await openDataset(folder), task, 'items')) count += rows.length
 *   return count
 * }
 */
export async function* datasetRows(dataset: Dataset, task: Task, kind: Shard['kind']): AsyncGenerator<readonly Row[]> {
  for (const shard of shardsOf(dataset, kind)) yield* shardRows(dataset, task, shard)
}

/** The rows of one file. */
export const shardRows = ({ folder, manifest }: Dataset, task: Task, shard: Shard): AsyncGenerator<readonly Row[]> =>
  readRows(join(folder, shard.file), columnsOf(task, shard.kind, manifest))

export function featuresOf(row: Row): Features {
  const features: { [name: string]: Json } = {}
  for (const [column, value] of Object.entries(row))
    if (column.startsWith('feature_')) features[column.slice('feature_'.length)] = value
  return features as Features
}

/** One question as `export --to prompts` writes it. */
export type Prompt = { readonly item: string; readonly style: string } & (
  | { readonly messages: readonly Message[] }
  | { readonly context: string; readonly text: string }
)

/** The prompts of a dataset in one style, in the order of its items. */
export async function* datasetPrompts(dataset: Dataset, task: Task, style: string): AsyncGenerator<readonly Prompt[]> {
  const source = sourceOf(task, dataset)
  for await (const rows of datasetRows(dataset, task, 'items')) {
    const page: Prompt[] = []
    for (const row of rows) {
      if ((row['hole'] ?? null) !== null) continue
      const group = source.group(row['group'] as number)
      if (group.kind === 'unreachable') continue
      const question = { shared: group.shared, given: row['given'] as Json }
      const request = task.request(question, style, source.viewDraws(row['index'] as number))
      const item = row['id'] as string
      page.push(
        request.kind === 'chat'
          ? { item, style, messages: request.messages }
          : { item, style, context: request.context, text: request.text },
      )
    }
    yield page
  }
}
