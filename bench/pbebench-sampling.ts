/**
 * Efficiency and balance of the released and the conditional sampler in the hard setting, 64 instances a length, on the
 * grid of Figures 13 to 17 of the PBEBench paper. Alone: node bench/pbebench-sampling.ts [largest patience]
 */
import process from 'node:process'
import { Sfc32 } from '../src/core/index.ts'
import { drawConditional } from '../src/tasks/pbebench/sampling/conditional.ts'
import { type EfficiencyRow, efficiencyOf, efficiencyReport } from '../src/tasks/pbebench/sampling/efficiency.ts'
import { runPatiences } from '../src/tasks/pbebench/sampling/published.ts'
import type { Setting } from '../src/tasks/pbebench/sampling/setting.ts'
import { ALL_LETTERS } from '../src/tasks/pbebench/sampling/settings.ts'
import type { BenchTable } from './table.ts'

const setting: Setting = {
  words: 50,
  wordLength: [2, 6],
  letters: [...ALL_LETTERS],
  side: [1, 3],
  emptyRight: false,
  leftSides: 'intermediate',
  changed: { min: 1, max: null },
  classifier: 'paper',
  minimal: false,
}
const patiences = [1000, 10_000, 100_000, 250_000, 500_000, 750_000, 1_000_000] as const
const lengths = [5, 10, 15, 20, 25] as const
const categories = Array.from({ length: 16 }, (_, k) => k)

/** All patiences on one sequence of proposals, so that a row differs from the one above by its patience only. */
function released(length: number, most: number): readonly EfficiencyRow[] {
  const asked = patiences.filter((patience) => patience <= most)
  const rules = { size: 64, lengths: [length], categories, maxSteps: most + 10_000 }
  const runs = runPatiences(new Sfc32(length, 1, 1, 1), setting, rules, asked)
  return runs.map((run, k) => {
    const { steps, accepted } = run
    const patience = asked[k] as number
    return { sampler: 'released', length, patience, steps, accepted: accepted.length, ...efficiencyOf(run) }
  })
}

function conditional(length: number): EfficiencyRow {
  const tally = { attempts: 0 }
  const counts = categories.map((category) => {
    const drawn = [0, 1, 2, 3].map((k) =>
      drawConditional(new Sfc32(length, category, k, 2), setting, length, category, 5000, tally),
    )
    return drawn.filter((instance) => instance !== null).length
  })
  const accepted = counts.reduce((sum, count) => sum + count, 0)
  const run = { counts, steps: tally.attempts, accepted }
  return { sampler: 'conditional', length, patience: null, steps: tally.attempts, accepted, ...efficiencyOf(run) }
}

/** One row a length, sampler and patience, with the columns of the family's own table, and the CPU seconds a length took. */
export function table(most: number): BenchTable {
  const rows: EfficiencyRow[] = []
  const seconds: number[] = []
  const timed = (make: () => readonly EfficiencyRow[]): void => {
    const begun = process.cpuUsage()
    const made = make()
    rows.push(...made)
    const { user, system } = process.cpuUsage(begun)
    seconds.push(...made.map((_, k) => (k === made.length - 1 ? (user + system) / 1e6 : 0)))
  }
  for (const length of lengths) {
    timed(() => released(length, most))
    timed(() => [conditional(length)])
  }
  const [made] = efficiencyReport(rows).tables
  const columns = made?.columns ?? []
  return {
    title: made?.title ?? '',
    columns: [...columns.map(({ label }) => label), 'CPU s'],
    rows: rows.map((row, i) => [
      ...columns.map(({ key }) => {
        const value = row[key as keyof EfficiencyRow]
        return value === null ? 'none' : value
      }),
      seconds[i] as number,
    ]),
    notes: [
      'efficiency in percent of steps; KL(uniform || categories) in nats, large values of the published smoothing are mostly the smoothing',
      'the released sampler runs all patiences of a length on one sequence of proposals; the last row of a length has the time of all',
    ],
  }
}

export const run = async (): Promise<BenchTable> => table(1_000_000)

if (import.meta.main) {
  const { columns, rows, notes } = table(Number(process.argv[2] ?? 1_000_000))
  const shown = (value: string | number) =>
    typeof value === 'string' || Number.isInteger(value) ? value : value.toFixed(3)
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(shown))]
  process.stdout.write(`${lines.map((line) => `| ${line.join(' | ')} |\n`).join('')}${notes.join('\n')}\n`)
}
