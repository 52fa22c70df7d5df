import { type Environment, loadEnvironment } from '../../lab/environment.ts'
import { readProvenance } from '../../lab/provenance.ts'
import { rowsByThreads } from '../../lab/rows.ts'
import { selectedFrames } from '../../report/index.ts'
import { openRun, type Run } from '../../runner/index.ts'
import { type Choice, loadFrames, openRowsQuery, type RowsQuery, type RunFrames } from '../../store/index.ts'

/** A run that stays open while it is looked at; its rows follow the ledger. */
export interface ViewedRun {
  readonly here: Environment
  readonly run: Run
  /** The revision that whoever asks now gets: that of the ledger, or of rows that are too young to be made anew. */
  revision(): number
  /** Rows as of a revision, to be asked by SQL; null: there are none yet. */
  rows(): Promise<RowsQuery | null>
  /** How far they are, where they are being made; null: they are not. */
  making(): Making | null
  /** The same rows as columns, for statistics. */
  frames(): Promise<RunFrames | null>
  /** What was made from the rows of this revision, made once. */
  remembered<T>(key: string, make: () => Promise<T>): Promise<T>
  /** Does some work, during which no rows are closed that it has got. */
  use<T>(work: (viewed: ViewedRun) => Promise<T>): Promise<T>
  /** Lets go of rows and all that was made from them; they are made again when they are asked for. */
  rest(): void
  /** As soon as nobody uses it. */
  close(): Promise<void>
}

/** Rows that are there, of all that will be. */
export interface Making {
  readonly done: number
  readonly of: number
}

/** A run that grows has its rows made anew at most so often, in milliseconds. */
const FRESH = 3000

/** Things that are remembered of one revision: the longest unused is forgotten. */
const REMEMBERED = 200

/** @param plugins - modules with tasks of one's own, beside those the run was made with. */
export async function viewRun(dir: string, plugins: readonly string[]): Promise<ViewedRun> {
  const here = await loadEnvironment(plugins, process.env, [], readProvenance(dir))
  const run = await openRun(dir, await here.runContext(), { mode: 'read' })
  const nothing = { revision: Number.NaN, at: Number.NEGATIVE_INFINITY, path: '' }
  const users = new Users()
  let query: RowsQuery | null = null
  let made = nothing
  let making: Making | null = null
  let memory = new Map<string, Promise<unknown>>()
  let turn: Promise<unknown> = Promise.resolve()

  /** One after another: two of them would write the same file. */
  function fresh(): Promise<RowsQuery | null> {
    const next = turn.then(bring, bring)
    turn = next
    return next
  }
  const young = (): boolean => query !== null && performance.now() - made.at < FRESH
  async function bring(): Promise<RowsQuery | null> {
    const revision = run.ledger.revision()
    if (query === null && !run.ledger.answered()) return null
    if (query !== null && (revision === made.revision || young())) return query
    const path = await rowsByThreads(run, (done, of) => {
      making = { done, of }
    }).finally(() => {
      making = null
    })
    retire()
    query = await openRowsQuery(path)
    made = { revision, at: performance.now(), path }
    memory = new Map()
    return query
  }
  /** Somebody may be in the middle of a question. */
  function retire(): void {
    const old = query
    query = null
    if (old !== null) users.whenGone(() => old.close())
  }
  async function remembered<T>(key: string, make: () => Promise<T>): Promise<T> {
    await fresh()
    const here = memory
    const known = here.get(key) as Promise<T> | undefined
    const making = known ?? make()
    here.delete(key)
    here.set(key, making)
    if (known !== undefined) return known
    making.catch(() => here.delete(key))
    const [oldest] = here.keys()
    if (here.size > REMEMBERED && oldest !== undefined) here.delete(oldest)
    return making
  }
  const viewed: ViewedRun = {
    here,
    run,
    revision: () => (young() ? made.revision : run.ledger.revision()),
    rows: fresh,
    making: () => making,
    frames: () =>
      remembered('frames', async () => ((await fresh()) === null ? null : framesIn(run, await loadFrames(made.path)))),
    remembered,
    use: (work) => users.during(() => work(viewed)),
    rest() {
      turn = turn
        .catch(() => null)
        .then(() => {
          retire()
          made = nothing
          memory = new Map()
        })
    },
    async close() {
      await new Promise<void>((resolve) => users.whenGone(resolve))
      await turn.catch(() => null)
      query?.close()
      await run[Symbol.asyncDispose]()
    },
  }
  return viewed
}

/** What `select` has chosen for the models of a run. */
export const selectionOf = (run: Run): readonly Choice[] => run.file.models.flatMap((model) => model.choices ?? [])

/** Frames of a run, which the parsers chosen for its models read too, where they were chosen. */
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

/** The same frames, whose tasks are cut out once, and kept as long as somebody uses them. */
function byTask(frames: RunFrames): RunFrames {
  const cut = new Map<string, WeakRef<RunFrames>>()
  return {
    ...frames,
    ofTask(task) {
      const own = cut.get(task)?.deref() ?? frames.ofTask(task)
      cut.set(task, new WeakRef(own))
      return own
    },
  }
}

/** Counts who is at work, and does things when nobody is. */
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

/** How many runs are open at once: in all, and with rows, which take memory. */
export interface OpenLimits {
  readonly runs: number
  readonly withRows: number
}

/** Runs that are open, by folder. Of those beyond the limits the longest unused are closed, or let go of their rows. */
export class OpenRuns {
  private readonly open = new Map<string, Promise<ViewedRun>>()
  /** Looked into, the last one last. */
  private readonly visited = new Set<string>()
  private readonly plugins: readonly string[]
  private readonly limits: OpenLimits

  constructor(plugins: readonly string[], limits: OpenLimits = { runs: 256, withRows: 8 }) {
    this.plugins = plugins
    this.limits = limits
  }

  /** Looks into a run, rows and all. */
  async visit<T>(dir: string, work: (viewed: ViewedRun) => Promise<T>): Promise<T> {
    this.visited.delete(dir)
    this.visited.add(dir)
    const [oldest] = this.visited
    if (this.visited.size > this.limits.withRows && oldest !== undefined) {
      this.visited.delete(oldest)
      // Whoever asked for it is told where it cannot be opened.
      void this.open.get(oldest)?.then(
        (viewed) => viewed.rest(),
        () => undefined,
      )
    }
    return this.glance(dir, work)
  }

  /** Asks a run what its ledger says, as lists of runs do every second. */
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
