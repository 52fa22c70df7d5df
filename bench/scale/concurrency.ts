import { executeRun } from '../../src/runner/index.ts'
import type { BenchTable } from '../table.ts'
import { exponentOf, newRun, openPlace } from './place.ts'

const LATENCY_MS = 40

/** Calls, by TOUCHSTONE_BENCH. */
const CALLS: { readonly [size: string]: number } = { quick: 600 }

/** Answers a second of one process by the number of calls at once. */
export async function run(): Promise<BenchTable> {
  const calls = CALLS[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 3000
  await using place = await openPlace(LATENCY_MS)
  const points: { readonly n: number; readonly seconds: number }[] = []
  for (const n of [1, 2, 4, 8, 16, 32, 64]) {
    const count = Math.ceil((calls * n) / 64)
    await using run = await newRun(place, `run-${n}`, count, n)
    await executeRun(run, { planOnly: true })
    const from = performance.now()
    await executeRun(run, { random: () => 0.02 })
    points.push({ n, seconds: (performance.now() - from) / 1000 / count })
  }
  const rates = points.map(({ n, seconds }) => [n, 1 / seconds, n / (LATENCY_MS / 1000)] as const)
  return {
    title: `Responses per second by calls in flight: one process on SQLite, ${LATENCY_MS} ms latency`,
    columns: ['calls at once', 'responses/s', 'bound by latency'],
    rows: [...rates, ['exponent', exponentOf(points.map(({ n, seconds }) => ({ n, seconds: 1 / seconds }))), 1]],
    notes: ['each with as many calls as one at a time makes in the same time; everything saved and scored'],
    curve: {
      file: 'bench-concurrency',
      title: 'Responses per second by calls in flight',
      x: 'calls at once',
      y: 'responses per second',
      points: rates.flatMap(([x, measured, allowed]) => [
        { series: 'measured', x, y: measured },
        { series: 'bound by latency', x, y: allowed },
      ]),
    },
  }
}
