import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { verifyRun } from '../../src/extras/seals/index.ts'
import { executeRun, pullRun, pushRun } from '../../src/runner/index.ts'
import { peakOf } from '../memory.ts'
import type { BenchTable } from '../table.ts'
import { beginWorker, newRun, openPlace, said, storeOf, type WorkerProcess } from './place.ts'

const WORKERS = 4
const CONCURRENCY = 16
/** Kill -9 of two workers, so many times. */
const TIMES = 20

/** Calls, by TOUCHSTONE_BENCH. */
const CALLS: { readonly [size: string]: number } = { quick: 2000, large: 200_000 }

/** Four workers, of which two at random are killed twenty times, their connections cut as often: against one process. */
export async function run(): Promise<BenchTable> {
  const calls = CALLS[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 20_000
  await using place = await openPlace(2)
  const { server } = place
  const from = performance.now()
  const seconds = (): number => Math.round((performance.now() - from) / 1000)
  await using alone = await newRun(place, 'alone', calls, WORKERS * CONCURRENCY)
  await executeRun(alone, { random: () => 0.02 })
  const aloneTook = seconds()
  await using run = await newRun(place, 'shared', calls, CONCURRENCY)
  const { run: id } = await pushRun(run, storeOf(place, run, 'make'), 'here')
  const began = seconds()
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined })
  const schema = `touchstone_${id.replaceAll('-', '_')}`
  const workers: WorkerProcess[] = []
  const begin = (): void => {
    workers.push(beginWorker(place, id, CONCURRENCY))
  }
  for (let i = 0; i < WORKERS; i++) begin()
  const count = async (): Promise<number> =>
    Number((await sql`SELECT COUNT(*) AS n FROM ${sql(`${schema}.call`)} WHERE state IN ('done', 'failed')`)[0]?.['n'])
  // To count costs the database as much as some answers.
  const pause = Math.max(50, calls / 400)
  let kills = 0
  let cuts = 0
  let peak = 0
  for (let time = 1; time <= TIMES; time++) {
    // Spread over the run: each when another part of it is done.
    while ((await count()) < (calls * time) / (TIMES + 1)) await sleep(pause)
    for (const { child } of workers) peak = Math.max(peak, peakOf(child.pid))
    const living = workers.filter(({ child }) => child.exitCode === null && child.signalCode === null)
    for (const worker of living.toSorted(() => Math.random() - 0.5).slice(0, 2)) {
      worker.child.kill('SIGKILL')
      await worker.end
      kills++
      // Nobody waits a minute here: the dead are declared dead.
      // What a worker has locked is passed over: to wait for it is a deadlock where it waits for what is locked here.
      const cell = sql(`${schema}.call`)
      await sql`UPDATE ${cell} SET lease_until = 0
        WHERE id IN (SELECT id FROM ${cell} WHERE owner LIKE ${`%/${worker.child.pid}/%`} FOR UPDATE SKIP LOCKED)`
    }
    const cut = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'touchstone' AND backend_start < now() - interval '150 ms'`
    cuts += cut.length
    while (workers.filter(({ child }) => child.exitCode === null && child.signalCode === null).length < WORKERS) begin()
  }
  while ((await count()) < calls) {
    for (const { child } of workers) peak = Math.max(peak, peakOf(child.pid))
    await sleep(200)
  }
  await Promise.all(workers.map(({ end }) => end))
  const worked = seconds() - began
  await sql.end()
  await pullRun(run, storeOf(place, run, 'open'))
  const [one, many] = [await said(alone), await said(run)]
  const different = one.filter((line, i) => line !== many[i]).length + Math.abs(one.length - many.length)
  const { problems } = await verifyRun(run)
  const chain = await run.ledger.checkChain()
  return {
    title: 'Four workers on PostgreSQL, two of them killed at random twenty times, against one process',
    columns: ['', 'value'],
    rows: [
      ['calls', calls],
      ['kill -9 of workers', kills],
      ['connections cut', cuts],
      ['calls that differ from one process', different],
      ['faults that verify finds', problems.length],
      ['links of the chain', chain.kind === 'whole' ? chain.links : 'broken'],
      ['seconds, one process', aloneTook],
      ['seconds, workers', worked],
      ['most memory of a worker, MiB', peak],
    ],
    notes: [
      'compared call by call: status, score, prediction',
      'connections: all that stood at each killing, of the workers left alive, ended by the server',
      'workers, server, mock and bench share the cores named above; the wait of a minute for a dead worker is cut short',
    ],
  }
}
