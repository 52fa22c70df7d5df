import { join } from 'node:path'
import { type JsonObject, type Task, UsageError } from '../core/index.ts'
import { columnsOf, type Dataset, openDataset, shardsOf, sourceOf } from '../datasets/index.ts'
import type { Row } from '../store/index.ts'

/** The items of an experiment that a dataset holds: its task, config, split, seed and number of indices. */
export interface DatasetItems {
  readonly task: string
  readonly split: string
  readonly seed: string
  readonly count: number
  readonly preset?: string
  readonly config?: JsonObject
}

/** Rows of a set that are made anew before it is asked: the first, the last, and some between. */
const LOOKED = 16

/** The index and the hash of so many rows, spread over a set; only these two columns are read. */
async function someRows(dataset: Dataset, task: Task): Promise<readonly Row[]> {
  const { manifest, folder } = dataset
  const { evenlySpaced } = await import('../runner/index.ts')
  const { readRows } = await import('../store/index.ts')
  const wanted = new Set(evenlySpaced(manifest.indices, LOOKED))
  const columns = columnsOf(task, 'items', manifest).filter(({ name }) => name === 'index' || name === 'hash')
  const found: Row[] = []
  for (const { file } of shardsOf(dataset, 'items'))
    for await (const rows of readRows(join(folder, file), columns))
      for (const row of rows) if (wanted.has(row['index'] as number)) found.push(row)
  return found
}

/** A run makes items anew: by a task that was changed, or reads a file that was, it would ask others under the same names. */
async function rejectOtherItems(dataset: Dataset, task: Task): Promise<void> {
  const source = sourceOf(task, dataset)
  for (const { index, hash } of await someRows(dataset, task))
    if (source.item(index as number).hash !== hash)
      throw new UsageError(
        `${dataset.folder} holds another item ${index} than ${task.name} makes here: the task, or a file that it reads, was changed; ` +
          `touchstone verify ${dataset.folder} says what differs`,
      )
}

/** @throws UsageError where the set is sealed, a part of another, or made by a task that is not here in its version. */
export async function itemsOfDataset(
  folder: string,
  taskOf: (name: string) => Task | undefined,
): Promise<DatasetItems> {
  const dataset = await openDataset(folder)
  const { manifest } = dataset
  const { task: name, preset, config, split, seed, first, indices } = manifest
  if (!('text' in seed)) throw new UsageError(`the seed of ${folder} is sealed: reveal it first`)
  if (first !== 0)
    throw new UsageError(`${folder} is a part of a set that begins at ${first}: join its parts with merge`)
  const task = taskOf(name)
  if (task === undefined) throw new UsageError(`this dataset needs the task "${name}", which is not installed here`)
  if (task.version !== manifest.version)
    throw new UsageError(`${folder} was made by version ${manifest.version} of ${name}, here is ${task.version}`)
  await rejectOtherItems(dataset, task)
  const content = preset === null ? { config } : { preset }
  return { task: name, split, seed: seed.text, count: indices, ...content }
}
