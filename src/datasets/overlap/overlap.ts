import { type Task, UsageError } from '../../core/index.ts'
import { manifestId } from '../manifest.ts'
import type { Dataset } from '../open.ts'
import { type Keys, type Kind, keysOf, type Level, type PartitionProof, type SetKeys } from './keys.ts'

/** One of the two sets. */
export interface OverlapSide {
  readonly manifest: string
  readonly root: string
  readonly split: string
  readonly items: number
  readonly groups: number
}

/** `overlap.json`: content that two sets share, literally (L0), up to renaming (L1), by its invariant (L2), and without names. */
export interface Overlap {
  readonly schema: 'touchstone/overlap/1'
  readonly task: string
  readonly a: OverlapSide
  /** null: only one set was checked. */
  readonly b: OverlapSide | null
  readonly items: {
    readonly L0: LevelOverlap
    readonly L1: LevelOverlap | null
    readonly L2: LevelOverlap | null
    /** The prompt, and its statements and question, without names; null: the task does not give them. They do not decide. */
    readonly form: LevelOverlap | null
    readonly structure: LevelOverlap | null
  }
  readonly groups: { readonly L0: LevelOverlap; readonly L2: LevelOverlap | null } | null
  /** Shared invariants without a canonical form: the contents may be equal up to renaming. */
  readonly possible: number
  readonly partition: {
    readonly a: PartitionProof | null
    readonly b: PartitionProof | null
    /** True if the partitions alone prove that nothing is shared. */
    readonly disjoint: boolean
  }
  readonly status: 'disjoint' | 'overlap' | 'possible-overlap' | 'partition-violated'
  readonly notes: readonly string[]
}

