import {
  type Detail,
  type Item,
  namedStream,
  pick,
  solutionDetails,
  solutionText,
  summarizeTrace,
  type Task,
} from '../src/core/index.ts'
import { families } from '../src/tasks/index.ts'
import { faultsOf, PRESETS } from '../test/unit/solutions/faults.ts'
import type { BenchTable } from './table.ts'

/** Solutions of a task, by TOUCHSTONE_BENCH; TOUCHSTONE_SOLUTIONS is a number of one's own. Large takes some twenty minutes. */
const sizes: { readonly [name: string]: number } = { quick: 240, large: 100_000 }
const wanted = Number(process.env['TOUCHSTONE_SOLUTIONS'] ?? sizes[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 2400)

interface Count {
  solutions: number
  /** A step that does not hold, steps that do not give the answer, or an answer that reads as wrong. */
  failures: number
  faults: number
  /** Damaged, and every step still holds. */
  passed: number
  /** Found out, but not at the damaged step. */
  elsewhere: number
}

/** Worked solutions of every task in every detail, as they are made and with one step made false. */
export function run(): Promise<BenchTable> {
  const notes: string[] = []
  const tell = (what: string): void => {
    if (notes.length < 20) notes.push(what)
  }
  const tasks = families.flatMap((family) => family.tasks).filter(({ name }) => PRESETS[name] !== undefined)
  const rows = tasks.map((task) => {
    const count: Count = { solutions: 0, failures: 0, faults: 0, passed: 0, elsewhere: 0 }
    const begun = process.cpuUsage()
    const presets = PRESETS[task.name] ?? []
    const each = Math.ceil(wanted / presets.length / solutionDetails.length)
    for (const preset of presets)
      for (const item of itemsOf(task, preset, each))
        for (const detail of solutionDetails) judge(task, item, detail, count, tell)
    const { user, system } = process.cpuUsage(begun)
    process.stderr.write(`${task.name} ${JSON.stringify(count)} ${Math.round((user + system) / 1e6)} s\n`)
    const { solutions, failures, faults, passed, elsewhere } = count
    return [task.name, solutions, failures, faults, passed, elsewhere, solutions / ((user + system) / 1e6)]
  })
  return Promise.resolve({
    title: 'Worked solutions, intact and with one false step',
    columns: ['task', 'solutions', 'that fail', 'damaged', 'that pass', 'found elsewhere', 'solutions/CPU s'],
    rows,
    notes: [
      'a third of each in every detail; fails: a step that is not true, steps that do not give the answer, an answer that is not read as right; goal 0',
      'damaged: a random step with a random fault of its kind (test/unit/solutions/faults.ts), false whatever the problem; goal: none passes, none is found at another step',
      ...notes,
    ],
  })
}

/** Items of a preset, of one seed after the other where it is finite. */
function* itemsOf(task: Task, preset: string, count: number): Generator<Item> {
  let made = 0
  for (let seed = 0; made < count; seed++) {
    const source = task.source(task.preset(preset).config, { split: 'train', seed: `bench/solutions/${seed}` })
    for (let index = 0; made < count && index < (source.layout.size ?? count); index++) {
      const item = source.item(index)
      if (item.kind !== 'item') continue
      made++
      yield item
    }
  }
}

function judge(task: Task, item: Item, detail: Detail, count: Count, tell: (what: string) => void): void {
  const answer = (task.gold?.(item) ?? '').replace(/^Answer: /u, '')
  const read = (text: string) => {
    const stated = task.checkSteps?.(item, text) ?? { steps: [], unknown: [] }
    return { stated, trace: summarizeTrace(stated, answer) }
  }
  const text = solutionText(task.solution?.(item) ?? [], detail)
  const { stated, trace } = read(text)
  const found = task.parsers?.strict(text, item)
  const right = found?.kind === 'extracted' && task.oracle(item, found.answer)
  count.solutions++
  if (
    trace.steps === 0 ||
    trace.firstFalse !== null ||
    trace.unknown.length > 0 ||
    trace.supportsAnswer !== true ||
    !right
  ) {
    count.failures++
    tell(`fails: ${item.id} ${detail}`)
    return
  }
  const draws = namedStream('bench/solutions', item.id, detail)
  const [start, end] = pick(draws, stated.steps).span
  const faults = faultsOf(task, item, text.slice(start, end))
  if (faults.length === 0) return
  const [kind, damaged] = pick(draws, faults)
  const { firstFalse } = read(text.slice(0, start) + damaged + text.slice(end)).trace
  count.faults++
  if (firstFalse === null) {
    count.passed++
    tell(`passes: ${item.id} ${detail}, ${kind}: ${damaged.slice(0, 200).replaceAll('|', '¦')}`)
  } else if (firstFalse[0] < start - ARTICLE || firstFalse[0] >= start + damaged.length) {
    count.elsewhere++
    tell(`found elsewhere: ${item.id} ${detail}, ${kind}: ${damaged.slice(0, 200).replaceAll('|', '¦')}`)
  }
}

/** The span of a comparison begins with the name, its article apart. */
const ARTICLE = 4
