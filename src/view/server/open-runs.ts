import { UsageError } from '../../core/index.ts'
import { type Environment, loadEnvironment } from '../../lab/environment.ts'
import { readProvenance } from '../../lab/provenance.ts'
import { framesByThread } from '../../lab/rows.ts'
import { selectedFrames } from '../../report/index.ts'
import { openRun, type Run } from '../../runner/index.ts'
import type { Choice, RunFrames } from '../../store/index.ts'

/** An open run; its rows follow the ledger. */
export interface ViewedRun {
  readonly here: Environment
  readonly run: Run
  /** The revision of the next document: that of the ledger, or of rows that are too recent to reload. */
  revision(): number
  making(): Making | null
  /** The rows of a revision; null: nothing is answered yet. */
  rows(): Promise<RunFrames | null>
  /** The same. @throws UsageError where nothing is answered yet */
  frames(): Promise<RunFrames>
  /** Computes a value once per revision. */
  remembered<T>(key: string, make: () => Promise<T>): Promise<T>
  /** Keeps the run open and its rows at one revision while `work` runs. */
  use<T>(work: (viewed: ViewedRun) => Promise<T>): Promise<T>
  /** Releases rows and all values computed from them; they are reloaded on demand. */
  rest(): void
  /** Closes the run once no request uses it. */
  close(): Promise<void>
}

export interface Making {
  readonly done: number
  readonly of: number
}

/** Least milliseconds between two reloads of a growing run. */
const FRESH = 3000

/** Most cached values of one revision; the least recently used is dropped. */
const REMEMBERED = 200

