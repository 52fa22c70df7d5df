import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchTable } from './table.ts'

interface Whole {
  readonly task: string
  readonly preset: string
  readonly threads: number
  /** Seconds of wall time. */
  readonly goal: number | null
}

const wholes: readonly Whole[] = [
  { task: 'relic/recognize', preset: 'relic-500', threads: 1, goal: 60 },
  { task: 'relic/recognize', preset: 'relic-500', threads: Math.max(2, cpus().length), goal: null },
  { task: 'pbebench/induce', preset: 'pbebench-lite', threads: 1, goal: 5 },
  { task: 'pbebench/induce', preset: 'pbebench', threads: 1, goal: 60 },
  { task: 'pbebench/induce', preset: 'pbebench-balanced-2-30', threads: 1, goal: 60 },
]

const main = join(import.meta.dirname, '../src/cli/main.ts')
const execute = promisify(execFile)

/** Whole presets by the command line, a process each: plan, items, witnesses, hashes, Parquet, card. */
export async function run(): Promise<BenchTable> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-whole-'))
  const rows: (string | number)[][] = []
  const missed: string[] = []
  try {
    for (const { task, preset, threads, goal } of wholes) {
      const out = join(folder, `${preset}-${threads}`)
      const began = performance.now()
      const flags = ['--seed', '1', '--threads', String(threads), '--out', out]
      await execute(process.execPath, [main, 'generate', task, '--preset', preset, ...flags])
      const seconds = (performance.now() - began) / 1000
      const { count, root } = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as {
        readonly count: number
        readonly root: string
      }
      if (goal !== null && seconds > goal) missed.push(`missed: ${preset}, ${seconds.toFixed(0)} s, goal ${goal}`)
      rows.push([preset, threads, count, Number(seconds.toFixed(1)), goal ?? '', count / seconds, root.slice(0, 12)])
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return {
    title: 'Whole sets by the command line, start to end',
    columns: ['preset', 'threads', 'items', 'seconds', 'goal', 'items/s', 'root'],
    rows,
    notes: [
      'Wall time of a process that does nothing else; the root is the same for any number of threads.',
      'The plan of relic-500 (600 grammars grown, 200 chosen) is made once, in the main thread.',
      ...missed,
    ],
  }
}
