import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMMAND, ENVIRONMENT } from './command.ts'
import type { BenchTable } from './table.ts'

interface Whole {
  readonly task: string
  readonly preset: string
  readonly step: 'generate' | 'verify' | 'audit'
  readonly threads: number
  /** Seconds of wall time. */
  readonly goal: number | null
}

const relic = { task: 'relic/recognize', preset: 'relic-500' } as const
const generate = { step: 'generate', threads: 1 } as const
/** A set is verified as it was generated last. */
const wholes: readonly Whole[] = [
  { ...relic, ...generate, goal: 35 },
  { ...relic, step: 'generate', threads: Math.max(2, availableParallelism()), goal: null },
  { ...relic, step: 'verify', threads: 2, goal: 25 },
  { ...relic, step: 'audit', threads: 2, goal: null },
  { task: 'pbebench/induce', preset: 'pbebench-lite', ...generate, goal: 5 },
  { task: 'pbebench/induce', preset: 'pbebench', ...generate, goal: 60 },
  { task: 'pbebench/induce', preset: 'pbebench-balanced-2-30', ...generate, goal: 60 },
]

const execute = promisify(execFile)

/** Whole presets by the command line, a process each: plan, items, witnesses, hashes, Parquet, card; and all of it checked. */
export async function run(): Promise<BenchTable> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-whole-'))
  const rows: (string | number)[][] = []
  const missed: string[] = []
  try {
    for (const { task, preset, step, threads, goal } of wholes) {
      const set = join(folder, preset)
      if (step === 'generate') await rm(set, { recursive: true, force: true })
      const what = step !== 'generate' ? [set] : [task, '--preset', preset, '--seed', '1', '--out', set]
      const began = performance.now()
      await execute(
        process.execPath,
        [...COMMAND, step, ...what, ...(step === 'audit' ? [] : ['--threads', String(threads)])],
        { env: ENVIRONMENT },
      )
      const seconds = (performance.now() - began) / 1000
      const { count, root } = JSON.parse(await readFile(join(set, 'manifest.json'), 'utf8')) as {
        readonly count: number
        readonly root: string
      }
      if (goal !== null && seconds > goal)
        missed.push(`missed: ${step} ${preset}, ${seconds.toFixed(0)} s, goal ${goal}`)
      rows.push([
        preset,
        step,
        threads,
        count,
        Number(seconds.toFixed(1)),
        goal ?? '',
        count / seconds,
        root.slice(0, 12),
      ])
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return {
    title: 'Whole sets by the command line, start to end',
    columns: ['preset', 'step', 'threads', 'items', 'seconds', 'goal', 'items/s', 'root'],
    rows,
    notes: [
      'Wall time of a process that does nothing else; the root is the same for any number of threads.',
      'The plan of relic-500 (600 grammars grown, 200 chosen) is made once, in the main thread.',
      'verify: reads and hashes every row, regenerates every item and compares the two',
      ...missed,
    ],
  }
}
