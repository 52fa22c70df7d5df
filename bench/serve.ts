import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { namedStream } from '../src/core/stream.ts'
import { openLab } from '../src/lab/lab.ts'
import { appOf } from '../src/serve/app.ts'
import { inThread } from '../src/serve/in-thread.ts'
import { keysOf } from '../src/serve/keys.ts'
import { protocols } from '../src/serve/protocols/index.ts'
import { families } from '../src/tasks/index.ts'
import { hostileRequest } from '../test/unit/serve/hostile.ts'
import type { BenchTable } from './table.ts'

const size = process.env['TOUCHSTONE_BENCH'] ?? ''
const ITEMS = size === 'quick' ? 1_000 : 10_000
const LOOP = size === 'large' ? 100_000 : size === 'quick' ? 1_000 : 10_000
const HOSTILE = size === 'large' ? 1_000_000 : size === 'quick' ? 10_000 : 100_000
const BATCH = 512
const GROUP = 8
const CLIENTS = 4

interface Item {
  readonly token?: string
}

/** Throughput of the server over HTTP at this machine, clients on the same machine; the loop of examples/rl; hostile requests. */
export async function run(): Promise<readonly BenchTable[]> {
  const lab = await openLab()
  const server = await lab.serve({ port: 0, secret: 'a secret of the bench, long enough' })
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  /** Batches by several clients at once. @returns seconds by the clock, and of all threads of this process, clients too. */
  async function timed(batches: number, work: (batch: number) => Promise<void>) {
    const start = performance.now()
    const before = process.cpuUsage()
    let next = 0
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (next < batches) await work(next++)
      }),
    )
    const { user, system } = process.cpuUsage(before)
    return { clock: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 }
  }
  const rows: (string | number)[][] = []
  try {
    for (const [task, preset, text] of [
      ['relic/recognize', 'relic-endless', 'The start symbol derives it. Answer: Yes'],
      ['recoglab/comparison', 'feasibility', 'Answer: Unknown'],
    ] as const) {
      // Threads start and plans are made before the clock does.
      await post('/v1/items', { task, preset, index: 0, count: 64, seed: 'warm' })
      const tokens: string[] = []
      const drawn = await timed(Math.ceil(ITEMS / BATCH), async (batch) => {
        const { items } = await post<{ items: Item[] }>('/v1/items', {
          task,
          preset,
          index: batch * BATCH,
          count: BATCH,
        })
        tokens.push(...items.flatMap(({ token }) => token ?? []))
      })
      const batches = Math.ceil((tokens.length * GROUP) / BATCH)
      const scored = await timed(batches, async (batch) => {
        const first = (batch * BATCH) / GROUP
        const items = tokens
          .slice(first, first + BATCH / GROUP)
          .flatMap((token) => Array.from({ length: GROUP }, () => ({ token, text })))
        await post('/v1/score', { items })
      })
      const answers = tokens.length * GROUP
      rows.push([
        task,
        preset,
        tokens.length,
        tokens.length / drawn.clock,
        tokens.length / drawn.cpu,
        answers,
        answers / scored.clock,
        answers / scored.cpu,
      ])
    }
    const loop = await python(server.url)
    const hostile = await hostileRequests()
    return [
      {
        title: 'The server over HTTP, one worker thread a core, clients on the same machine',
        columns: ['task', 'preset', 'items', 'items/s', 'items/CPU s', 'scores', 'scores/s', 'scores/CPU s'],
        rows,
        notes: [
          `batches of ${BATCH} by ${CLIENTS} clients; ${GROUP} answers an item, scored after all were drawn, as a training step does`,
          'CPU s: of all threads of server and clients together; the clock is that of a machine with other work, so it says little',
          'goals on two idle cores: 20,000 recognition scores/s, 5,000 items/s; a new item costs what generation costs',
        ],
      },
      {
        title: 'examples/rl/grpo_loop.py, python3 with its standard library',
        columns: ['what', 'value'],
        rows: loop,
        notes: [],
      },
      {
        title: 'Hostile requests, in this process',
        columns: ['what', 'value'],
        rows: hostile,
        notes: ['no request may end in a 500'],
      },
    ]
  } finally {
    await server.close()
  }
}

const folder = join(import.meta.dirname, '../examples/rl')

function python(url: string): Promise<(string | number)[][]> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TOUCHSTONE_URL: url, PYTHONDONTWRITEBYTECODE: '1' }
    const child = spawn('python3', ['grpo_loop.py', String(LOOP)], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString()
    })
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString()
    })
    child.on('error', () => resolve([['python3', 'not here']]))
    child.on('close', (code) => {
      const number = (pattern: RegExp): number => Number(pattern.exec(said)?.[1])
      if (code !== 0) return reject(new Error(said))
      resolve([
        ['items drawn', number(/^(\d+) items/mu)],
        ['answers scored', number(/(\d+) scores,/u)],
        ['not judged', number(/(\d+) not judged/u)],
        ['mean reward, first batch', number(/mean reward ([\d.]+)/u)],
        ['mean reward, last batch', number(/-> ([\d.]+)/u)],
        ['items/s over the loop', number(/(\d+) items\/s/u)],
        ['scores/s over the loop', number(/(\d+) scores\/s/u)],
      ])
    })
  })
}

async function hostileRequests(): Promise<(string | number)[][]> {
  const tasks = families.flatMap((family) => family.tasks)
  const keys = keysOf('a secret of the bench, long enough')
  const app = appOf({ tasks, workers: inThread(tasks), keys, splits: ['train'] }, protocols)
  const stream = namedStream('bench/serve', 'hostile')
  const statuses = new Map<number, number>()
  const start = performance.now()
  for (let i = 0; i < HOSTILE; i++) {
    const { path, init } = hostileRequest(stream)
    const response = await app.request(path, init)
    await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  }
  const seconds = (performance.now() - start) / 1000
  return [
    ['requests', HOSTILE],
    ['requests/s', HOSTILE / seconds],
    ...[...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]): [string, number] => [`answered ${status}`, count]),
    ['answered 500', statuses.get(500) ?? 0],
  ]
}
