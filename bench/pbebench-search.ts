/**
 * Share of fresh instances solved within a budget of CPU time, for the cascade search and the greedy baseline. The time of
 * the thread that searches counts; what the runtime compiles and collects beside it does not, as on an idle machine.
 * Alone: node bench/pbebench-search.ts [instances=60] [seconds=5] [set...]
 */
import process from 'node:process'
import { Sfc32 } from '../src/core/index.ts'
import { propose } from '../src/tasks/pbebench/sampling/published.ts'
import { ALL_LETTERS, LITE_LETTERS, liteSetting, type Setting } from '../src/tasks/pbebench/sampling/settings.ts'
import { greedySearch } from '../src/tasks/pbebench/search/greedy.ts'
import { solves } from '../src/tasks/pbebench/search/problem.ts'
import { cascadeSearch } from '../src/tasks/pbebench/search/search.ts'
import type { BenchTable } from './table.ts'

interface Trial {
  readonly set: string
  readonly letters: string
  readonly leftSides: Setting['leftSides']
  readonly length: number
  readonly limit: number
  readonly solver: 'search' | 'greedy'
}

const trials: readonly Trial[] = [
  ...[20, 25, 30].map((length) => hard('hard', length, Math.max(20, length), 'search')),
  hard('limit-L', 20, 20, 'search'),
  dense('dense-17', LITE_LETTERS, 20, 20),
  dense('dense-8', 'abcdefgh', 10, 10),
  ...[5, 10, 15].map((length) => hard('hard', length, 20, 'search')),
  ...[5, 10, 15, 20, 25, 30].map((length) => hard('cliff', length, Math.max(20, length), 'greedy')),
  ...[20, 25, 30].map((length) => hard('cliff-slack', length, length + 10, 'greedy')),
  ...[10, 15].map((length) => hard('cliff-none', length, length, 'greedy')),
]

function hard(set: string, length: number, limit: number, solver: 'search' | 'greedy'): Trial {
  return { set, letters: ALL_LETTERS, leftSides: 'initial', length, limit, solver }
}

function dense(set: string, letters: string, length: number, limit: number): Trial {
  return { set, letters, leftSides: 'intermediate', length, limit, solver: 'search' }
}

const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

function measure(
  trial: Trial,
  instances: number,
  seconds: number,
): { readonly times: readonly number[]; readonly rules: readonly number[] } {
  const setting: Setting = { ...liteSetting, words: 50, letters: [...trial.letters], leftSides: trial.leftSides }
  const [times, rules]: [number[], number[]] = [[], []]
  for (let k = 0; k < instances; k++) {
    const stream = new Sfc32(20260, trial.length, k, 17)
    let instance = null
    while (instance === null) instance = propose(stream, setting, trial.length)
    const { inputs, outputs } = instance
    const problem = { inputs, outputs, rules: trial.limit, side: 3, letters: trial.letters }
    const begun = cpu()
    const budget = { steps: 1e12, stop: () => cpu() - begun > seconds }
    const found =
      trial.solver === 'search'
        ? (cascadeSearch(problem, new Sfc32(k, 1, 2, 3), budget).rules ?? [])
        : greedySearch(problem, new Sfc32(k, 1, 2, 3), budget)
    if (found.length > trial.limit || !solves({ inputs, outputs }, found)) continue
    times.push(cpu() - begun)
    rules.push(found.length)
  }
  return { times, rules }
}

const percent = (times: readonly number[], mark: number, instances: number): string =>
  `${Math.round((100 * times.filter((time) => time <= mark).length) / instances)} %`

/** The curves; `instances` per row and `seconds` of CPU time an instance. */
export function curves(
  instances: number,
  seconds: number,
  sets: readonly string[],
  each: (row: readonly (string | number)[]) => void,
): BenchTable {
  const marks = [0.1, 1, 5, 10].filter((mark) => mark <= seconds)
  const rows = trials
    .filter(({ set }) => sets.length === 0 || sets.includes(set))
    .map((trial) => {
      const { times, rules } = measure(trial, instances, seconds)
      const mean = rules.length === 0 ? '-' : (rules.reduce((sum, n) => sum + n, 0) / rules.length).toFixed(1)
      const row = [
        trial.set,
        trial.solver,
        trial.length,
        trial.limit,
        ...marks.map((mark) => percent(times, mark, instances)),
        mean,
      ]
      each(row)
      return row
    })
  return {
    title: `Cascades solved within a CPU-time budget, ${instances} fresh instances per row`,
    columns: ['set', 'solver', 'rules', 'limit', ...marks.map((mark) => `${mark} s`), 'mean rules'],
    rows,
    notes: [
      'hard: 52 letters, 50 pairs, left sides from the inputs. Targets: 97 % at 20 and 85 % at 30 rules in 1 s; 99 % and 98 % in 10 s.',
      'dense-17 and dense-8: 17 and 8 letters, left sides from the words so far. Targets in 5 s: 90 % and 60 %.',
      'cliff: a forward greedy with the published limit max(20, L); cliff-slack: with ten spare rules; cliff-none: with none.',
    ],
  }
}

/** Sizes by TOUCHSTONE_BENCH: quick, the search alone, or large with the greedy too, which takes most of an hour. */
export const run = async (): Promise<BenchTable> => {
  const size = process.env['TOUCHSTONE_BENCH']
  if (size === 'quick') return curves(8, 2, [], () => {})
  if (size === 'large') return curves(60, 10, [], () => {})
  return curves(40, 5, ['hard', 'limit-L', 'dense-17', 'dense-8'], () => {})
}

if (import.meta.main) {
  const [instances = 60, seconds = 5] = process.argv.slice(2, 4).map(Number)
  curves(instances, seconds, process.argv.slice(4), (row) => process.stdout.write(`| ${row.join(' | ')} |\n`))
}
