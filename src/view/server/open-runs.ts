import { type Installed, install } from '../../lab/installed.ts'
import { openRun, type Run, refreshRunRows } from '../../runner/index.ts'
import { loadFrames, openRowsQuery, type RowsQuery, type RunFrames } from '../../store/index.ts'

/** A run that stays open while it is looked at; its rows follow the ledger. */
export interface ViewedRun {
  readonly here: Installed
  readonly run: Run
  /** Rows as of a revision, to be asked by SQL; null: there are none yet. */
  rows(): Promise<RowsQuery | null>
  /** The same rows as columns, for statistics. */
  frames(): Promise<RunFrames | null>
  /** What was made from the rows of this revision, made once. */
  remembered<T>(key: string, make: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A run that grows has its rows made anew at most so often, in milliseconds. */
const FRESH = 3000

/** Things that are remembered of one revision: the longest unused is forgotten. */
const REMEMBERED = 200

/** @param plugins - modules with tasks of one's own, beside those the run was made with. */
export async function viewRun(dir: string, plugins: readonly string[]): Promise<ViewedRun> {
  const here = await install(plugins, process.env, [], dir)
  const run = await openRun(dir, await here.runContext(), { mode: 'read' })
  let query: RowsQuery | null = null
  let made = { revision: Number.NaN, at: Number.NEGATIVE_INFINITY, path: '' }
  let memory = new Map<string, Promise<unknown>>()
  let turn: Promise<unknown> = Promise.resolve()

  /** One after another: two of them would write the same file. */
  function fresh(): Promise<RowsQuery | null> {
    const next = turn.then(bring, bring)
    turn = next
    return next
  }
  async function bring(): Promise<RowsQuery | null> {
    const revision = run.ledger.revision()
    if (query === null && !run.ledger.answered()) return null
    if (query !== null && (revision === made.revision || performance.now() - made.at < FRESH)) return query
    const path = await refreshRunRows(run)
    query?.close()
    query = await openRowsQuery(path)
    made = { revision, at: performance.now(), path }
    memory = new Map()
    return query
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
  return {
    here,
    run,
    rows: fresh,
    frames: () => remembered('frames', async () => ((await fresh()) === null ? null : loadFrames(made.path))),
    remembered,
    async close() {
      await turn.catch(() => null)
      query?.close()
      await run[Symbol.asyncDispose]()
    },
  }
}

/** Runs that are open, by folder; the longest unused are closed. */
export class OpenRuns {
  private readonly open = new Map<string, Promise<ViewedRun>>()
  private readonly plugins: readonly string[]
  private readonly most: number

  constructor(plugins: readonly string[], most = 8) {
    this.plugins = plugins
    this.most = most
  }

  get(dir: string): Promise<ViewedRun> {
    const known = this.open.get(dir)
    const opening = known ?? viewRun(dir, this.plugins)
    this.open.delete(dir)
    this.open.set(dir, opening)
    if (known === undefined) {
      opening.catch(() => this.open.delete(dir))
      const [oldest] = this.open.keys()
      if (this.open.size > this.most && oldest !== undefined) void this.drop(oldest)
    }
    return opening
  }

  private async drop(dir: string): Promise<void> {
    const opening = this.open.get(dir)
    this.open.delete(dir)
    const viewed = await opening?.catch(() => undefined)
    await viewed?.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.keys()].map((dir) => this.drop(dir)))
  }
}
