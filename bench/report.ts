import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { COMMAND, type Cost, costOf } from './command.ts'
import type { BenchTable } from './table.ts'
import { makeRun, ONE_TASK, type Source } from './view/make-run.ts'

/** `touchstone report` of a run. */
const reportCost = (run: string, out: string): Promise<Cost> => costOf([...COMMAND, 'report', run, '--out', out])

const CALLS = process.env['TOUCHSTONE_BENCH'] === 'quick' ? 20_000 : 200_000
/** Reports of each run. */
const TIMES = 5

/** All nine tasks whose answers are read, in twelve configs, and their shares of the items. */
const MANY_TASKS: readonly Source[] = [
  { task: 'relic/recognize', preset: 'relic-500', share: 14 },
  { task: 'recoglab/comparison', preset: 'symbolic-distance', share: 6 },
  { task: 'recoglab/comparison', preset: 'feasibility', share: 3 },
  { task: 'recoglab/social', preset: 'next-hop-tree-10', share: 4 },
  { task: 'recoglab/syllogism', preset: 'chain', share: 1.5 },
  { task: 'recoglab/families', preset: 'size', share: 1.5 },
  { task: 'clutrr/kinship', preset: 'hops-4', share: 3 },
  { task: 'clutrr/kinship', preset: 'hops-6', share: 3 },
  { task: 'slr-bench/trains', preset: 'basic', share: 1.5 },
  { task: 'slr-bench/trains', preset: 'medium', share: 1.5 },
  { task: 'pbebench/reorder', preset: 'pbebench-perm', share: 0.5 },
  { task: 'pbebench/induce', preset: 'pbebench-lite', share: 0.5 },
]

const RUNS = [
  { what: 'one task, five models', models: 5, sources: ONE_TASK },
  { what: 'one task, six models', models: 6, sources: ONE_TASK },
  { what: 'nine tasks in twelve configs, five models', models: 5, sources: MANY_TASKS },
] as const

/** Time and memory of `touchstone report` on large runs: the first time, and afterwards. */
export async function run(): Promise<BenchTable> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-report-bench-'))
  const rows: (string | number)[][] = []
  try {
    for (const [i, { what, models, sources }] of RUNS.entries()) {
      const dir = join(folder, `run${i}`)
      const out = join(folder, 'report')
      const { rows: made } = await makeRun(dir, CALLS, { models, sources })
      rows.push([`${what}, the first time`, made, ...shown([await reportCost(dir, out)])])
      const again: Cost[] = []
      for (let time = 0; time < TIMES; time++) again.push(await reportCost(dir, out))
      rows.push([what, made, ...shown(again)])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    title: 'The report of a large run',
    columns: ['run', 'rows', 'seconds', 'CPU s', 'peak MiB, middle', 'peak MiB, most'],
    rows,
    notes: [
      'Targets, of one task: 200,000 rows in 5 s and 300 MB (286 MiB), all formats but PNG.',
      `\`touchstone report\` from the sources, in a process of its own, ${TIMES} times a run: the least time, and the middle and the most of the peaks of resident memory`,
      'missed by many tasks, whose own analyses and heuristic baselines are most of it',
      'real items and prompts, answers by statements of the database',
    ],
  }
}

function shown(costs: readonly Cost[]): readonly number[] {
  const least = (of: (cost: Cost) => number) => Math.min(...costs.map(of))
  const peaks = costs.map(({ peak }) => Math.round(peak)).sort((a, b) => a - b)
  return [
    least(({ seconds }) => seconds),
    least(({ cpu }) => cpu),
    peaks[Math.floor(peaks.length / 2)] as number,
    peaks.at(-1) as number,
  ]
}
