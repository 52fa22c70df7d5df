import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnMock } from '../../test/mock/process.ts'
import type { BenchTable } from '../table.ts'
import type { Profiled } from './profile.ts'

export interface RunnerBenchOptions {
  /** Also the run of 1,000,000 items. */
  readonly large?: boolean
  /** A tenth of everything: does it work at all? */
  readonly quick?: boolean
}

interface Result {
  readonly ms: number
  readonly cpuMs: number
  readonly maxRss: number
  readonly afterRun: number
  readonly rowsMs: number
  readonly done: number
  readonly profile?: readonly Profiled[]
}

const entry = fileURLToPath(new URL('./loop.ts', import.meta.url))

async function measure(kind: string, args: { readonly [name: string]: string | number | true }): Promise<Result> {
  const flags = Object.entries(args).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  )
  const child = spawn(process.execPath, [entry, '--kind', kind, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the measurement ${kind} ended with exit code ${code}`)
  return JSON.parse(out.trim().split('\n').at(-1) ?? '') as Result
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

const ROUNDS = 5
const KINDS = ['fetch', 'model', 'ours'] as const

/** The runner against a bare fetch loop and a loop over the bare model, interleaved, the mock in its own process. */
async function throughput(latency: number, count: number): Promise<BenchTable> {
  const mock = await spawnMock('--latency', String(latency), '--bookless')
  try {
    const seen: { readonly [kind in (typeof KINDS)[number]]: Result[] } = { fetch: [], model: [], ours: [] }
    for (let round_ = 0; round_ < ROUNDS; round_++)
      for (const kind of KINDS) seen[kind].push(await measure(kind, { url: mock.url, count }))
    const profiled = await measure('ours', { url: mock.url, count, profile: true })
    const ms = (kind: (typeof KINDS)[number]): number => median(seen[kind].map((result) => result.ms))
    const cpu = (kind: (typeof KINDS)[number]): number => median(seen[kind].map((result) => result.cpuMs / count))
    const rows = KINDS.map((kind) => [
      { fetch: 'bare fetch loop', model: 'bare model loop', ours: 'runner, everything saved' }[kind],
      round((count * 1000) / ms(kind), 0),
      round(ms('fetch') / ms(kind)),
      round(cpu(kind), 3),
      round(cpu(kind) / cpu('fetch')),
      round(cpu(kind) / cpu('model')),
    ])
    const top = (profiled.profile ?? []).slice(0, 8).map(({ where, share }) => `${where} ${Math.round(share * 100)} %`)
    return {
      title: `Runner, ${latency} ms latency, 100 calls in flight, ${count} calls`,
      columns: ['', 'calls/s', 'throughput / fetch loop', 'CPU ms per call', 'CPU / fetch loop', 'CPU / model loop'],
      rows,
      notes: [
        `Medians of ${ROUNDS}, interleaved, each in a process of its own after 500 calls to warm up.`,
        latency >= 100
          ? 'Target: at least 0.9 of the fetch loop.'
          : 'Target: CPU at most 2.5 of the fetch loop and 2 of the model loop.',
        `Where the runner's CPU goes: ${top.join(', ')}.`,
      ],
    }
  } finally {
    await mock.close()
  }
}

async function sizes(options: RunnerBenchOptions): Promise<BenchTable> {
  const scale = options.quick === true ? 0.1 : 1
  const counts = [10_000, 200_000, ...(options.large === true ? [1_000_000] : [])].map((count) => count * scale)
  const rows: (string | number)[][] = []
  for (const count of counts) {
    const dir = join(tmpdir(), `bench-sizes-${process.pid}-${count}`)
    // A server that never answers: the calls to it are what is left to resume.
    const silent = await spawnMock('--latency', '100000000', '--bookless')
    try {
      const whole = await measure('local', { count, dir, url: silent.url })
      const rescored = await measure('rescore', { dir })
      const mock = await spawnMock('--latency', '0', '--bookless')
      const from = performance.now()
      const resumed = await measure('resume', { dir, url: mock.url })
      const resume = performance.now() - from
      await mock.close()
      if (resumed.done !== count) throw new Error(`${resumed.done} of ${count} responses were there to resume`)
      rows.push([
        count,
        round((count * 1000) / whole.ms, 0),
        round((count * 1000) / whole.cpuMs, 0),
        round(whole.afterRun, 0),
        round(whole.maxRss, 0),
        round(whole.rowsMs / 1000, 1),
        round((count * 1000) / rescored.ms, 0),
        round((count * 1000) / rescored.cpuMs, 0),
        round(rescored.maxRss, 0),
        round(resume / 1000, 1),
        round(resumed.maxRss, 0),
      ])
    } finally {
      await silent.close()
      await rm(dir, { recursive: true, force: true })
    }
  }
  return {
    title: 'Runner, size of the run (built-in baseline, all responses saved and scored)',
    columns: [
      'responses',
      'planned, answered, saved /s',
      'the same / CPU s',
      'peak MB, run',
      'peak MB, with its rows read',
      'rows read s',
      're-scored /s',
      're-scored / CPU s',
      'peak MB, re-scoring',
      'resume: process start to first call back, s',
      'peak MB, resume',
    ],
    rows,
    notes: [
      'Targets: memory flat in the size and at most 200 MB for the run; re-scoring at least 20,000 responses/s; resume of 200,000 responses under 5 s.',
      'Peak memory is the resident set of the whole process, run from the TypeScript sources, whose translator takes some 30 MB of it.',
      'Rows are read from the ledger into columns, which take some 100 bytes a row.',
    ],
  }
}

/** Speed and memory of the runner (measured as ratios in one go; see notes of each table). */
export async function runnerBench(options: RunnerBenchOptions = {}): Promise<readonly BenchTable[]> {
  const scale = options.quick === true ? 0.1 : 1
  return [await throughput(100, 5000 * scale), await throughput(10, 5000 * scale), await sizes(options)]
}
