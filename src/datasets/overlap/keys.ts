import {
  bucketsOfSplit,
  canonicalJson,
  groupHash,
  type Json,
  partitionBucket,
  sha256,
  type Task,
  utf8,
} from '../../core/index.ts'
import { structureKey } from '../../libraries/locality/graph.ts'
import { promptForm, requestText } from '../audit/subject.ts'
import { type Dataset, datasetRows, sharedOf, sourceOf } from '../open.ts'

/**
 * L0: content and target, literally. L1: canonical form, equal up to renaming and presentation. L2: the invariant that
 * the split partition hashes. Groups have no canonical form, so no L1. form and structure: the prompt, and its
 * statements and question, with names erased, which most tasks count as content.
 */
export type Level = 'L0' | 'L1' | 'L2' | 'coarse' | 'form' | 'structure'
export type Kind = 'items' | 'groups'

/** Counts of keys inside the partition of their split: with no violation, the set is disjoint from every other split. */
export interface PartitionProof {
  readonly domain: string
  readonly keyVersion: number
  readonly split: string
  readonly buckets: readonly number[]
  readonly of: 'group' | 'item'
  readonly checked: number
  readonly violations: number
  /** Indices (or group numbers) of the first twenty violations. */
  readonly first: readonly number[]
}

/** How often a key occurs, and its lowest index. */
export interface Occurrence {
  readonly index: number
  times: number
}
export type Keys = ReadonlyMap<string, Occurrence>

/** The keys of one set, by kind and level. */
export interface SetKeys {
  readonly keys: ReadonlyMap<`${Kind} ${Level}`, Keys>
  /** null: the task has no split partition. */
  readonly partition: PartitionProof | null
}

const MAX_SHOWN = 20

/** True for a canonical form that is only an invariant: the search for the form reached its limit. */
export const isCoarse = (text: string): boolean => text.startsWith('coarse ')

/** Reads a set once: a key takes some hundred bytes. */
export async function keysOf(dataset: Dataset, task: Task, onRows: (rows: number) => void): Promise<SetKeys> {
  const keys = new Map<`${Kind} ${Level}`, Map<string, Occurrence>>()
  const add = (kind: Kind, level: Level, text: string, index: number): void => {
    let own = keys.get(`${kind} ${level}`)
    if (own === undefined) {
      own = new Map()
      keys.set(`${kind} ${level}`, own)
    }
    const key = Buffer.from(sha256(utf8(text)).subarray(0, 16)).toString('latin1')
    const known = own.get(key)
    if (known === undefined) own.set(key, { index, times: 1 })
    else known.times++
  }
  const partition = partitionCheck(task, dataset.manifest.split)
  const { partition: rule } = task
  for await (const rows of datasetRows(dataset, task, 'groups'))
    for (const row of rows) {
      const number = row['group'] as number
      const shared = row['shared'] ?? null
      add('groups', 'L0', groupHash(shared), number)
      if (rule?.of !== 'group') continue
      const key = rule.key({ shared, given: null })
      add('groups', 'L2', key, number)
      partition.add(key, number)
    }
  const shareds = sharedOf(dataset, task)
  const source = sourceOf(task, dataset)
  for await (const rows of datasetRows(dataset, task, 'items')) {
    for (const row of rows) {
      if ((row['hole'] ?? null) !== null) continue
      const index = row['index'] as number
      const shared = await shareds(row['group'] as number)
      const given = row['given'] as Json
      const question = { shared, given }
      add('items', 'L0', canonicalJson([groupHash(shared), given, row['answer'] ?? null]), index)
      if (task.canonical !== undefined) {
        const text = task.canonical(question)
        add('items', isCoarse(text) ? 'coarse' : 'L1', text, index)
      }
      const structure = task.anonymize === undefined ? null : structureKey(task.anonymize(question))
      if (structure !== null) {
        add('items', 'structure', structure, index)
        const request = task.request(question, task.styles[0], source.viewDraws(index))
        add('items', 'form', promptForm(requestText(request), given), index)
      }
      if (rule?.of !== 'item') continue
      const key = rule.key(question)
      add('items', 'L2', key, index)
      if (rule.exempts?.(question) !== true) partition.add(key, index)
    }
    onRows(rows.length)
  }
  return { keys, partition: partition.proof() }
}

/** Counts keys outside the buckets of their split. */
function partitionCheck(task: Task, split: string) {
  const buckets = bucketsOfSplit(split)
  const first: number[] = []
  let [checked, violations] = [0, 0]
  return {
    add(key: string, number: number): void {
      if (task.partition === undefined) return
      checked++
      if (buckets.includes(partitionBucket(task.partition.domain, key))) return
      violations++
      if (first.length < MAX_SHOWN) first.push(number)
    },
    proof(): PartitionProof | null {
      if (task.partition === undefined) return null
      const { domain, keyVersion, of } = task.partition
      return { domain, keyVersion, split, buckets, of, checked, violations, first }
    },
  }
}
