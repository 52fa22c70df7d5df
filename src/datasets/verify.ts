import { access } from 'node:fs/promises'
import { join } from 'node:path'
import {
  below,
  type DatasetKey,
  fenceRegion,
  groupHash as hashGroup,
  holeHash,
  type Item,
  isArray,
  isObject,
  itemHash,
  type Json,
  type JsonObject,
  MerkleTree,
  merkleLeaf,
  planHash,
  type Source,
  sha256,
  splitRegions,
  streamFromKey,
  type Task,
  utf8,
} from '../core/index.ts'
import { isStoreError, type Row } from '../store/index.ts'
import { type ChunkMaker, chunksOf, makeChunk } from './chunk.ts'
import { itemColumns, parseHole } from './columns.ts'
import { manifestId } from './manifest.ts'
import { type Dataset, datasetRows, featuresOf, fileDigest, sourceOf } from './open.ts'
import { Tally } from './tally.ts'

/** One thing that is not as the manifest says. */
export interface Mismatch {
  readonly check: 'file' | 'order' | 'hash' | 'root' | 'groups' | 'item' | 'strata' | 'oracle' | 'witness' | 'fence'
  /** null: about the set as a whole. */
  readonly index: number | null
  /** JSON path of the first difference. */
  readonly path?: string
  readonly message: string
}

export interface Verification {
  readonly schema: 'touchstone/verify/1'
  readonly manifest: string
  /** Rows looked at. */
  readonly items: number
  readonly regenerated: number
  readonly mismatches: number
  /** The first thousand. */
  readonly problems: readonly Mismatch[]
  readonly notChecked: readonly string[]
}

export interface VerifyOptions {
  /** Stop after the root: nothing is made anew. */
  readonly quick?: boolean
  /** Make only this many keyed-random items anew. */
  readonly sample?: number
  /** The verifier's own entropy, so that the publisher cannot foresee the sample. */
  readonly entropy?: string
  /** Also ask the oracle about every answer, and check every witness. */
  readonly oracles?: boolean
  readonly chunkMaker?: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number }
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

const problemsKept = 1000

/**
 * Checks a dataset against its manifest and makes every item anew (integrity 6.5). Every step has its own message, and
 * none stops the next: a changed byte is reported as a changed file and as the item it changed.
 */
export async function verify(dataset: Dataset, task: Task, options: VerifyOptions = {}): Promise<Verification> {
  const { manifest, folder } = dataset
  const problems: Mismatch[] = []
  let mismatches = 0
  const report = (problem: Mismatch): void => {
    mismatches++
    if (problems.length < problemsKept) problems.push(problem)
  }
  const end = manifest.first + manifest.indices
  await checkFiles(dataset, report)
  await checkGroups(dataset, task, report)

  const key: Omit<DatasetKey, 'seed'> = { ...manifest }
  const source = options.quick === true ? null : sourceOf(task, dataset)
  if (source !== null && manifest.planHash !== undefined && planHash(source.plan) !== manifest.planHash)
    report({ check: 'root', index: null, message: 'the plan in the manifest does not have the hash planHash' })
  if (source !== null && source.configHash !== manifest.configHash)
    report({ check: 'root', index: null, message: `the config has the hash ${source.configHash}, not configHash` })
  const wanted = source === null ? new Set<number>() : sampleOf(dataset, options)
  const made = source === null || wanted !== null ? null : freshRows(task, source, dataset, options)
  const groupHashes = await groupHashesOf(dataset, task)
  const order = new OrderCheck(manifest.first, end)
  const tree = new MerkleTree(manifest.first)
  const tally = new Tally()
  let items = 0
  let regenerated = 0
  for await (const rows of safeRows(dataset, task, report)) {
    options.signal?.throwIfAborted()
    for (const row of rows) {
      items++
      const index = row['index'] as number
      order.see(index)
      tally.add(row)
      if (typeof row['hash'] === 'string' && /^[0-9a-f]{64}$/.test(row['hash'])) tree.add(merkleLeaf(row['hash']))
      const stored = storedHash(key, row, groupHashes)
      if (stored !== row['hash'])
        report({ check: 'hash', index, message: 'the row does not have the hash stored with it' })
      const fresh =
        made !== null ? await made(index) : source !== null && wanted?.has(index) ? one(task, source, index) : null
      if (fresh !== null) {
        regenerated++
        const difference = firstDifference(
          row,
          fresh,
          itemColumns(task).map((column) => column.name),
        )
        if (difference !== null) report({ check: 'item', index, ...difference })
      }
      if (options.oracles === true && source !== null) checkAnswer(task, source, index, row, report)
    }
    options.onProgress?.(items, manifest.indices)
  }
  order.report(report)
  if (tree.root() !== manifest.root)
    report({
      check: 'root',
      index: null,
      message: `the rows have the root ${tree.root()}, the manifest says ${manifest.root}`,
    })
  if (
    tally.count !== manifest.count ||
    tally.proved !== manifest.holes.proved ||
    tally.gaveUp !== manifest.holes.gaveUp
  )
    report({
      check: 'strata',
      index: null,
      message: `the rows hold ${tally.count} items and ${tally.proved} + ${tally.gaveUp} holes, the manifest says ${manifest.count} and ${manifest.holes.proved} + ${manifest.holes.gaveUp}`,
    })
  if (source !== null) {
    const found = JSON.stringify(tally.report(source.layout))
    if (found !== JSON.stringify(manifest.strata))
      report({ check: 'strata', index: null, message: 'the counts by stratum are not those of the manifest' })
  }
  await access(join(folder, 'README.md')).catch(() =>
    report({ check: 'file', index: null, message: 'README.md, the dataset card, is missing' }),
  )
  const notChecked = [
    ...(options.quick === true ? ['items were not made anew (--quick)'] : []),
    ...(wanted !== null && source !== null
      ? [`only ${wanted.size} of ${manifest.indices} items were made anew (--sample)`]
      : []),
    ...(options.oracles === true ? [] : ['oracle and witnesses were not asked (--oracles)']),
  ]
  return {
    schema: 'touchstone/verify/1',
    manifest: manifestId(manifest),
    items,
    regenerated,
    mismatches,
    problems,
    notChecked,
  }
}

