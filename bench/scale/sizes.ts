import { join } from 'node:path'
import postgres from 'postgres'
import type { Outcome } from '../../src/core/index.ts'
import { makeReport } from '../../src/report/index.ts'
import { executeRun, loadReferences, mirrorRun, openRun, pushRun } from '../../src/runner/index.ts'
import { loadFrames } from '../../src/store/index.ts'
import { mockContext } from '../../test/mock/context.ts'
import { parity } from '../../test/mock/parity.ts'
import { peakOf } from '../memory.ts'
import type { BenchTable } from '../table.ts'
import { beginWorker, exponentOf, newRun, openPlace, type Place, storeOf } from './place.ts'

const STEPS = ['plan', 'push', 'status', 'first copy', 'second copy', 'rows and report'] as const
type Step = (typeof STEPS)[number]

interface Sized {
  readonly n: number
  readonly seconds: { readonly [step in Step]: number }
  /** MiB that a worker takes which asks the last thousand calls. */
  readonly worker: number
}

/** Calls of each run, by TOUCHSTONE_BENCH. */
const COUNTS: { readonly [size: string]: readonly number[] } = {
  quick: [2000, 5000],
  large: [10_000, 30_000, 100_000, 300_000, 1_000_000],
}

/** How long the steps of a run in PostgreSQL take by its size, with the exponents of their growth. */
export async function run(): Promise<BenchTable> {
  const counts = COUNTS[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? [10_000, 30_000, 100_000]
  await using place = await openPlace(0)
  const found: Sized[] = []
  for (const n of counts) found.push(await sized(place, n))
  const exponent = (step: Step): number =>
    exponentOf(found.map(({ n, seconds }) => ({ n, seconds: Math.max(seconds[step], 1e-3) })))
  return {
    title: 'A run in PostgreSQL by its size: seconds of each step',
    columns: ['step', ...found.map(({ n }) => n.toLocaleString('en-US')), 'exponent'],
    rows: [
      ...STEPS.map((step) => [step, ...found.map(({ seconds }) => seconds[step]), exponent(step)]),
      ['memory of a worker, MiB', ...found.map(({ worker }) => worker), ''],
    ],
    notes: [
      'exponent: the slope of log seconds over log calls; 1 is a time that grows as the run does',
      'plan: items made and written into the run folder; push: plan and calls into the database; copy: what report store:RUN brings home first, the second with nothing new',
      'all calls but a thousand are answered by a statement of the database, the last thousand by a worker, whose memory is the peak of its process',
    ],
    curve: {
      file: 'bench-sizes',
      title: 'A run in PostgreSQL: seconds of each step by its size',
      x: 'calls',
      y: 'seconds',
      points: found.flatMap(({ n, seconds }) =>
        STEPS.map((step) => ({ series: step, x: n, y: Math.max(seconds[step], 1e-3) })),
      ),
    },
  }
}

async function sized(place: Place, n: number): Promise<Sized> {
  const times: { [step: string]: number } = {}
  const timed = async <T>(step: Step, work: () => Promise<T>): Promise<T> => {
    const from = performance.now()
    const result = await work()
    times[step] = (performance.now() - from) / 1000
    return result
  }
  await using run = await newRun(place, `run-${n}`, n, 16)
  await timed('plan', () => executeRun(run, { planOnly: true }))
  const { run: id } = await timed('push', () => pushRun(run, storeOf(place, run, 'make'), 'here'))
  const sql = postgres(place.server.url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`SET search_path TO touchstone_${id.replaceAll('-', '_')}`)
  await answerAll(sql, n - 1000)
  const worker = beginWorker(place, id, 16)
  let peak = 0
  const weighing = setInterval(() => {
    peak = Math.max(peak, peakOf(worker.child.pid))
  }, 20)
  await worker.end
  clearInterval(weighing)
  await using store = await storeOf(place, run, 'open')(id)
  await timed('status', () => Promise.all([store.counts(), store.bookedUsd()]))
  const dir = join(place.folder, `copy-${n}`)
  const context = mockContext()
  await timed('first copy', () => mirrorRun(store, dir, 'here', context))
  await timed('second copy', () => mirrorRun(store, dir, 'here', context))
  await using copy = await openRun(dir, context, { mode: 'read' })
  await timed('rows and report', async () =>
    makeReport({
      run: dir,
      frames: await loadFrames(copy),
      tasks: [parity],
      references: await loadReferences(copy),
      selection: [],
    }),
  )
  await store.drop()
  await sql.end()
  return { n, seconds: times as Sized['seconds'], worker: peak }
}

const OUTCOME: Outcome = {
  kind: 'answered',
  finish: 'stop',
  results: { strict: { kind: 'graded', answer: true, value: 1, rule: 'whole', span: [0, 3] } },
}

/** Answers the first calls without a worker. */
async function answerAll(sql: postgres.Sql, calls: number): Promise<void> {
  const usage = JSON.stringify({ inputTokens: 20, outputTokens: 3, usd: 5e-5 })
  await sql`INSERT INTO attempt (call, attempt_no, started, ended, status, http, usage, max_usd, usd)
    SELECT id, 1, 1, 2, 'ok', 200, ${usage}, 0.01, 0.00005 FROM call WHERE id <= ${calls}`
  await sql`INSERT INTO response (call, attempt, finish, text, usage, raw)
    SELECT id, 1, 'stop', '"Yes"', ${usage}, '"{}"' FROM call WHERE id <= ${calls}`
  await sql`INSERT INTO score (call, scorer, outcome) SELECT id, 1, ${JSON.stringify(OUTCOME)} FROM call WHERE id <= ${calls}`
  await sql`UPDATE call SET state = 'done' WHERE id <= ${calls}`
  await sql`VACUUM ANALYZE`
}
