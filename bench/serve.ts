import { fork, spawn } from 'node:child_process'
import { join } from 'node:path'
import { openLab } from '../src/lab/lab.ts'
import type { Step } from './serve-client.ts'
import { hostileRequests } from './serve-hostile.ts'
import type { BenchTable } from './table.ts'

const size = process.env['TOUCHSTONE_BENCH'] ?? ''
/** Enough that threads which have just begun to draw say little. */
const ITEMS = size === 'quick' ? 4_000 : 40_000
const LOOP = size === 'large' ? 100_000 : size === 'quick' ? 1_000 : 10_000
const HOSTILE = size === 'large' ? 1_000_000 : size === 'quick' ? 10_000 : 100_000

/** Throughput of the server over HTTP at this machine, clients in a process of their own; the loop of examples/rl; hostile requests. */
export async function run(): Promise<readonly BenchTable[]> {
  const lab = await openLab()
  const server = await lab.serve({ port: 0, secret: 'a secret of the bench, long enough' })
  try {
    const rows = await clients(server.url)
    const loop = await python(server.url)
    const hostile = await hostileRequests(HOSTILE)
    return [
      {
        title: 'The server over HTTP, one worker thread per core, clients on the same machine',
        columns: ['task', 'preset', 'items', 'items/s', 'items/CPU s', 'scores', 'scores/s', 'scores/CPU s'],
        rows,
        notes: [
          'batches of 512 by 4 clients; 8 answers of different texts an item, scored after all were drawn, as a training step does',
          'CPU s: of all threads of the server, HTTP included, clients not; the clock has the clients on the same cores',
          'goals on two idle cores: 20,000 recognition scores/s, 5,000 items/s; a new item costs what generation costs, four fifths of which is drawing grammars and twins',
          'the first 4,000 items of a thread come at half the rate',
        ],
      },
      {
        title: 'examples/rl/grpo_loop.py, python3 with its standard library',
        columns: ['what', 'value'],
        rows: loop,
        notes: ['disagreements: groups in which one answer has two rewards, or two answers are right'],
      },
      {
        title: 'Hostile requests, in this process',
        columns: ['what', 'value'],
        rows: hostile,
        notes: [
          'no request may end in a 500, and no answer may tell the secret, a seed that items are made from, or more of an item than its question',
          'half of the tokens are of another server, half were given by this one; any part of a body may be anything',
          'MiB: of the heap, garbage collected; items and sources are kept up to a bound',
        ],
      },
    ]
  } finally {
    await server.close()
  }
}

/** One row a task; the server is in this process and the clients are not, so that its CPU seconds are the server's. */
function clients(url: string): Promise<(string | number)[][]> {
  return new Promise((resolve, reject) => {
    const rows: (string | number)[][] = []
    const child = fork(join(import.meta.dirname, 'serve-client.ts'), [url, String(ITEMS)])
    let [clock, before] = [performance.now(), process.cpuUsage()]
    child.on('message', (step: Step) => {
      if (step.kind !== 'begin') {
        const { user, system } = process.cpuUsage(before)
        const rates = [step.done, (step.done * 1000) / (performance.now() - clock), (step.done * 1e6) / (user + system)]
        if (step.kind === 'drawn') rows.push([step.task, step.preset, ...rates])
        else rows.at(-1)?.push(...rates)
      }
      ;[clock, before] = [performance.now(), process.cpuUsage()]
      child.send('seen')
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(rows) : reject(new Error(`the clients ended with ${code}`))))
  })
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
        ['disagreements', number(/(\d+) disagreements/u)],
        ['mean reward, first batch', number(/mean reward ([\d.]+)/u)],
        ['mean reward, last batch', number(/-> ([\d.]+)/u)],
        ['items/s over the loop', number(/(\d+) items\/s/u)],
        ['scores/s over the loop', number(/(\d+) scores\/s/u)],
      ])
    })
  })
}
