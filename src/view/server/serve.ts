import { randomBytes } from 'node:crypto'
import { resolve as absolute } from 'node:path'
import { serve } from '@hono/node-server'
import { sha256Hex, UsageError } from '../../core/index.ts'
import { viewApp } from './app.ts'
import { clientFolder, readAssets } from './assets.ts'
import { findFolders } from './folders.ts'
import { OpenRuns } from './open-runs.ts'

/** What is served, and where. */
export interface ServeOptions {
  /** Run or dataset folders, or folders that hold some. */
  readonly paths: readonly string[]
  /**
   * 0: any that is free. null: that of the folders, or any where it is taken: what a browser keeps for a view (marks of readers, choices
   * that were looked at) it keeps by the port.
   */
  readonly port: number | null
  /** Plugin modules: paths, or names of installed packages. */
  readonly plugins: readonly string[]
  /** Allows to stop runs in progress. Default: the view only reads. */
  readonly control?: boolean
  /** The folder with the built pages. Default: that of the package. */
  readonly client?: string
}

/** A server that runs until it is closed. */
export interface Serving {
  /** With the token that opens it. */
  readonly url: string
  readonly folders: number
  close(): Promise<void>
}

/**
 * Serves the view of runs and datasets on the loopback address; only who has the address with its token can read it.
 *
 * @example
 * import { serveView } from '@touchstone-eval/touchstone/node'
 *
 * const view = await serveView({ paths: ['runs'], port: 0, plugins: [] })
 * console.log(view.folders, view.url)
 * await view.close()
 *
 * @throws UsageError for paths that are not there, or a port that is taken.
 */
export async function serveView(options: ServeOptions): Promise<Serving> {
  const { paths, port, plugins, control = false, client = await clientFolder() } = options
  const folders = (await findFolders(paths)).length
  const token = randomBytes(18).toString('base64url')
  const runs = new OpenRuns(plugins)
  const app = viewApp({ paths, token, assets: await readAssets(client), runs, control })
  const listen = (port: number) =>
    new Promise<{ server: ReturnType<typeof serve>; taken: number }>((resolve, reject) => {
      const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, (at) =>
        resolve({ server, taken: at.port }),
      )
      server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port)))
    })
  const { server, taken } = port === null ? await listen(ownPort(paths)).catch(() => listen(0)) : await listen(port)
  return {
    url: `http://127.0.0.1:${taken}/?token=${token}`,
    folders,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
      await runs.close()
    },
  }
}

/** Below those that systems give away. */
const [FIRST_PORT, PORTS] = [20_000, 12_000]

const ownPort = (paths: readonly string[]): number =>
  FIRST_PORT + (Number.parseInt(sha256Hex(paths.map((path) => absolute(path)).join('\n')).slice(0, 8), 16) % PORTS)

const portError = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE' || error.code === 'EACCES'
    ? new UsageError(`cannot listen on port ${port} (${error.code}). Give another with --port, or 0 for any`)
    : error
