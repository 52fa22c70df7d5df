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
import { scoreResponse } from '../../runner/scoring/score.ts'
import { errorMessage } from './http.ts'
import {
  checkedTrace,
  type DrawJob,
  type Drawn,
  type IndexCount,
  type ItemOrigin,
  notScored,
  type Scored,
  type ScoreJob,
  type SizeJob,
  scoredOf,
  type Workers,
} from './job.ts'
import { configOf } from './token.ts'

/** Sources and bytes of items kept in a thread: a training loop scores several responses soon after it drew an item. */
const MAX_SOURCES = 8
const MAX_ITEM_BYTES = 32 * 1024 * 1024
/** Overhead of a cached item beyond its JSON. */
const ENTRY_BYTES = 1024

/** Draws items and scores responses, one after another. Failures are results, nothing throws. */
export interface Engine {
  draw(job: DrawJob): Drawn
  /** Scores responses one by one; those to the same item object look it up once. */
  scorer(): (job: ScoreJob) => Scored
  size(job: SizeJob): IndexCount
}

export function engineOf(tasks: readonly Task[]): Engine {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const sources = new LruCache<Source, string>(MAX_SOURCES)
  const items = new LruCache<Item | EmptyIndex, string>(MAX_ITEM_BYTES, bytesOf)

  function open({ task: name, content, split, seed }: SizeJob) {
    const task = byName.get(name)
    if (task === undefined) throw new UsageError(`unknown task ${name}`)
    const key = JSON.stringify([name, content, split, seed])
    const source = (): Source => sources.get(key, () => task.source(configOf(task, content), { split, seed }))
    return { task, key, source }
  }

  function find(job: ItemOrigin) {
    const { task, key, source } = open(job)
    return { task, source, item: items.get(`${key} ${job.index}`, () => source().item(job.index)) }
  }

  function score(job: ScoreJob, findItem: typeof find): Scored {
    try {
      const { task, item } = findItem(job.item)
      if (item.kind === 'hole') return notScored({ code: 'empty-index', message: `index ${item.index} holds no item` })
      const scored = scoredOf(scoreResponse(task, item, job), job.parser)
      return job.trace ? { ...scored, ...traceOf(task, item, job, scored) } : scored
    } catch (error) {
      return notScored({ code: 'no-item', message: errorMessage(error) })
    }
  }

  return {
    draw(job) {
      try {
        const { source, item } = find(job)
        if (item.kind === 'hole') return { kind: 'empty', reason: item.reason }
        return { kind: 'item', request: source().request(item, job.style) }
      } catch (error) {
        return { kind: isUsageError(error) ? 'refused' : 'error', message: errorMessage(error) }
      }
    },
    scorer() {
      const findOnce = memoize(find)
      return (job) => score(job, findOnce)
    },
    size(job) {
      try {
        const { size, perGroup = null } = open(job).source().layout
        return { kind: 'size', size, perGroup }
      } catch (error) {
        return { kind: 'refused', message: errorMessage(error) }
      }
    },
  }
}

/** Draws and scores in this thread: for `grade` and tests, where no other client waits. */
export function inlineWorkers(tasks: readonly Task[]): Workers {
  const engine = engineOf(tasks)
  return {
    draw: async (jobs) => jobs.map(engine.draw),
    score: async (jobs) => jobs.map(engine.scorer()),
    size: async (job) => engine.size(job),
    close: async () => {},
  }
}

const sharedBytes = memoize((shared: object) => JSON.stringify(shared).length)

/** Approximate memory of an item. Content shared by a group counts for each item: any of them may be the last to hold it. */
function bytesOf(item: Item | EmptyIndex): number {
  if (item.kind === 'hole') return ENTRY_BYTES
  const { shared, given, answer, features } = item
  const own = JSON.stringify([given, answer, features]).length
  return ENTRY_BYTES + 2 * (own + (typeof shared === 'object' && shared !== null ? sharedBytes(shared) : 0))
}

/** Summary of the steps of a text; absent where the task checks no steps or the text is too long. */
function traceOf(task: Task, item: Item, { text }: ScoreJob, { prediction, reward }: Scored): Pick<Scored, 'trace'> {
  if (task.checkSteps === undefined || text.length > MAX_TRACE) return {}
  const { shared, given } = item
  const answer =
    prediction === null ? null : (task.gold?.({ shared, given, answer: prediction.answer as Json }) ?? null)
  const summary = summarizeTrace(task.checkSteps({ shared, given }, text), answer?.replace(/^Answer: /u, '') ?? null)
  return { trace: checkedTrace(summary, reward) }
}