export interface OverlapOptions {
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Content that two sets share, literally and up to renaming, and what their split partitions prove. For one set: its
 * repetitions and its partition.
 *
 * @throws UsageError for sets of different tasks.
 *
 * @example
 * import { openDataset, overlap } from '@touchstone-eval/touchstone/node'
 * import type { Task } from '@touchstone-eval/touchstone/task'
 *
 * export const shared = async (a: string, b: string, task: Task) =>
 *   overlap(await openDataset(a), await openDataset(b), task)
 */
export async function overlap(
  a: Dataset,
  b: Dataset | null,
  task: Task,
  options: OverlapOptions = {},
): Promise<Overlap> {
  if (b !== null && a.manifest.task !== b.manifest.task)
    throw new UsageError(
      `expected two datasets of one task, got ${a.manifest.task} (${a.folder}) and ${b.manifest.task} (${b.folder})`,
    )
  const total = a.manifest.indices + (b?.manifest.indices ?? 0)
  let done = 0
  const onRows = (rows: number): void => {
    options.signal?.throwIfAborted()
    done += rows
    options.onProgress?.(done, total)
  }
  const left = await keysOf(a, task, onRows)
  const right = b === null ? null : await keysOf(b, task, onRows)
  return compare(task, { dataset: a, keys: left }, b === null || right === null ? null : { dataset: b, keys: right })
}

interface ComparedSet {
  readonly dataset: Dataset
  readonly keys: SetKeys
}

function compare(task: Task, a: ComparedSet, b: ComparedSet | null): Overlap {
  const at = (kind: Kind, level: Level) =>
    join(a.keys.keys.get(`${kind} ${level}`), b?.keys.keys.get(`${kind} ${level}`))
  const { partition } = task
  const items = {
    L0: at('items', 'L0'),
    L1: task.canonical === undefined ? null : at('items', 'L1'),
    L2: partition?.of === 'item' ? at('items', 'L2') : null,
    form: a.keys.keys.has('items form') ? at('items', 'form') : null,
    structure: a.keys.keys.has('items form') ? at('items', 'structure') : null,
  }
  const groups =
    task.group === undefined
      ? null
      : { L0: at('groups', 'L0'), L2: partition?.of === 'group' ? at('groups', 'L2') : null }
  const coarse = at('items', 'coarse')
  // Groups have only an invariant: two groups that share it, but not their text, may be equal up to renaming.
  const alikeGroups = groups?.L2 == null ? 0 : Math.max(0, groups.L2.shared - groups.L0.shared)
  const possible = coarse.shared + alikeGroups
  const proofs = { a: a.keys.partition, b: b?.keys.partition ?? null }
  const violated = (proofs.a?.violations ?? 0) + (proofs.b?.violations ?? 0) > 0
  const hit = items.L0.shared + (items.L1?.shared ?? 0) + (groups?.L0.shared ?? 0) > 0
  return {
    schema: 'touchstone/overlap/1',
    task: task.name,
    a: sideOf(a.dataset),
    b: b === null ? null : sideOf(b.dataset),
    items,
    groups,
    possible,
    partition: { ...proofs, disjoint: disjointByPartition(proofs.a, proofs.b) },
    status: hit ? 'overlap' : violated ? 'partition-violated' : possible > 0 ? 'possible-overlap' : 'disjoint',
    notes: [
      ...(task.canonical === undefined ? ['not checked up to renaming: the task has no canonical form'] : []),
      ...(partition === undefined ? ['no proof for other sets: the task has no split partition'] : []),
      ...(b === null ? ['one set: repetitions and partition'] : []),
      ...(items.form === null ? [] : [withoutNames('prompts', items.form, b !== null)]),
      ...(items.structure === null ? [] : [withoutNames('statements and questions', items.structure, b !== null)]),
    ],
  }
}

function withoutNames(what: string, { inA, inB, distinctA, distinctB, itemsB }: LevelOverlap, two: boolean): string {
  if (!two) return `without names, ${inA} items have ${distinctA} different ${what}`
  const share = ((100 * itemsB) / Math.max(1, inB)).toFixed(1)
  return `without names, ${share} % of the items of B have ${what} of A (${distinctA} different in A, ${distinctB} in B)`
}

const sideOf = ({ manifest }: Dataset): OverlapSide => ({
  manifest: manifestId(manifest),
  root: manifest.root,
  split: manifest.split,
  items: manifest.count,
  groups: manifest.groups.count,
})

/** True if both sets are inside disjoint buckets of the same partition. */
function disjointByPartition(a: PartitionProof | null, b: PartitionProof | null): boolean {
  if (a === null || b === null || a.violations > 0 || b.violations > 0) return false
  return (
    a.domain === b.domain && a.keyVersion === b.keyVersion && !a.buckets.some((bucket) => b.buckets.includes(bucket))
  )
}

/** What two sets share at one level; counts are of distinct keys unless stated. */
export interface LevelOverlap {
  /** Entries. */
  readonly inA: number
  readonly inB: number
  /** Different keys. */
  readonly distinctA: number
  readonly distinctB: number
  readonly shared: number
  /** Entries with a shared key. */
  readonly itemsA: number
  readonly itemsB: number
  /** Keys that occur more than once within a set. */
  readonly insideA: number
  readonly insideB: number
  /** Indices in A and B (or group numbers) of the first twenty shared keys. */
  readonly pairs: readonly (readonly [a: number, b: number])[]
}

const MAX_SHOWN = 20

function join(a: Keys = new Map(), b: Keys = new Map()): LevelOverlap {
  const shared = [...a].flatMap(([key, inA]) => {
    const inB = b.get(key)
    return inB === undefined ? [] : [{ inA, inB }]
  })
  const entries = (keys: Keys) => [...keys.values()].reduce((sum, { times }) => sum + times, 0)
  const inside = (keys: Keys) => [...keys.values()].filter(({ times }) => times > 1).length
  return {
    inA: entries(a),
    inB: entries(b),
    distinctA: a.size,
    distinctB: b.size,
    shared: shared.length,
    itemsA: shared.reduce((sum, { inA }) => sum + inA.times, 0),
    itemsB: shared.reduce((sum, { inB }) => sum + inB.times, 0),
    insideA: inside(a),
    insideB: inside(b),
    pairs: shared.slice(0, MAX_SHOWN).map(({ inA, inB }) => [inA.index, inB.index]),
  }
}
