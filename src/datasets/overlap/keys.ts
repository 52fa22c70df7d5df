import {
  bucketsOfSplit,
  canonicalJson,
  groupHash,
  type Json,
  partitionBucket,
  sha256,
  type Task,
  UsageError,
  utf8,
} from '../../core/index.ts'
import { type Dataset, datasetRows } from '../open.ts'
import { SortedKeys } from './sorted-keys.ts'

/**
 * L0: the truth as it stands, with its group. L1: the canonical form, equal just for what differs by renaming and
 * presentation. L2: the invariant that the fence goes by. Groups have no form of their own, so no L1.
 */
export const levels = { items: ['L0', 'L1', 'L2'], groups: ['L0', 'L2'] } as const
export type Kind = keyof typeof levels
export type Level = 'L0' | 'L1' | 'L2' | 'coarse'

/** Does every key of a set lie where its split may draw from? That alone keeps it apart from every other split. */
export interface PartitionProof {
  readonly domain: string
  readonly keyVersion: number
  readonly split: string
  readonly regions: readonly number[]
  readonly of: 'group' | 'item'
  readonly checked: number
  readonly breaches: number
  /** Indices (or group numbers) of the first twenty. */
  readonly first: readonly number[]
}

/** The keys of one set, by kind and level. */
export interface SetKeys {
  readonly keys: ReadonlyMap<`${Kind} ${Level}`, SortedKeys>
  /** null: the task has no fence. */
  readonly fence: PartitionProof | null
}

const shown = 20

/** A key text that says it is an invariant only: the search for a form was given up. */
export const isCoarse = (text: string): boolean => text.startsWith('coarse ')

/** Reads a set once and sorts its keys in `folder`; `name` keeps sets apart. */
export async function keysOf(
  dataset: Dataset,
  task: Task,
  place: { readonly folder: string; readonly name: string },
  onRows: (rows: number) => void,
): Promise<SetKeys> {
  const keys = new Map<`${Kind} ${Level}`, SortedKeys>()
  const add = async (kind: Kind, level: Level, text: string, index: number): Promise<void> => {
    let list = keys.get(`${kind} ${level}`)
    if (list === undefined) {
      list = new SortedKeys(place.folder, `${place.name}-${kind}-${level}`)
      keys.set(`${kind} ${level}`, list)
    }
    await list.add(sha256(utf8(text)), index)
  }
  const fence = new Fence(task, dataset)
  const { partition: rule } = task
  for await (const rows of datasetRows(dataset, task, 'groups'))
    for (const row of rows) {
      const number = row['group'] as number
      const shared = row['shared'] ?? null
      await add('groups', 'L0', groupHash(shared), number)
      if (rule?.of !== 'group') continue
      const key = rule.key({ shared, given: null })
      await add('groups', 'L2', key, number)
      fence.see(key, number)
    }
  const sharedOf = groupsOf(dataset, task)
  for await (const rows of datasetRows(dataset, task, 'items')) {
    for (const row of rows) {
      if ((row['hole'] ?? null) !== null) continue
      const index = row['index'] as number
      const shared = await sharedOf(row['group'] as number)
      const given = row['given'] as Json
      const question = { shared, given }
      await add('items', 'L0', canonicalJson([groupHash(shared), given, row['answer'] ?? null]), index)
      if (task.canonical !== undefined) {
        const text = task.canonical(question)
        await add('items', isCoarse(text) ? 'coarse' : 'L1', text, index)
      }
      if (rule?.of !== 'item') continue
      const key = rule.key(question)
      await add('items', 'L2', key, index)
      fence.see(key, index)
    }
    onRows(rows.length)
  }
  return { keys, fence: fence.proof() }
}

class Fence {
  private readonly task: Task
  private readonly split: string
  private checked = 0
  private breaches = 0
  private readonly first: number[] = []

  constructor(task: Task, { manifest }: Dataset) {
    this.task = task
    this.split = manifest.split
  }

  see(key: string, number: number): void {
    if (this.task.partition === undefined) return
    this.checked++
    if (bucketsOfSplit(this.split).includes(partitionBucket(this.task.partition.domain, key))) return
    this.breaches++
    if (this.first.length < shown) this.first.push(number)
  }

  proof(): PartitionProof | null {
    const { partition: fence } = this.task
    if (fence === undefined) return null
    const { domain, keyVersion, of } = fence
    const { split, checked, breaches, first } = this
    return { domain, keyVersion, split, regions: bucketsOfSplit(split), of, checked, breaches, first }
  }
}

/**
 * The shared JSON of groups, asked for in the order of the items. Where groups come one after another only the last is
 * kept; elsewhere all are.
 */
export function groupsOf(dataset: Dataset, task: Task): (group: number) => Promise<Json> {
  if (task.group === undefined) return async () => null
  const known = new Map<number, Json>()
  const oneAtATime = dataset.manifest.groups.layout === 'group-major'
  const rows = unbatched(datasetRows(dataset, task, 'groups'))
  return async (group) => {
    while (!known.has(group)) {
      const next = await rows.next()
      if (next.done === true)
        throw new UsageError(`${dataset.folder} holds items of group ${group}, but not the group; run verify on it`)
      if (oneAtATime) known.clear()
      known.set(next.value['group'] as number, next.value['shared'] ?? null)
    }
    return known.get(group) as Json
  }
}

async function* unbatched<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}
