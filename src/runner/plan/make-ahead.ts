import { type EmptyIndex, type GroupJob, type Item, makeUnits, type Source } from '../../core/index.ts'
import type { Run } from '../folder/run.ts'
import { type GroupPart, groupParts } from './source-indices.ts'
import { MAX_HELD } from './sources.ts'

/** Makes items in worker threads. */
export interface ItemMaker {
  /** Jobs that are worked on at a time. */
  readonly threads: number
  make(source: Source, job: GroupJob): Promise<readonly (Item | EmptyIndex)[]>
  close(): Promise<void>
}

/** A source whose other items would take longer than this in one thread is made by several, in ms. */
const LONG_MS = 2000

/** Units of a group beyond the wanted ones that are tried ahead: most have items. */
const SPARE_UNITS = 32

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
    const within = asked.within ?? source.layout.size
    if (within !== null && asked.count >= within) continue
    const jobs = (groupParts(source.layout, asked.count, within) ?? []).flatMap((part) =>
      part.wanted === 0 ? [] : [jobOf(part, within)],
    )
    const keep = (items: readonly (Item | EmptyIndex)[]): void => {
      run.sources.hold(number, items)
      onMade(items.length)
    }
    const started = performance.now()
    let next = 0
    for (; next < jobs.length && stop?.aborted !== true; next++) {
      const left = ((performance.now() - started) / Math.max(1, next)) * (jobs.length - next)
      if (next >= 2 && left > LONG_MS) break
      keep(makeUnits(source, jobs[next] as GroupJob))
    }
    if (next < jobs.length) await inThreads(run, source, jobs.slice(next), keep, stop)
  }
}

const jobOf = ({ wanted, units, unit }: GroupPart, within: number | null): GroupJob => ({
  wanted,
  units: Array.from({ length: Math.min(units, wanted + SPARE_UNITS) }, (_, n) =>
    unit(n).filter((index) => within === null || index < within),
  ),
})

async function inThreads(
  { context }: Run,
  source: Source,
  jobs: readonly GroupJob[],
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
