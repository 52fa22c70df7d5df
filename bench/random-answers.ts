import { below, type Item, type Json, namedStream, type Task } from '../src/core/index.ts'
import { type AuditItem, auditItems } from '../src/datasets/index.ts'
import { wilson } from '../src/libraries/statistics/index.ts'
import { kinship } from '../src/tasks/clutrr/kinship/task.ts'
import { comparison } from '../src/tasks/recoglab/comparison/task.ts'
import { families } from '../src/tasks/recoglab/families/task.ts'
import { social } from '../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../src/tasks/recoglab/syllogism/task.ts'
import { recognize } from '../src/tasks/relic/recognize/task.ts'
import type { BenchTable } from './table.ts'

const presets: readonly (readonly [task: Task, preset: string])[] = [
  [comparison, 'people'],
  [comparison, 'feasibility'],
  [syllogism, 'judge'],
  [syllogism, 'chain'],
  [families, 'hobby'],
  [kinship, 'hops-4'],
  [kinship, 'along-8'],
  [social, 'oldest-16'],
  [recognize, 'relic-500'],
  [recognize, 'relic-twins'],
]
const items = [800, 1500]
/** Sets of each preset. */
const scales: { readonly [size: string]: number } = { quick: 1, large: 20 }

/** Probes that call a set bad whose texts are those of a task, and whose answers are random choices. */
async function failed(task: Task, preset: string, set: number): Promise<readonly string[]> {
  const source = task.source(task.preset(preset).config, { split: 'test', seed: `random ${set}` })
  const stream = namedStream('random answers', preset, String(set))
  const style = task.styles[set % task.styles.length] as string
  const count = items[set % items.length] as number
  const made: AuditItem[] = []
  for (let index = 0; made.length < count && index < (source.layout.size ?? Number.POSITIVE_INFINITY); index++) {
    const item: Item | { readonly kind: 'hole' } = source.item(index)
    if (item.kind === 'item')
      made.push({ ...item, answer: randomAnswer(task, item), request: source.request(item, style) })
  }
  const random: Task = {
    ...task,
    audits: [],
    grade: ({ answer }, given) => ({ value: JSON.stringify(answer) === JSON.stringify(given) ? 1 : 0 }),
  }
  const { tests } = await auditItems(
    random,
    (async function* () {
      yield made
    })(),
    { root: `random ${set}`, groups: 0, style, declaredShortcuts: [], layout: source.layout },
  )
  return tests.filter(({ status }) => status === 'fail').map(({ probe }) => probe)

  function randomAnswer(of: Task, item: Item): Json {
    const choices = of.choices?.(item) ?? []
    const found = of.parsers?.strict(choices[below(stream, choices.length)] as string, item)
    if (found?.kind !== 'extracted') throw new Error(`${of.name} cannot read a choice of ${item.id}`)
    return found.answer
  }
}

/** False alarms of the whole audit on the texts of ten presets: nothing can tell random answers. */
export async function run(): Promise<BenchTable> {
  const each = scales[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 5
  const rows: (string | number)[][] = []
  const alarms: string[] = []
  for (const [task, preset] of presets)
    for (let set = 0; set < each; set++) {
      const probes = await failed(task, preset, set)
      if (probes.length > 0) alarms.push(`${preset} ${set}: ${probes.join(', ')}`)
    }
  const count = presets.length * each
  const interval = wilson(alarms.length, count)
  rows.push([
    count,
    alarms.length,
    interval === null ? '' : `${interval.low.toFixed(4)} to ${interval.high.toFixed(4)}`,
  ])
  return {
    title: 'Audit on real texts with random answers: false alarms at 0.01 per set',
    columns: ['sets', 'flagged', '95 % interval'],
    rows,
    notes: [`presets ${presets.map(([, preset]) => preset).join(', ')}, their prompt styles in turn`, ...alarms],
  }
}
