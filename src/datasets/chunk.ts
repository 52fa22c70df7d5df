import type { Item, Json, JsonObject, Layout, Source, Task } from '../core/index.ts'
import type { Row } from '../store/index.ts'
import { itemRow, type PromptKind, promptRow } from './columns.ts'

/** Consecutive indices to draw, as plain data for a worker thread. */
export interface ChunkJob {
  readonly first: number
  readonly count: number
  readonly witnesses: boolean
  /** null: no prompts. */
  readonly prompts: PromptKind | null
}

export interface Chunk {
  /** `given` is serialized: the parsed form is much larger, and rows wait for the writer. */
  readonly items: readonly Row[]
  /** Groups of this chunk; the next may repeat one. */
  readonly groups: readonly Row[]
  readonly prompts: readonly Row[]
}

export type ChunkMaker = (job: ChunkJob) => Chunk | Promise<Chunk>

/** What a worker thread needs to make chunks of a dataset. */
export interface DatasetJob {
  readonly task: string
  readonly config: JsonObject
  readonly split: string
  readonly seed: string
  readonly plan: Json
}

export function makeChunk(task: Task, source: Source, job: ChunkJob): Chunk {
  const items: Row[] = []
  const groups = new Map<number, Row>()
  const { prompts: kind } = job
  const prompts: Row[] = []
  const grouped = task.group !== undefined
  for (let index = job.first; index < job.first + job.count; index++) {
    const serialized = source.written(index)
    const { item } = serialized
    items.push(itemRow(serialized, item.kind === 'item' && job.witnesses ? witnessOf(task, item) : undefined))
    if (item.kind === 'hole') continue
    if (grouped && !groups.has(item.group))
      groups.set(item.group, { group: item.group, shared: item.shared, hash: item.groupHash })
    if (kind !== null) prompts.push(promptRow(task, source, item, kind))
  }
  return { items, groups: [...groups.values()], prompts }
}

const witnessOf = (task: Task, item: Item): Json =>
  task.witness({ shared: item.shared, given: item.given, answer: item.answer })

/** Most indices of a chunk. */
const CHUNK_SIZE = 1024

/** End of a chunk. In group-major order it holds whole groups if they fit, so that shared content is computed once. */
function chunkEnd(layout: Layout, first: number, end: number): number {
  const limit = first + CHUNK_SIZE
  if (limit >= end) return end
  const group = groupAt(layout, limit)
  if (layout.layout !== 'group-major' || group === groupAt(layout, first)) return limit
  let [before, start] = [first, limit]
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (groupAt(layout, middle) === group) start = middle
    else before = middle
  }
  return start
}

function groupAt(layout: Layout, index: number): number | null {
  const slot = layout.at(index)
  return 'kind' in slot ? null : slot.group
}

/** The chunks of a range in order; up to `ahead` are computed at a time. */
export async function* chunksOf(
  make: ChunkMaker,
  layout: Layout,
  range: { readonly first: number; readonly count: number },
  options: { readonly witnesses: boolean; readonly prompts: PromptKind | null; readonly ahead: number },
): AsyncGenerator<{ readonly job: ChunkJob; readonly chunk: Chunk }> {
  const waiting: { readonly job: ChunkJob; readonly chunk: Promise<Chunk> }[] = []
  const end = range.first + range.count
  let next = range.first
  for (;;) {
    while (next < end && waiting.length < options.ahead) {
      const count = chunkEnd(layout, next, end) - next
      const job: ChunkJob = { first: next, count, witnesses: options.witnesses, prompts: options.prompts }
      // A macrotask between chunks lets progress, signals and writers run when chunks are made in this thread.
      const chunk = new Promise((resolve) => setImmediate(resolve)).then(() => make(job))
      chunk.catch(() => undefined)
      waiting.push({ job, chunk })
      next += count
    }
    const head = waiting.shift()
    if (head === undefined) return
    yield { job: head.job, chunk: await head.chunk }
  }
}
