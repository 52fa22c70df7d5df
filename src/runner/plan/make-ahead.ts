import type { EmptyIndex, Item, Source } from '../../core/index.ts'
import type { Run } from '../folder/run.ts'
import { roughIndices } from './source-indices.ts'
import { MAX_HELD } from './sources.ts'

/** Makes items in worker threads. */
export interface ItemMaker {
  /** Jobs that are worked on at a time. */
  readonly threads: number
  make(source: Source, indices: readonly number[]): Promise<readonly (Item | EmptyIndex)[]>
  close(): Promise<void>
}

/** A source whose other items would take longer than this in one thread is made by several, in ms. */
const LONG_MS = 2000

/**
 * Makes the items of the parts of sources before their indices are chosen. A part has items of every group, and what
 * items of a group share may take long to make: it is made once, and in threads where it takes long.
 *
 * @param onMade - how many more items are made.
 */
export async function makeAhead(run: Run, onMade: (items: number) => void, stop?: AbortSignal): Promise<void> {
  for (const [number, asked] of run.file.sources.entries()) {
    const source = run.sources.source(number)
    if (source === null || asked.kind !== 'generated' || asked.count > MAX_HELD) continue
    const { layout } = source
    const within = asked.within ?? layout.size
    if (layout.layout !== 'group-major' || (within !== null && asked.count >= within)) continue
    const wanted = roughIndices(layout, asked.count, within)
    const jobs = [
      ...Map.groupBy(
        Array.from({ length: wanted.count }, (_, k) => wanted.at(k)),
        (index) => groupAt(source, index),
      ).values(),
    ]
    const keep = (items: readonly (Item | EmptyIndex)[]): void => {
      run.sources.hold(number, items)
      onMade(items.length)
    }
    const started = performance.now()
    let next = 0
    for (; next < jobs.length && stop?.aborted !== true; next++) {
      const left = ((performance.now() - started) / Math.max(1, next)) * (jobs.length - next)
      if (next >= 2 && left > LONG_MS) break
      keep((jobs[next] as number[]).map((index) => source.item(index)))
    }
    if (next < jobs.length) await inThreads(run, source, jobs.slice(next), keep, stop)
  }
}

async function inThreads(
  { context }: Run,
  source: Source,
  jobs: readonly (readonly number[])[],
  keep: (items: readonly (Item | EmptyIndex)[]) => void,
  stop?: AbortSignal,
): Promise<void> {
  const maker = await context.openItemMaker?.()
  if (maker === undefined) return
  let next = 0
  const work = async (): Promise<void> => {
    for (let job = jobs[next++]; job !== undefined && stop?.aborted !== true; job = jobs[next++])
      keep(await maker.make(source, job))
  }
  try {
    await Promise.all(Array.from({ length: Math.min(maker.threads, jobs.length) }, work))
  } finally {
    await maker.close()
  }
}

function groupAt({ layout }: Source, index: number): number {
  const slot = layout.at(index)
  return 'kind' in slot ? -1 : slot.group
}
