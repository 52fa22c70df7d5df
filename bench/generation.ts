import { makeChunk } from '../src/datasets/index.ts'
import { families } from '../src/tasks/index.ts'
import type { BenchTable } from './table.ts'

/** Items measured of each preset, after as many of another seed; the plan is timed apart. */
const count = 600

/** How fast every preset of every task makes its items, in CPU seconds of one thread. */
export async function run(): Promise<BenchTable> {
  const rows: (string | number)[][] = []
  for (const task of families.flatMap((family) => family.tasks))
    for (const preset of Object.keys(task.presets)) {
      const { config } = task.preset(preset)
      const began = process.cpuUsage()
      const source = task.source(config, { split: 'test', seed: 'bench' })
      const planned = seconds(began)
      const size = source.layout.size
      const first = process.cpuUsage()
      for (let index = 0; index < Math.min(10, size ?? 10); index++) source.item(index)
      const firstTen = seconds(first)
      const far = process.cpuUsage()
      source.item(size === null ? 1_000_000 : size - 1)
      const farOff = seconds(far)
      const what = { first: 0, count: Math.min(count, size ?? count), witnesses: true, prompts: null }
      makeChunk(task, task.source(config, { split: 'test', seed: 'warm' }), what)
      const made = process.cpuUsage()
      const chunk = makeChunk(task, source, what)
      const each = seconds(made)
      rows.push([
        task.name,
        preset,
        size === null ? 'endless' : size,
        planned,
        firstTen,
        farOff,
        chunk.items.length / each,
      ])
    }
  return {
    title: 'Generation, one thread, witnesses included',
    columns: ['task', 'preset', 'indices', 'plan s', 'first ten s', 'far item s', 'items/s'],
    rows,
    notes: [
      'far item: number 1,000,000 of an endless preset, the last of any other; it pays for its own group',
      `items/s over the first ${count} indices, after as many of another seed`,
    ],
  }
}

const seconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}
