import { randomBytes } from 'node:crypto'
import { defined } from '../core/defined.ts'
import { hint, type Task, UsageError } from '../core/index.ts'
import { type AppOptions, appOf } from '../extras/protocols/app.ts'
import { type Listening, listen } from '../extras/protocols/listen.ts'
import { isLoopback } from '../extras/protocols/origin.ts'
import { protocols } from '../extras/protocols/protocols/index.ts'
import { keysOf } from '../extras/protocols/token.ts'
import type { Environment } from './environment.ts'
import type { serveRequest, Valid } from './requests/index.ts'
import { servePool } from './serve-pool.ts'

/** Serves items and scores until it is closed. @throws UsageError for an unknown task, a short secret or a port that is taken. */
export async function serveItems(here: Environment, request: Valid<typeof serveRequest>): Promise<Listening> {
  const { host = '127.0.0.1', port = 8000, threads = 0, rawSeeds = false, apiKey, onError, timeout } = request
  if (!isLoopback(host) && apiKey === undefined && request.open !== true)
    throw new UsageError(
      `without a key, anyone who can reach ${host} could use this server. Give a key (--api-key-env VAR), or allow everyone with --open`,
    )
  const keys = keysOf(request.secret ?? randomBytes(32).toString('hex'))
  const tasks = chosen(here.tasks, request.tasks)
  const [first = 'train', ...others] = request.splits ?? []
  const workers = servePool(
    here.plugins,
    tasks.map(({ name }) => name),
    { threads, ...defined({ timeout }) },
  )
  const options: AppOptions = {
    tasks,
    workers,
    keys,
    splits: [first, ...others],
    rawSeeds,
    host,
    ...defined({ key: apiKey, onError }),
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
    if (task === undefined)
      throw new UsageError(`unknown task "${name}"${hint(name, known)}. List tasks: touchstone list`)
    return task
  })
}
