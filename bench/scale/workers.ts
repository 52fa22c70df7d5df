import { executeRun, pullRun, pushRun } from '../../src/runner/index.ts'
import type { BenchTable } from '../table.ts'
import { beginWorker, newRun, openPlace, storeOf } from './place.ts'

const CONCURRENCY = 4
const LATENCY_MS = 40
const WORKERS = [1, 2, 4, 8] as const

/** Calls, by TOUCHSTONE_BENCH. */
const CALLS: { readonly [size: string]: number } = { quick: 400 }

/** Answers a second of one process on SQLite, and of workers on PostgreSQL, each with few calls at once. */
export async function run(): Promise<BenchTable> {
  const calls = CALLS[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 2000
  await using place = await openPlace(LATENCY_MS)
  const rows: (string | number)[][] = []
  const ceiling = (processes: number): number => (processes * CONCURRENCY * 1000) / LATENCY_MS
  const tell = (who: string, processes: number, ms: number): void => {
    const rate = (calls * 1000) / ms
    rows.push([who, Math.round(rate), Math.round(ceiling(processes)), rate / ceiling(processes)])
  }
  await using alone = await newRun(place, 'alone', calls, CONCURRENCY)
  await executeRun(alone, { planOnly: true })
  const from = performance.now()
  await executeRun(alone, { random: () => 0.02 })
  tell('one process, SQLite', 1, performance.now() - from)
  for (const processes of WORKERS) {
    await using run = await newRun(place, `run-${processes}`, calls, CONCURRENCY)
    const { run: id } = await pushRun(run, storeOf(place, run, 'make'), 'here')
    const workers = Array.from({ length: processes }, () => beginWorker(place, id, CONCURRENCY))
    await Promise.all(workers.map(({ begun }) => begun))
    const start = performance.now()
    await Promise.all(workers.map(({ end }) => end))
    tell(`${processes} on PostgreSQL`, processes, performance.now() - start)
    await pullRun(run, storeOf(place, run, 'open'))
  }
  return {
    title: `Responses per second by workers: ${LATENCY_MS} ms latency, ${CONCURRENCY} calls in flight each, ${calls.toLocaleString('en-US')} calls`,
    columns: ['workers', 'responses/s', 'bound by latency', 'share'],
    rows,
    notes: [
      'everything saved and scored; from the first sign of life of the last worker to the end of the last',
      'server, mock, bench and workers share the cores named above: where these are full, more workers bring no more',
    ],
    curve: {
      file: 'bench-workers',
      title: 'Responses per second by workers on PostgreSQL',
      x: 'workers',
      y: 'responses per second',
      points: WORKERS.flatMap((x, i) => [
        { series: 'measured', x, y: Number(rows[i + 1]?.[1]) },
        { series: 'bound by latency', x, y: ceiling(x) },
      ]),
    },
  }
}
