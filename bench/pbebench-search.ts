/**
 * Share of fresh instances solved within a CPU-time budget on one thread, for the cascade search and the greedy
 * baseline. Usage: node bench/pbebench-search.ts [instances=20] [seconds=5] [set...]
 */
import { Sfc32 } from '../src/core/index.ts'
import { propose } from '../src/tasks/pbebench/sampling/published.ts'
import type { LeftSides, Setting } from '../src/tasks/pbebench/sampling/setting.ts'
import { ALL_LETTERS, LITE_LETTERS } from '../src/tasks/pbebench/sampling/settings.ts'
import { greedySearch } from '../src/tasks/pbebench/search/greedy.ts'
import { solves } from '../src/tasks/pbebench/search/problem.ts'
import { cascadeSearch } from '../src/tasks/pbebench/search/search.ts'

interface Trial {
  readonly set: string
  readonly letters: string
  readonly leftSides: LeftSides
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

const [instances = 20, seconds = 5] = process.argv.slice(2, 4).map(Number)
const sets = process.argv.slice(4)
const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function run(trial: Trial): { readonly times: readonly number[]; readonly rules: readonly number[] } {
  const setting: Setting = {
    words: 50,
    wordLength: [2, 6],
    letters: [...trial.letters],
    side: [1, 3],
    emptyRight: false,
    leftSides: trial.leftSides,
    changed: { min: 1, max: null },
    classifier: 'paper',
  }
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

const marks = [0.1, 1, 5, 10].filter((mark) => mark <= seconds)
console.log(`| set | solver | L | limit | ${marks.map((mark) => `${mark} s`).join(' | ')} | mean rules |`)
for (const trial of trials) {
  if (sets.length > 0 && !sets.includes(trial.set)) continue
  const { times, rules } = run(trial)
  const share = (mark: number) => `${Math.round((100 * times.filter((time) => time <= mark).length) / instances)} %`
  const mean = rules.length === 0 ? '-' : (rules.reduce((sum, n) => sum + n, 0) / rules.length).toFixed(1)
  console.log(
    `| ${trial.set} | ${trial.solver} | ${trial.length} | ${trial.limit} | ${marks.map(share).join(' | ')} | ${mean} |`,
  )
}
