import {
  type EmptyIndex,
  type Item,
  isUsageError,
  type Json,
  LruCache,
  MAX_TRACE,
  memoize,
  type Source,
  summarizeTrace,
  type Task,
  UsageError,
} from '../../core/index.ts'
import { scoreResponse } from '../../runner/score.ts'
import type { DrawJob, Drawn, IndexCount, ItemOrigin, Scored, ScoreJob, SizeJob, Workers } from './job.ts'
import { failed, scoredOf } from './job.ts'
import { configOf } from './token.ts'

/** Sources, and bytes of items kept: those of a training loop are scored several times soon after they were drawn. */
const SOURCES_KEPT = 8
const ITEM_BYTES_KEPT = 256 * 1024 * 1024
/** Of an entry, beside what its JSON says. */
const ENTRY_BYTES = 1024

/** Makes items and scores answers, one after another. */
export interface Engine {
  draw(job: DrawJob): Drawn
  score(jobs: readonly ScoreJob[]): readonly Scored[]
  size(job: SizeJob): IndexCount
}

export function engineOf(tasks: readonly Task[]): Engine {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const sources = new LruCache<Source, string>(SOURCES_KEPT)
  const items = new LruCache<Item | EmptyIndex, string>(ITEM_BYTES_KEPT, bytesOf)

  function taskOf(name: string): Task {
    const task = byName.get(name)
    if (task === undefined) throw new UsageError(`there is no task ${name}`)
    return task
  }

  function open({ task: name, content, split, seed }: SizeJob) {
    const task = taskOf(name)
    const key = JSON.stringify([name, content, split, seed])
    return {
      task,
      key,
      source: (): Source => sources.get(key, () => task.source(configOf(task, content), { split, seed })),
    }
  }

  function find(job: ItemOrigin) {
    const { task, key, source } = open(job)
    return { task, source, item: items.get(`${key} ${job.index}`, () => source().item(job.index)) }
  }

  function score(job: ScoreJob, found: typeof find): Scored {
    try {
      const { task, item } = found(job.item)
      if (item.kind === 'hole') return failed({ code: 'hole', message: `index ${item.index} holds no item` })
      const scored = scoredOf(scoreResponse(task, item, job), job.parser)
      return job.trace ? { ...scored, ...tracedBy(task, item, job, scored) } : scored
    } catch (error) {
      return failed({ code: 'no-item', message: error instanceof Error ? error.message : String(error) })
    }
  }

  return {
    draw(job) {
      try {
        const { source, item } = find(job)
        if (item.kind === 'hole') return { kind: 'hole', proved: item.proved, reason: item.reason }
        return { kind: 'item', request: source().request(item, job.style) }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        return { kind: isUsageError(error) ? 'refused' : 'trouble', message }
      }
    },
    score(jobs) {
      const findOnce = memoize(find)
      return jobs.map((job) => score(job, findOnce))
    },
    size(job) {
      try {
        const { size, perGroup = null } = open(job).source().layout
        return { kind: 'size', size, perGroup }
      } catch (error) {
        return { kind: 'refused', message: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

const sharedBytes = memoize((shared: object) => JSON.stringify(shared).length)

/** About what an item holds in memory. What a group shares counts for each of its items: any of them may be the last that holds it. */
function bytesOf(item: Item | EmptyIndex): number {
  if (item.kind === 'hole') return ENTRY_BYTES
  const { shared, given, answer, features } = item
  const own = JSON.stringify([given, answer, features]).length
  return ENTRY_BYTES + 2 * (own + (typeof shared === 'object' && shared !== null ? sharedBytes(shared) : 0))
}

/** The steps of a text; nothing where the task reads none, or the text is too long for a chain of thought. */
function tracedBy(task: Task, item: Item, { text }: ScoreJob, { reading }: Scored): Pick<Scored, 'trace'> {
  if (task.checkSteps === undefined || text.length > MAX_TRACE) return {}
  const { shared, given } = item
  const answered = reading === null ? null : (task.gold?.({ shared, given, answer: reading.answer as Json }) ?? null)
  return {
    trace: summarizeTrace(task.checkSteps({ shared, given }, text), answered?.replace(/^Answer: /u, '') ?? null),
  }
}

/** Makes and scores in this thread: for `grade` and for tests, where nobody else is kept waiting. */
export function inlineWorkers(tasks: readonly Task[]): Workers {
  const engine = engineOf(tasks)
  return {
    draw: (jobs) => Promise.resolve(jobs.map(engine.draw)),
    score: (jobs) => Promise.resolve(engine.score(jobs)),
    size: (job) => Promise.resolve(engine.size(job)),
    close: () => Promise.resolve(),
  }
}