type Report = (problem: Mismatch) => void

async function checkFiles({ folder, manifest }: Dataset, report: Report): Promise<void> {
  for (const shard of manifest.shards) {
    const found = await fileDigest(join(folder, shard.file)).catch(() => null)
    if (found === null) report({ check: 'file', index: null, message: `${shard.file} is missing` })
    else if (found.sha256 !== shard.sha256)
      report({
        check: 'file',
        index: null,
        message: `${shard.file} has ${found.bytes} bytes with SHA-256 ${found.sha256}, the manifest says ${shard.bytes} with ${shard.sha256}`,
      })
  }
}

/** Rows until a file cannot be read: what is wrong with it becomes a problem of its own. */
async function* safeRows(dataset: Dataset, task: Task, report: Report): AsyncGenerator<readonly Row[]> {
  try {
    yield* datasetRows(dataset, task, 'items')
  } catch (error) {
    if (!isStoreError(error)) throw error
    report({ check: 'file', index: null, message: error.message })
  }
}

async function checkGroups(dataset: Dataset, task: Task, report: Report): Promise<void> {
  const { manifest } = dataset
  const tree = new MerkleTree()
  try {
    for await (const rows of datasetRows(dataset, task, 'groups')) {
      for (const row of rows) {
        const hash = hashGroup(row['shared'] ?? null)
        if (hash !== row['hash'])
          report({
            check: 'groups',
            index: null,
            message: `group ${row['group']} does not have the hash stored with it`,
          })
        tree.add(merkleLeaf(hash))
        if (task.fence?.of === 'group' && manifest.fence !== null) {
          const region = fenceRegion(task.fence.domain, task.fence.key({ shared: row['shared'] ?? null, given: null }))
          if (!splitRegions(manifest.split).includes(region))
            report({
              check: 'fence',
              index: null,
              message: `group ${row['group']} lies in fence region ${region}, which is not one of the split "${manifest.split}"`,
            })
        }
      }
    }
  } catch (error) {
    if (!isStoreError(error)) throw error
    report({ check: 'file', index: null, message: error.message })
  }
  if (tree.size !== manifest.groups.count || tree.root() !== manifest.groups.root)
    report({
      check: 'groups',
      index: null,
      message: `${tree.size} groups with root ${tree.root()}, the manifest says ${manifest.groups.count} with ${manifest.groups.root}`,
    })
}

async function groupHashesOf(dataset: Dataset, task: Task): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, string>()
  try {
    for await (const rows of datasetRows(dataset, task, 'groups'))
      for (const row of rows) hashes.set(row['group'] as number, row['hash'] as string)
  } catch (error) {
    if (!isStoreError(error)) throw error
  }
  return hashes
}

/** The hash a stored row ought to have; null where it does not even hash. */
function storedHash(key: Omit<DatasetKey, 'seed'>, row: Row, groups: ReadonlyMap<number, string>): string | null {
  const index = row['index'] as number
  const group = groups.get(row['group'] as number) ?? null
  try {
    if (row['hole'] !== null && row['hole'] !== undefined) {
      const { reason } = parseHole(row['hole'] as string)
      const known = holeHash(key, index, group, reason)
      // A hole of an unreachable group has no group hash.
      return known === row['hash'] ? known : holeHash(key, index, null, reason)
    }
    const truth = { given: row['given'] ?? null, answer: row['answer'] ?? null }
    return itemHash(key, { index, groupHash: group, truth, features: featuresOf(row) })
  } catch {
    return null
  }
}

