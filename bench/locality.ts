import type { Item, Source, Task } from '../src/core/index.ts'
import { localityProfile } from '../src/datasets/audit/locality/profile.ts'
import { type LocalItem, localItemsOf } from '../src/datasets/audit/locality/rows.ts'
import { type AuditItem, prepare } from '../src/datasets/audit/prepare.ts'
import { wilson } from '../src/libraries/statistics/index.ts'
import { kinship } from '../src/tasks/clutrr/kinship/task.ts'
import { comparison } from '../src/tasks/recoglab/comparison/task.ts'
import { social } from '../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../src/tasks/recoglab/syllogism/task.ts'
import type { BenchTable } from './table.ts'

const sizes: { readonly [size: string]: number } = { quick: 1000, large: 12_000 }

/** Presets whose answers are among choices, without those that differ in names, words, format or order of the statements alone. */
const sets: readonly (readonly [task: Task, presets: readonly string[]])[] = [
  [
    comparison,
    [
      'capacity-5',
      'capacity-10',
      'people',
      'symbolic-distance',
      'capacity-50',
      'tree',
      'feasibility',
      'feasibility-pairs',
      'consistency',
      'consistency-pairs',
      'feasibility-published',
      'consistency-published',
    ],
  ],
  [
    social,
    [
      'oldest-16',
      'youngest-16',
      'oldest-24',
      'youngest-24',
      'hops-chain-10',
      'hops-chain-20',
      'hops-tree-10-plain',
      'hops-tree-20-plain',
      'hops-tree-30-plain',
      'one-way-20',
      'grid-25',
      'communities-15',
      'oldest-10-published',
      'youngest-10-published',
    ],
  ],
  [kinship, ['along', 'along-8', 'hops-4', 'distractors', 'hops-6', 'hops-8']],
  [
    syllogism,
    [
      'judge',
      'judge-pairs',
      'chain',
      'chain-pairs',
      'import-4',
      'belief-5',
      'capacity-5',
      'capacity-8',
      'chain-published',
    ],
  ],
]
const LEVELS = 7

async function* asked({ layout, item, ...source }: Source, style: string, count: number) {
  const end = Math.min(count, layout.size ?? count)
  for (let index = 0; index < end; index++) {
    const found: Item | { readonly kind: string } = item(index)
    if ('answer' in found) yield [{ ...found, request: source.request(found, style) }] satisfies AuditItem[]
  }
}

interface Read {
  readonly radius: number
  readonly level: number
  readonly n: number
  readonly accuracy: number
  readonly chance: number
}

/** Accuracy of the best of five learners by the radius of the proof and the level of reading. */
function readsOf(items: readonly LocalItem[]): readonly Read[] {
  return (localityProfile(items).tables[0]?.rows ?? []).map((row) => {
    const { value, n } = row['accuracy'] as { readonly value: number; readonly n: number }
    const radius = row['radius'] === 'everything' ? Number.POSITIVE_INFINITY : Number(row['radius'])
    return { radius, level: Number(String(row['level']).slice(6)), n, accuracy: value, chance: Number(row['chance']) }
  })
}

/** What a reader of `level` statements makes of all items whose proof needs more. */
export interface Beyond {
  readonly level: number
  readonly n: number
  /** Who knows that the proof is longer than what was read guesses the commonest of the answers that are left. */
  readonly chance: number
  readonly accuracy: number
  readonly low: number
  readonly high: number
}

function beyondOf(items: readonly LocalItem[], reads: readonly Read[]): Beyond[] {
  const groups = Map.groupBy(
    reads.filter((read) => read.level < read.radius),
    ({ level }) => level,
  )
  return [...groups].map(([level, own]): Beyond => {
    const n = own.reduce((sum, read) => sum + read.n, 0)
    const mean = (of: (read: Read) => number) => own.reduce((sum, read) => sum + read.n * of(read), 0) / n
    const left = items.filter(({ radius }) => radius > level)
    const counts = Map.groupBy(left, ({ choices }) => choices.accepted.indexOf(true))
    const commonest = Math.max(...[...counts.values()].map((list) => list.length)) / left.length
    const accuracy = mean((read) => read.accuracy)
    const { low, high } = wilson(accuracy * n, n) ?? { low: 0, high: 1 }
    return {
      level,
      n,
      chance: Math.max(
        commonest,
        mean(({ chance }) => chance),
      ),
      accuracy,
      low,
      high,
    }
  })
}

/** The law of depth for one preset: accuracy by what is read and by what the proof needs. */
export async function depthOf(task: Task, preset: string, count: number) {
  const source = task.source(task.preset(preset).config, { split: 'test', seed: 'depth' })
  const { subjects, choices } = await prepare(task, source.layout, asked(source, task.styles[0], count))
  const items = localItemsOf(subjects, choices)
  const reads = readsOf(items)
  return { reads, beyond: beyondOf(items, reads) }
}

/**
 * The law of depth: everything within so many statements of what is asked tells nothing of items whose proof needs more. Two
 * tables: items whose proof lies beyond what is read, all together; and all items, by the statements that the proof needs.
 */
export async function run(): Promise<readonly BenchTable[]> {
  const count = sizes[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 3000
  const law: (string | number)[][] = []
  const depth: (string | number)[][] = []
  for (const [task, presets] of sets)
    for (const preset of presets) {
      const { reads, beyond } = await depthOf(task, preset, count)
      const name = `${task.name.split('/')[1]} ${preset}`
      for (const { level, n, chance, accuracy, low, high } of beyond) {
        const shares = [chance, accuracy, low, high].map((share) => share.toFixed(3))
        law.push([name, level, n, ...shares, low > chance ? 'above' : ''])
      }
      for (const [radius, own] of Map.groupBy(reads, (read) => read.radius)) {
        const cells = Array.from({ length: LEVELS }, (_, level) => {
          const read = own.find((one) => one.level === level)
          return read === undefined ? '' : read.accuracy.toFixed(3)
        })
        const proof = Number.isFinite(radius) ? radius : 'everything'
        depth.push([name, proof, own[0]?.n ?? 0, (own[0]?.chance ?? 0).toFixed(3), ...cells])
      }
    }
  const notes = [
    `Test split, seed depth, ${count} items a preset. Level r is everything within r statements of what is asked; level 0 counts over the whole item.`,
    'The best of five learners is chosen on the same items, which adds about one standard error.',
  ]
  return [
    {
      title: 'Accuracy of readers of r statements where the proof needs more than r',
      columns: ['preset', 'reads', 'items', 'chance', 'accuracy', 'low', 'high', '95 %'],
      rows: law,
      notes: [...notes, 'Chance is the share of the commonest answer among items whose proof needs more than r.'],
    },
    {
      title: 'Accuracy of readers of a few statements, by the statements that the proof needs from each side',
      columns: ['preset', 'proof', 'items', 'chance', ...Array.from({ length: LEVELS }, (_, r) => `reads ${r}`)],
      rows: depth,
      notes,
    },
  ]
}
