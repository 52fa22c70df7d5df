import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PostgresStore } from '../../src/extras/postgres/index.ts'
import { createRun, parseExperiment, type Run } from '../../src/runner/index.ts'
import { loadFrames } from '../../src/store/index.ts'
import { mockContext } from '../../test/mock/context.ts'
import { type Postgres, startPostgres } from '../../test/mock/postgres.ts'
import { type MockProcess, spawnMock } from '../../test/mock/process.ts'

export const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
export const plugin = fileURLToPath(new URL('../../test/mock/parity-plugin.ts', import.meta.url))

/** A database, a mock and a folder for one bench. */
export interface Place extends AsyncDisposable {
  readonly server: Postgres
  readonly mock: MockProcess
  readonly folder: string
}

export async function openPlace(latency: number): Promise<Place> {
  const server = await startPostgres()
  if (typeof server === 'string') throw new Error(`no PostgreSQL here: ${server}`)
  const mock = await spawnMock('--latency', String(latency), '--bookless')
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-scale-'))
  return {
    server,
    mock,
    folder,
    async [Symbol.asyncDispose]() {
      await mock.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A run of this many calls of the parity task, not asked yet. */
export function newRun({ folder, mock }: Place, name: string, calls: number, concurrency: number): Promise<Run> {
  const experiment = parseExperiment({
    items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count: calls },
    models: [
      { model: 'openai-compatible:m', baseUrl: mock.url, price: { input: 1, output: 10 }, settings: { maxTokens: 50 } },
    ],
    limits: { timeout: 10, retries: 20, concurrency },
  })
  return createRun({ dir: join(folder, name), experiment }, mockContext())
}

export const storeOf =
  ({ server }: Place, run: Run, mode: 'make' | 'open') =>
  (id: string): Promise<PostgresStore> =>
    PostgresStore.open(server.url, id, { redact: run.redact, mode })

/** `touchstone cluster worker` as a process of its own. */
export interface WorkerProcess {
  readonly child: ChildProcess
  /** Its first output. */
  readonly begun: Promise<unknown>
  /** Resolves when it has ended or was killed. @throws {Error} where it failed */
  readonly end: Promise<void>
}

export function beginWorker({ server, mock }: Place, run: string, concurrency: number): WorkerProcess {
  const place = ['--store', server.url, '--run', run, '--plugin', plugin, '--allow-host', mock.url]
  const args = [...place, '--concurrency', String(concurrency)]
  const node = ['--conditions=touchstone-source', main, 'cluster', 'worker']
  const child = spawn(process.execPath, [...node, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let last = ''
  child.stderr.on('data', (text) => {
    last = String(text)
  })
  const end = once(child, 'close').then(([code, signal]) => {
    if (code !== 0 && signal === null) throw new Error(`a worker of ${run} ended with ${code}: ${last}`)
  })
  return { child, begun: once(child.stderr, 'data'), end }
}

/** The outcome of each call, whoever asked it and when. */
export async function said(run: Run): Promise<readonly string[]> {
  const out: string[] = []
  for (const page of (await loadFrames(run)).pages())
    for (const { item, style, status, score, prediction } of page)
      out.push(JSON.stringify([item, style, status, score, prediction]))
  return out.sort()
}

/** The exponent k of times that grow as n to the k: the slope of a line through their logarithms. */
export function exponentOf(points: readonly { readonly n: number; readonly seconds: number }[]): number {
  const logs = points.map(({ n, seconds }) => [Math.log(n), Math.log(seconds)] as const)
  const mean = (i: 0 | 1): number => logs.reduce((sum, log) => sum + log[i], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const covariance = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return covariance / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
}
