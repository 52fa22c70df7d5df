/**
 * Efficiency and balance of the released and the conditional sampler in the hard setting, 64 instances a length
 * (Figures 13 to 17 of the PBEBench paper), at two of its patiences.
 */
import { Sfc32 } from '../src/core/index.ts'
import { drawConditional } from '../src/tasks/pbebench/sampling/conditional.ts'
import { type EfficiencyRow, efficiencyOf, efficiencyReport } from '../src/tasks/pbebench/sampling/efficiency.ts'
import { runPublished } from '../src/tasks/pbebench/sampling/published.ts'
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
}
const patiences = [1000, 10_000] as const
const lengths = [5, 10, 15, 20, 25] as const
const categories = Array.from({ length: 16 }, (_, k) => k)

function released(length: number, patience: number): EfficiencyRow {
  const rules = { size: 64, lengths: [length], categories, patience, maxSteps: patience + 10_000 }
  const run = runPublished(new Sfc32(length, 1, 1, 1), setting, rules)
  const { steps, accepted } = run
  return { sampler: 'released', length, patience, steps, accepted: accepted.length, ...efficiencyOf(run) }
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

/** One row a length, sampler and patience, with the columns of the family's own table and the CPU seconds it took. */
export function run(): Promise<BenchTable> {
  const rows: EfficiencyRow[] = []
  const seconds: number[] = []
  const timed = (make: () => EfficiencyRow): void => {
    const begun = process.cpuUsage()
    rows.push(make())
    seconds.push(process.cpuUsage(begun).user / 1e6)
  }
  for (const length of lengths) {
    for (const patience of patiences) timed(() => released(length, patience))
    timed(() => conditional(length))
  }
  const [table] = efficiencyReport(rows).tables
  const columns = table?.columns ?? []
  return Promise.resolve({
    title: table?.title ?? '',
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
      'the paper runs patience 100,000 to 1,000,000; the released sampler stops after so many steps without an instance',
    ],
  })
}
