import {
  type AnalysisResult,
  type Column,
  type ComputeBudget,
  column,
  type Estimate,
  type Item,
  type Table,
  type Task,
} from '../../core/index.ts'
import { cascadeCategory, categoryCode, type Rule, traceCascade } from '../../libraries/rewriting/index.ts'
import { clusteredMeanEstimate } from '../../libraries/statistics/index.ts'
import { induce } from './induce/task.ts'
import printed from './printed.json' with { type: 'json' }
import records from './records.json' with { type: 'json' }
import { reorder } from './reorder/task.ts'
import { type CascadeAnswer, type Examples, isRule } from './types.ts'

/** What a set of cascades is measured by. */
interface Sampled {
  readonly inputs: readonly string[]
  readonly rules: readonly Rule[]
}

type Value = number | Estimate | null
type Statistic = readonly [name: string, value: Value]

/** The sets of the paper and the presets that are to have their distributions. */
const SETS = [
  ['PBEBench-Lite', induce, 'pbebench-lite-published'],
  ['PBEBench-Lite-MoreEg', induce, 'pbebench-lite-moreeg-published'],
  ['PBEBench', induce, 'pbebench-published'],
  ['PBEBench (25, 30)', induce, 'pbebench-25-30-published'],
  ['PBEBench-Lite-Perm', reorder, 'pbebench-perm-published'],
] as const

const PAPER = 'pbebench/appendixc.2'

/**
 * Appendix C.2: what the presets draw, what the paper states about its sets, and what its records contain. A step is a
 * pair of words of a set.
 */
export function distributions({ steps }: ComputeBudget): AnalysisResult {
  const rows = SETS.flatMap(([set, task, preset]) => {
    const items = drawItems(task, preset, steps)
    const found = task === reorder ? orderStatistics(items) : cascadeStatistics(items.map(sampledOf))
    const paper = factsOf(
      printed.filter(({ id }) => id === PAPER).flatMap((table) => table.rows as readonly Fact[]),
      set,
    )
    const stored = factsOf(records as readonly Fact[], set)
    const names = new Set([...found.map(([name]) => name), ...paper.keys(), ...stored.keys()])
    const ours = new Map(found)
    return [...names].map((statistic) => ({
      set,
      statistic,
      preset: ours.get(statistic) ?? null,
      paper: paper.get(statistic)?.value ?? null,
      place: paper.get(statistic)?.where ?? null,
      records: stored.get(statistic)?.value ?? null,
      read: stored.get(statistic)?.where ?? null,
    }))
  })
  const table: Table = { id: PAPER, title: 'Presets, the paper and its records', columns: COLUMNS, rows }
  return { tables: [table] }
}

const COLUMNS: readonly Column[] = [
  column.text('set', 'Set'),
  column.text('statistic', 'Statistic'),
  column.estimate('preset', 'Preset', null),
  column.number('paper', 'Paper'),
  column.text('place', 'Printed in'),
  column.number('records', 'Records'),
  column.text('read', 'Records read'),
]

/** A number of a set of the paper, and where it is from. */
interface Fact {
  readonly set: string
  readonly statistic: string
  readonly value: number
  readonly where: string
}

const factsOf = (facts: readonly Fact[], set: string): ReadonlyMap<string, Fact> =>
  new Map(facts.filter((fact) => fact.set === set).map((fact) => [fact.statistic, fact]))

function drawItems(
  task: Pick<Task, 'configure' | 'presets' | 'source'>,
  preset: string,
  most: number | null,
): readonly Item[] {
  const source = task.source(task.configure(task.presets[preset]?.config ?? {}), { split: 'test', seed: 1 })
  const items: Item[] = []
  const size = source.layout.size ?? Number.POSITIVE_INFINITY
  let left = most ?? Number.POSITIVE_INFINITY
  for (let index = 0; index < size && (left > 0 || items.length === 0); index++) {
    const one = source.item(index)
    if (one.kind !== 'item') continue
    items.push(one)
    left -= (one.given as unknown as Examples).inputs.length
  }
  return items
}

const sampledOf = ({ given, answer }: Item): Sampled => ({
  inputs: (given as unknown as Examples).inputs,
  rules: (answer as unknown as CascadeAnswer).filter(isRule),
})

/** Sizes, lengths and categories of a set of cascades, and its spread; that of the longest by itself where records are of these only. */
function cascadeStatistics(cascades: readonly Sampled[]): readonly Statistic[] {
  const lengths = counts(cascades.map(({ rules }) => rules.length))
  const categories = counts(cascades.map(({ rules }) => categoryCode(cascadeCategory(rules, 'paper'))))
  return [
    ['items', cascades.length],
    ['pairs of words an item', cascades[0]?.inputs.length ?? 0],
    ['rules, fewest', Math.min(...lengths.keys())],
    ['rules, most', Math.max(...lengths.keys())],
    ['items a length, fewest', Math.min(...lengths.values())],
    ['items a length, most', Math.max(...lengths.values())],
    ['items a category, fewest', Math.min(...categories.values())],
    ['items a category, most', Math.max(...categories.values())],
    ['categories', categories.size],
    ...spreadOf(cascades),
    ...(lengths.has(STORED_LENGTH)
      ? spreadOf(cascades.filter(({ rules }) => rules.length === STORED_LENGTH)).map(
          ([name, value]): Statistic => [`${name}, ${STORED_LENGTH} rules`, value],
        )
      : []),
  ]
}

/** The only length of which there are records of the hard set. */
const STORED_LENGTH = 20

/** Letters of the rules of cascades, words that a rule changes, and where left sides come from. */
export function spreadOf(cascades: readonly Sampled[]): readonly Statistic[] {
  const each = cascades.flatMap(({ inputs, rules }, item) => {
    const states = traceCascade(inputs, rules)
    return rules.map(([left], k) => ({
      item,
      changed: (states[k + 1] ?? []).filter((word, i) => word !== states[k]?.[i]).length,
      short: left.length === 1 ? 1 : 0,
      initial: inputs.some((word) => word.includes(left)) ? 1 : 0,
    }))
  })
  const over = (of: (rule: (typeof each)[number]) => number): Value =>
    clusteredMeanEstimate(
      Float64Array.from(each, of),
      each.map(({ item }) => item),
    )
  const complexity = Float64Array.from(cascades, ({ rules }) => rules.flat().join('').length)
  return [
    ['complexity, mean', clusteredMeanEstimate(complexity, Array.from(complexity.keys()))],
    ['words that a rule changes, mean', over(({ changed }) => changed)],
    ['left sides of one letter, share', over(({ short }) => short)],
    ['left sides that stand in an input, share', over(({ initial }) => initial)],
  ]
}

function counts<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const found = new Map<T, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return found
}

/** For reordering: number of items, of those with one valid order, and of these the ones with two rules. */
function orderStatistics(items: readonly Item[]): readonly Statistic[] {
  const unique = items.filter(({ features }) => features['unique'] === true)
  const two = unique.filter(({ features }) => features['length'] === 2)
  return [
    ['items', items.length],
    ['items with one right order', unique.length],
    ['items with one right order and two rules', two.length],
    ['items with one right order, share', unique.length / items.length],
    ...[2, 3, 4, 5].map(
      (length): Statistic => [
        `items of ${length} rules, share`,
        items.filter(({ features }) => features['length'] === length).length / items.length,
      ],
    ),
  ]
}
