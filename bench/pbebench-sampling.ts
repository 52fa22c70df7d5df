/**
 * Efficiency and balance of the released and the conditional sampler in the hard setting, 64 instances a length, on the
 * grid of Figures 13 to 17 of the PBEBench paper. Alone: node bench/pbebench-sampling.ts [largest patience]
 */
import process from 'node:process'
import {
  conditionalRow,
  type EfficiencyRow,
  efficiencyCells,
  releasedRows,
} from '../src/tasks/pbebench/sampling/efficiency.ts'
import type { BenchTable } from './table.ts'

const lengths = [5, 10, 15, 20, 25] as const

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
    timed(() => releasedRows(length, most))
    timed(() => [conditionalRow(length)])
  }
  return {
    title: 'Efficiency of sampling against patience',
    columns: [...efficiencyCells.map(([{ label }]) => label), 'CPU s'],
    rows: rows.map((row, i) => [
      ...efficiencyCells.map(([, of]) => (of(row) ?? 'none') as string | number),
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
