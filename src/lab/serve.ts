import { randomBytes } from 'node:crypto'
import { hint, type Task, UsageError } from '../core/index.ts'
import { type AppOptions, appOf } from '../extras/protocols/app.ts'
import { type Listening, listen } from '../extras/protocols/listen.ts'
import { protocols } from '../extras/protocols/protocols/index.ts'
import { keysOf } from '../extras/protocols/token.ts'
import type { Installed } from './installed.ts'
import { servePool } from './serve-pool.ts'

/** Where a server of items and grades listens, and what it allows. */
export interface ServeRequest {
  readonly host?: string
  /** 0: any free one. */
  readonly port?: number
  /** What tokens and seeds are made with, at least 16 bytes; left out: drawn, so that tokens end with the process. */
  readonly secret?: string
  /** What clients have to send as `authorization: Bearer`; left out: nothing. */
  readonly key?: string
  /** Names of tasks; left out: all. */
  readonly tasks?: readonly string[]
  /** Left out: `train` alone, so that no test item is ever trained on. */
  readonly splits?: readonly string[]
  /** Items from the seeds as they are said, as `generate` makes them. */
  readonly plainSeeds?: boolean
  /** Worker threads; 0: one a core. */
  readonly threads?: number
  /** Most milliseconds for a batch of items or scores. */
  readonly timeout?: number
  /** Told of errors that are the server's own. */
  readonly onError?: (error: unknown) => void
}

/** Listens until it is closed. @throws UsageError for an unknown task, a short secret or a port that is taken. */
export async function serveItems(here: Installed, request: ServeRequest): Promise<Listening> {
  const { host = '127.0.0.1', port = 8000, threads = 0, plainSeeds = false, key, onError, timeout } = request
  const keys = keysOf(request.secret ?? randomBytes(32).toString('hex'))
  const tasks = chosen(here.tasks, request.tasks)
  const [first = 'train', ...others] = request.splits ?? []
  const workers = servePool(
    here.plugins,
    tasks.map(({ name }) => name),
    { threads, ...(timeout === undefined ? {} : { timeout }) },
  )
  const options: AppOptions = {
    tasks,
    workers,
    keys,
    splits: [first, ...others],
    rawSeeds: plainSeeds,
    ...(key === undefined ? {} : { key }),
    ...(onError === undefined ? {} : { onError }),
  }
  const app = appOf(options, protocols)
  try {
    const listening = await listen(app, host, port)
    return {
      url: listening.url,
      close: async () => {
        await listening.close()
        await workers.close()
      },
    }
  } catch (error) {
    await workers.close()
    throw error
  }
}

function chosen(tasks: readonly Task[], names: readonly string[] | undefined): readonly Task[] {
  if (names === undefined) return tasks
  const known = tasks.map(({ name }) => name)
  return names.map((name) => {
    const task = tasks.find((one) => one.name === name)
    if (task === undefined) throw new UsageError(`there is no task "${name}"${hint(name, known)}`)
    return task
  })
}
