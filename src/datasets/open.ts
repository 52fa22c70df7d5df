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
 * Opens a dataset by its folder: reads its manifest, not its rows.
 *
 * @throws UsageError for a missing or invalid manifest.
 *
 * @example
 * import { openDataset } from '@touchstone-eval/touchstone/node'
 *
 * export const rootOf = async (folder: string): Promise<string> => (await openDataset(folder)).manifest.root
 */
export async function openDataset(folder: string): Promise<Dataset> {
  const path = join(folder, 'manifest.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(
      `${folder} is not a dataset: ${existsSync(folder) ? 'it has no manifest.json' : 'there is no such folder'}`,
    )
  })
  return { folder, manifest: parseManifest(text, path) }
}

/**
 * The source of a dataset, with the plan of its manifest, or another; `plan: undefined` computes the plan.
 * @throws UsageError for another version of the task, or a sealed seed.
 */
export function sourceOf(
  task: Task,
  { manifest }: Dataset,
  { plan }: { readonly plan?: Json | undefined } = manifest,
): Source {
  if (manifest.version !== task.version)
    throw new UsageError(
      `the dataset is of version ${manifest.version} of ${task.name}, version ${task.version} is installed. ` +
        `Install package version ${manifest.generator.version} to regenerate its items`,
    )
  if (!('text' in manifest.seed))
    throw new UsageError('the seed of this dataset is sealed: its items cannot be regenerated')
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

/** Shared content by group, requested in item order. In group-major order only the last group is kept. */
export function sharedOf(dataset: Dataset, task: Task): (group: number) => Promise<Json> {
  if (task.group === undefined) return async () => null
  const known = new Map<number, Json>()
  const oneAtATime = dataset.manifest.groups.layout === 'group-major'
  const rows = unbatched(datasetRows(dataset, task, 'groups'))
  let read = 0
  return async (group) => {
    while (!known.has(group)) {
      const next = await rows.next()
      if (next.done === true)
        throw new UsageError(`${dataset.folder} has items of group ${group}, but not the group. Run verify on it`)
      if (++read === dataset.manifest.groups.count) await rows.return(undefined)
      if (oneAtATime) known.clear()
      known.set(next.value['group'] as number, next.value['shared'] ?? null)
    }
    return known.get(group) as Json
  }
}

async function* unbatched<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}

export function featuresOf(row: Row): Features {
  const features: { [name: string]: Json } = {}
  for (const [column, value] of Object.entries(row))
    if (column.startsWith('feature_')) features[column.slice('feature_'.length)] = value
  return features as Features
}

/** A line of `export --to prompts`. */
export type Prompt = { readonly item: string; readonly style: string } & (
  | { readonly messages: readonly Message[] }
  | { readonly context: string; readonly text: string }
)

/** The prompts of a dataset in one style, in item order. */
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