/** @param plugins - modules with tasks of one's own, beside those the run was made with. */
export async function viewRun(dir: string, plugins: readonly string[]): Promise<ViewedRun> {
  const here = await loadEnvironment(plugins, process.env, [], readProvenance(dir))
  const run = await openRun(dir, await here.runContext(), { mode: 'read' })
  const users = new Users()
  let known: Reading | null = null
  let making: Making | null = null
  let reading: Promise<Reading> | null = null

  const isYoung = (): boolean => known !== null && performance.now() - known.at < FRESH
  /** Concurrent requests share one load. */
  function current(): Promise<Reading> {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
  async function read(): Promise<Reading> {
    const revision = run.ledger.revision()
    if (known !== null && (revision === known.revision || isYoung())) return known
    if (known === null && !run.ledger.answered())
      return { revision, at: performance.now(), frames: null, memory: new Map() }
    const found = await framesByThread(run, (done, of) => {
      making = { done, of }
    }).finally(() => {
      making = null
    })
    known = { revision, at: performance.now(), frames: framesIn(run, found), memory: new Map() }
    return known
  }
  const viewed: ViewedRun = {
    here,
    run,
    revision: () => (known !== null && isYoung() ? known.revision : run.ledger.revision()),
    making: () => making,
    ...ofReading(current),
    use: (work) =>
      users.during(() => {
        let own: Promise<Reading> | null = null
        return work({
          ...viewed,
          ...ofReading(() => {
            own ??= current()
            return own
          }),
        })
      }),
    rest() {
      void Promise.allSettled([reading]).then(() => {
        known = null
      })
    },
    async close() {
      await new Promise<void>((resolve) => users.whenGone(resolve))
      await Promise.allSettled([reading])
      await run[Symbol.asyncDispose]()
    },
  }
  return viewed
}

interface Reading {
  readonly revision: number
  readonly at: number
  readonly frames: RunFrames | null
  readonly memory: Map<string, Promise<unknown>>
}

function ofReading(reading: () => Promise<Reading>): Pick<ViewedRun, 'rows' | 'frames' | 'remembered'> {
  return {
    rows: async () => (await reading()).frames,
    async frames() {
      const { frames } = await reading()
      if (frames === null) throw new UsageError('this run has no responses yet')
      return frames
    },
    async remembered<T>(key: string, make: () => Promise<T>): Promise<T> {
      const { memory } = await reading()
      const known = memory.get(key) as Promise<T> | undefined
      const making = known ?? make()
      memory.delete(key)
      memory.set(key, making)
      if (known !== undefined) return known
      making.catch(() => memory.delete(key))
      const [oldest] = memory.keys()
      if (memory.size > REMEMBERED && oldest !== undefined) memory.delete(oldest)
      return making
    },
  }
}

/** The parsers and styles that `analyze select` chose for the models of a run. */
export const selectionOf = (run: Run): readonly Choice[] => run.file.models.flatMap((model) => model.selection ?? [])

/** Frames of a run with the selected parsers, if there are any. */
function framesIn(run: Run, frames: RunFrames): RunFrames {
  const choices = selectionOf(run)
  return byTask(choices.length === 0 ? frames : withSelected(frames, choices))
}

function withSelected(frames: RunFrames, choices: readonly Choice[]): RunFrames {
  const { parsers, frame } = selectedFrames(frames, choices)
  return {
    ...frames,
    parsers,
    frame,
    ofTask: (task) => withSelected(frames.ofTask(task), choices),
    ofRows: (rows) => withSelected(frames.ofRows(rows), choices),
  }
}

function byTask(frames: RunFrames): RunFrames {
  const byName = new Map<string, WeakRef<RunFrames>>()
  return {
    ...frames,
    ofTask(task) {
      const own = byName.get(task)?.deref() ?? frames.ofTask(task)
      byName.set(task, new WeakRef(own))
      return own
    },
  }
}

/** Counts requests in progress, and acts when there are none. */
class Users {
  private count = 0
  private later: (() => void)[] = []

  whenGone(act: () => void): void {
    if (this.count === 0) act()
    else this.later.push(act)
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.count++
    try {
      return await work()
    } finally {
      if (--this.count === 0) for (const act of this.later.splice(0)) act()
    }
  }
}

/** Most open runs: in total, and with rows in memory. */
export interface OpenLimits {
  readonly runs: number
  readonly withRows: number
}

/** Open runs by folder; beyond the limits the least recently used are closed or release their rows. */
export class OpenRuns {
  private readonly open = new Map<string, Promise<ViewedRun>>()
  /** Runs whose rows were used, most recent last. */
  private readonly visited = new Set<string>()
  private readonly plugins: readonly string[]
  private readonly limits: OpenLimits

  constructor(plugins: readonly string[], limits: OpenLimits = { runs: 256, withRows: 8 }) {
    this.plugins = plugins
    this.limits = limits
  }

  async visit<T>(dir: string, work: (viewed: ViewedRun) => Promise<T>): Promise<T> {
    this.visited.delete(dir)
    this.visited.add(dir)
    const [oldest] = this.visited
    if (this.visited.size > this.limits.withRows && oldest !== undefined) {
      this.visited.delete(oldest)
      // If it cannot be opened, the request that needs it fails.
      void this.open.get(oldest)?.then(
        (viewed) => viewed.rest(),
        () => undefined,
      )
    }
    return this.glance(dir, work)
  }

  /** Works with the ledger alone, without rows. */
  async glance<T>(dir: string, work: (viewed: ViewedRun) => Promise<T>): Promise<T> {
    return (await this.get(dir)).use(work)
  }

  private get(dir: string): Promise<ViewedRun> {
    const known = this.open.get(dir)
    const opening = known ?? viewRun(dir, this.plugins)
    this.open.delete(dir)
    this.open.set(dir, opening)
    if (known === undefined) {
      opening.catch(() => this.open.delete(dir))
      const [oldest] = this.open.keys()
      if (this.open.size > this.limits.runs && oldest !== undefined) void this.drop(oldest)
    }
    return opening
  }

  private async drop(dir: string): Promise<void> {
    const opening = this.open.get(dir)
    this.open.delete(dir)
    this.visited.delete(dir)
    const viewed = await opening?.catch(() => undefined)
    await viewed?.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.keys()].map((dir) => this.drop(dir)))
  }
}