/** Which indices to make anew; null: all. */
function sampleOf({ manifest }: Dataset, options: VerifyOptions): ReadonlySet<number> | null {
  const { sample } = options
  if (sample === undefined || sample >= manifest.indices) return null
  const stream = streamFromKey(sha256(utf8(`${manifestId(manifest)}\n${options.entropy ?? ''}`)))
  const chosen = new Set<number>()
  while (chosen.size < sample) chosen.add(manifest.first + below(stream, manifest.indices))
  return chosen
}

const one = (task: Task, source: Source, index: number): Row =>
  makeChunk(task, source, { first: index, count: 1, witnesses: false, style: null }).items[0] as Row

/** Fresh rows by index, made in chunks ahead of the reader; rows are asked for in about ascending order. */
function freshRows(
  task: Task,
  source: Source,
  { manifest }: Dataset,
  options: VerifyOptions,
): (index: number) => Promise<Row | null> {
  const { make, ahead } = options.chunkMaker?.(source) ?? { make: (job) => makeChunk(task, source, job), ahead: 1 }
  const range = { first: manifest.first, count: manifest.indices }
  const chunks = chunksOf(make, range, { witnesses: false, style: null, ahead })
  const kept = new Map<number, Row>()
  return async (index) => {
    while (!kept.has(index)) {
      const next = await chunks.next()
      if (next.done === true) return null
      for (const row of next.value.chunk.items) kept.set(row['index'] as number, row)
    }
    const row = kept.get(index) as Row
    kept.delete(index)
    return row
  }
}

function checkAnswer(task: Task, source: Source, index: number, row: Row, report: Report): void {
  if (row['hole'] !== null && row['hole'] !== undefined) return
  const group = source.group(row['group'] as number)
  if (group.kind === 'unreachable') return
  const problem: Pick<Item, 'shared' | 'given' | 'answer'> = {
    shared: group.shared,
    given: row['given'] as Json,
    answer: row['answer'] as Json,
  }
  if (!task.oracle({ shared: problem.shared, given: problem.given }, problem.answer))
    report({ check: 'oracle', index, message: 'the oracle does not accept the stored answer' })
  const text = row['witness']
  const witness = typeof text === 'string' ? (JSON.parse(text) as Json) : task.witness(problem)
  if (!task.check(problem, witness))
    report({ check: 'witness', index, message: 'the witness does not prove the answer' })
}

/** Which indices came, in which order: gaps that are filled later are rows out of place, the rest are missing. */
class OrderCheck {
  private readonly missing = new Set<number>()
  private readonly misplaced = new Set<number>()
  private readonly repeated = new Set<number>()
  private next: number
  private readonly end: number

  constructor(first: number, end: number) {
    this.next = first
    this.end = end
  }

  see(index: number): void {
    if (index >= this.next) {
      for (let i = this.next; i < Math.min(index, this.end); i++) this.missing.add(i)
      this.next = index + 1
    } else if (this.missing.delete(index)) this.misplaced.add(index)
    else this.repeated.add(index)
  }

  report(report: Report): void {
    for (let i = this.next; i < this.end; i++) this.missing.add(i)
    for (const index of this.missing) report({ check: 'order', index, message: 'the row is missing' })
    for (const index of this.misplaced) report({ check: 'order', index, message: 'the row is out of order' })
    for (const index of this.repeated) report({ check: 'order', index, message: 'the row is there twice' })
  }
}

/** The first column, and path inside it, in which two rows differ. The witness is a proof, not part of the item. */
function firstDifference(
  stored: Row,
  fresh: Row,
  columns: readonly string[],
): { readonly path: string; readonly message: string } | null {
  for (const column of columns) {
    if (column === 'witness') continue
    const found = differ(stored[column] ?? null, fresh[column] ?? null, column)
    if (found !== null) return found
  }
  return null
}

function differ(a: Json, b: Json, path: string): { readonly path: string; readonly message: string } | null {
  if (isArray(a) && isArray(b) && a.length === b.length) {
    for (let i = 0; i < a.length; i++) {
      const found = differ(a[i] as Json, b[i] as Json, `${path}[${i}]`)
      if (found !== null) return found
    }
    return null
  }
  if (isObject(a) && isObject(b)) {
    const left: JsonObject = a
    for (const name of new Set([...Object.keys(left), ...Object.keys(b)])) {
      const found = differ(left[name] ?? null, b[name] ?? null, `${path}.${name}`)
      if (found !== null) return found
    }
    return null
  }
  if (a === b) return null
  return { path, message: `${path} is ${brief(a)}, made anew it is ${brief(b)}` }
}

const brief = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
