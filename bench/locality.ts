import type { Item, Source, Task } from '../src/core/index.ts'
import { localityProfile } from '../src/datasets/audit/locality/profile.ts'
import { localItemsOf } from '../src/datasets/audit/locality/rows.ts'
import { type AuditItem, prepare } from '../src/datasets/audit/prepare.ts'
import { kinship } from '../src/tasks/clutrr/kinship/task.ts'
import { comparison } from '../src/tasks/recoglab/comparison/task.ts'
import { social } from '../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../src/tasks/recoglab/syllogism/task.ts'
import type { BenchTable } from './table.ts'

const sizes: { readonly [size: string]: number } = { quick: 600, large: 12_000 }
const sets: readonly (readonly [task: Task, presets: readonly string[]])[] = [
  [comparison, ['people', 'symbolic-distance', 'tree', 'feasibility', 'consistency']],
  [
    social,
    ['oldest-16', 'youngest-16', 'oldest-24', 'youngest-24', 'hops-chain-10', 'hops-chain-20', 'hops-tree-20-plain'],
  ],
  [kinship, ['along', 'hops-4', 'hops-6', 'hops-8']],
  [syllogism, ['judge', 'chain']],
]
const LEVELS = 7

async function* asked({ layout, item, ...source }: Source, style: string, count: number) {
  const end = Math.min(count, layout.size ?? count)
  for (let index = 0; index < end; index++) {
    const found: Item | { readonly kind: string } = item(index)
    if ('answer' in found) yield [{ ...found, request: source.request(found, style) }] satisfies AuditItem[]
  }
}

/**
 * The law of depth: the accuracy of the best of five learners that read everything within so many statements of what is
 * asked, by the statements that the proof needs. Below these it is to be chance, by nature but for kinship.
 */
export async function run(): Promise<BenchTable> {
  const count = sizes[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 3000
  const rows: (string | number)[][] = []
  for (const [task, presets] of sets)
    for (const preset of presets) {
      const source = task.source(task.preset(preset).config, { split: 'test', seed: 'depth' })
      const { subjects, choices } = await prepare(task, source.layout, asked(source, task.styles[0], count))
      const found = localityProfile(localItemsOf(subjects, choices)).tables[0]?.rows ?? []
      for (const [radius, own] of Map.groupBy(found, (row) => String(row['radius']))) {
        const cells = Array.from({ length: LEVELS }, (_, level) => {
          const row = own.find((one) => one['level'] === `level ${level}`)
          const accuracy = row?.['accuracy'] as { readonly value: number; readonly n: number } | undefined
          return accuracy === undefined ? '' : accuracy.value.toFixed(3)
        })
        const n = (own[0]?.['accuracy'] as { readonly n: number } | undefined)?.n ?? 0
        rows.push([`${task.name} ${preset}`, radius, n, Number(own[0]?.['chance'] ?? 0).toFixed(3), ...cells])
      }
    }
  return {
    title: 'Accuracy of readers of a few statements, by the statements that the proof needs from each side',
    columns: ['preset', 'proof', 'items', 'chance', ...Array.from({ length: LEVELS }, (_, r) => `reads ${r}`)],
    rows,
    notes: [
      'Test split, seed depth. Level r is everything within r statements of what is asked; level 0 counts over the whole item.',
      'The best of five learners is chosen on the same items, which adds about one standard error.',
    ],
  }
}
