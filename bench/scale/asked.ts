import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { executeRun, pushRun } from '../../src/runner/index.ts'
import { peakOf } from '../memory.ts'
import type { BenchTable } from '../table.ts'
import { beginWorker, main, newRun, openPlace, type Place, plugin, storeOf } from './place.ts'

const WORKERS = 4
const CONCURRENCY = 16
/** Between two looks at how the run stands, in ms. */
const LOOK_MS = 60_000

/** Calls, by TOUCHSTONE_BENCH. Large takes an hour. */
const CALLS: { readonly [size: string]: number } = { quick: 3000, large: 1_000_000 }

/** One run that workers ask from its first cell to its last, looked at as they do, and its report. */
export async function run(): Promise<BenchTable> {
  const calls = CALLS[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 20_000
  await using place = await openPlace(2)
  await using run = await newRun(place, 'asked', calls, CONCURRENCY)
  const [plan] = await timed(() => executeRun(run, { planOnly: true }))
  const [push, { run: id }] = await timed(() => pushRun(run, storeOf(place, run, 'make'), 'here'))
  await using store = await storeOf(place, run, 'open')(id)
  const workers = Array.from({ length: WORKERS }, () => beginWorker(place, id, CONCURRENCY))
  const weighing = weigh(workers.map(({ child }) => child))
  let working = true
  const ended = timed(() => Promise.all(workers.map(({ end }) => end))).finally(() => {
    working = false
  })
  const looks: number[] = []
  const commands: number[] = []
  while (working) {
    looks.push((await timed(() => Promise.all([store.counts(), store.bookedUsd()])))[0])
    commands.push((await command(place, 'cluster', 'status')).seconds)
    await Promise.race([ended, sleep(LOOK_MS, undefined, { ref: false })])
  }
  const [worked] = await ended
  const first = await command(place, 'report', `store:${id}`, '--plugin', plugin)
  const second = await command(place, 'report', `store:${id}`, '--plugin', plugin)
  return {
    title: `A run of ${calls.toLocaleString('en-US')} calls in PostgreSQL, four workers`,
    columns: ['', 'value'],
    rows: [
      ['plan, seconds', plan],
      ['push, seconds', push],
      ['responses per second', Math.round(calls / worked)],
      ['most memory of a worker, MiB', weighing()],
      ['status in the store while they work, seconds, median', median(looks)],
      ['the same, most', Math.max(...looks)],
      ['touchstone cluster status, seconds, median', median(commands)],
      ['first touchstone report store:RUN, seconds', first.seconds],
      ['the same with nothing new, seconds', second.seconds],
      ['most memory of a report, MiB', Math.max(first.peak, second.peak)],
    ],
    notes: [
      'server, mock and workers share the cores named above',
      'a report by the command line: copy, rows and report',
    ],
  }
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [seconds: number, result: T]> {
  const from = performance.now()
  const result = await work()
  return [(performance.now() - from) / 1000, result]
}

/** @returns what tells the most memory that one of them has had, and weighs no more. */
function weigh(children: readonly ChildProcess[]): () => number {
  let peak = 0
  const timer = setInterval(() => {
    for (const { pid } of children) peak = Math.max(peak, peakOf(pid))
  }, 50)
  return () => {
    clearInterval(timer)
    return peak
  }
}

async function command(place: Place, ...args: readonly string[]): Promise<{ seconds: number; peak: number }> {
  const env = {
    ...process.env,
    TOUCHSTONE_STORE_URL: place.server.url,
    TOUCHSTONE_HOME: join(place.folder, 'home'),
  }
  const node = ['--conditions=touchstone-source', main, ...args]
  const child = spawn(process.execPath, node, { env, stdio: 'ignore' })
  const weighing = weigh([child])
  const [seconds, [code]] = await timed(() => once(child, 'exit'))
  if (code !== 0) throw new Error(`touchstone ${args.join(' ')} ended with ${code}`)
  return { seconds, peak: weighing() }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
