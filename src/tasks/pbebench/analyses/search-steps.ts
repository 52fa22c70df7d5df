import { type Analysis, type Column, column, type Frame, type Table } from '../../../core/index.ts'
import { median, scores, spearman } from '../../../libraries/statistics/index.ts'
import { type Arm, type Part, partsOf } from './arms.ts'
import { byItem, estimate, mean, number, numbers, overItems, PAPER, passed, share, text } from './common.ts'

/** What a run knows of how hard one item is. */
interface Known {
  /** The cells that name its config, where there are several. */
  readonly key: Part['key']
  readonly item: string
  readonly length: number
  readonly category: string
  readonly limit: number
  /** The shortest cascade that any answer of the run gave, or the planted one. */
  readonly shortest: number
  /** Least steps of a search that met the limit; null: none did. */
  readonly steps: number | null
  readonly budget: number
  /** Share of the other answers that are right; null where there are none. */
  readonly solved: number | null
  /** 1..4, by the steps among the items of its config. */
  readonly quarter: number
}

const QUARTERS = 4

/**
 * How hard items are, as a search of the same run finds them: a fact of the run joined by item, never a feature. Needs
 * a baseline that counts its steps, e.g. `cascade-search-shortest`.
 */
export const searchDifficulty: Analysis = {
  id: 'pbebench/difficulty',
  title: 'How hard items are for a search, and who solves them',
  source: { paper: PAPER, item: 'not in the paper' },
  notes: [
    'Steps: evaluations of one rule in one state until the rule limit was met, the least over the search baselines of the run; the same on every machine. Items that no search solved come last, with the largest number of steps spent.',
    'Shortest: the fewest rules of any answer of the run that is right, or of the planted cascade; baseline:cascade-search-shortest looks for it. Solved: share right of the answers that are no search.',
    'All styles of a run ask the same items: what is known of an item comes from all of them.',
    'Quarters hold equally many items of a config in the order of their steps.',
  ],
  needs: ['value', 'steps', 'feature_length', 'feature_category', 'feature_limit', 'part_valid'],
  run(frame) {
    const sets = partsOf(frame, ['config'])
    const known = sets.parts.flatMap((part) => inQuarters(knownOf(frame, part)))
    // Without a search there is nothing to join.
    if (known.every(({ budget }) => budget === 0)) return { tables: [] }
    const { arms, columns, facet } = partsOf(frame)
    const facts = new Map(known.map((fact) => [fact.item, fact]))
    const named = arms.map((arm) => ({ arm, answered: answeredOf(frame, arm, facts) }))
    return {
      tables: [byItemTable(sets.columns, known), byQuarterTable(columns, named), rankTable(columns, named)],
      figures: [
        {
          id: 'pbebench/difficulty-by-steps',
          title: 'Pass rate against the steps of a search',
          table: 'pbebench/difficulty-by-steps',
          ...facet,
          x: { key: 'steps', label: 'Steps of the search, median of a quarter', scale: 'log' },
          y: { key: 'pass', label: 'Pass rate' },
          marks: [
            { kind: 'line', x: 'steps', y: 'pass', series: 'model' },
            { kind: 'interval', x: 'steps', y: 'pass', series: 'model' },
          ],
        },
      ],
    }
  },
}

type Unranked = Omit<Known, 'quarter'>

/** Steps to solve; what is unsolved took more than was spent. */
const effort = ({ steps, budget }: Unranked): number => steps ?? budget + 0.5

function inQuarters(known: readonly Unranked[]): readonly Known[] {
  const order = known.toSorted((a, b) => effort(a) - effort(b))
  const rank = new Map(order.map(({ item }, i) => [item, i]))
  return known.map((fact) => ({
    ...fact,
    quarter: 1 + Math.floor((QUARTERS * (rank.get(fact.item) as number)) / known.length),
  }))
}

function knownOf(frame: Frame, { key, rows: own }: Part): readonly Unranked[] {
  const value = scores(frame)
  const [steps, rules, length, limit] = [
    numbers(frame, 'steps'),
    frame.number('part_valid'),
    frame.number('feature_length'),
    frame.number('feature_limit'),
  ]
  const [items, category] = [frame.category('item'), frame.category('feature_category')]
  return byItem(frame, own).map((rows) => {
    const first = rows[0] as number
    const right = rows.filter((row) => (value[row] as number) >= 1)
    const searches = rows.filter((row) => !Number.isNaN(steps[row] as number))
    const met = searches.filter((row) => right.includes(row)).map((row) => steps[row] as number)
    const others = rows.filter((row) => Number.isNaN(steps[row] as number) && !Number.isNaN(value[row] as number))
    return {
      key,
      item: items.levels[items.codes[first] as number] as string,
      length: length[first] as number,
      category: category.levels[category.codes[first] as number] as string,
      limit: limit[first] as number,
      shortest: Math.min(length[first] as number, ...right.map((row) => rules[row] as number)),
      steps: met.length === 0 ? null : Math.min(...met),
      budget: Math.max(0, ...searches.map((row) => steps[row] as number)),
      solved: mean(others.map((row) => passed(value[row] as number))),
    }
  })
}

const byItemTable = (columns: readonly Column[], known: readonly Known[]): Table => ({
  id: 'pbebench/difficulty',
  title: 'Items by a search',
  columns: [
    ...columns,
    text('item', 'Item'),
    number('length', 'Planted rules', 'rules'),
    text('category', 'Category'),
    number('limit', 'Limit', 'rules'),
    number('shortest', 'Shortest known', 'rules'),
    number('steps', 'Steps to solve'),
    number('budget', 'Most steps spent'),
    number('quarter', 'Quarter'),
    share('solved', 'Solved by others'),
  ],
  rows: known.map(({ key, ...fact }) => ({ ...key, ...fact })),
})

/** An item that an arm answered: what is known of it, and the share of the arm's answers that are right. */
interface Answered {
  readonly fact: Known
  readonly pass: number
}

interface Named {
  readonly arm: Arm
  readonly answered: readonly Answered[]
}

/** Items of which every answer failed are left out. */
function answeredOf(frame: Frame, { rows }: Arm, facts: ReadonlyMap<string, Known>): readonly Answered[] {
  const value = scores(frame)
  const items = frame.category('item')
  return byItem(frame, rows).flatMap((own) => {
    const pass = mean(
      own.filter((row) => !Number.isNaN(value[row] as number)).map((row) => passed(value[row] as number)),
    )
    const fact = facts.get(items.levels[items.codes[own[0] as number] as number] as string)
    return pass === null || fact === undefined ? [] : [{ fact, pass }]
  })
}

const byQuarterTable = (columns: readonly Column[], named: readonly Named[]): Table => ({
  id: 'pbebench/difficulty-by-steps',
  title: 'Pass rate by the steps of a search',
  columns: [
    ...columns,
    text('model', 'Model'),
    number('quarter', 'Quarter'),
    number('items', 'Items'),
    number('steps', 'Steps, median'),
    number('shortest', 'Shortest known, mean', 'rules'),
    estimate('pass', 'Pass rate'),
  ],
  rows: named.flatMap(({ arm: { key }, answered }) =>
    [...Map.groupBy(answered, ({ fact }) => fact.quarter)]
      .sort(([a], [b]) => a - b)
      .map(([quarter, here]) => ({
        ...key,
        quarter,
        items: here.length,
        steps: median(here.map(({ fact }) => fact.steps ?? fact.budget)),
        shortest: mean(here.map(({ fact }) => fact.shortest)),
        pass: overItems(here.map(({ pass }) => pass)),
      })),
  ),
})

/** Which goes with a model's pass rate: steps, the shortest cascade, or the planted length? */
function rankTable(columns: readonly Column[], named: readonly Named[]): Table {
  const rows = named.map(({ arm: { key }, answered }) => {
    const against = (of: (fact: Known) => number) =>
      spearman(
        answered.map(({ fact }) => of(fact)),
        answered.map(({ pass }) => pass),
      )?.estimate ?? null
    return {
      ...key,
      items: answered.length,
      steps: against(effort),
      shortest: against(({ shortest }) => shortest),
      length: against(({ length }) => length),
    }
  })
  return {
    id: 'pbebench/difficulty-ranks',
    title: 'Rank correlation of pass rates with difficulty',
    columns: [
      ...columns,
      text('model', 'Model'),
      number('items', 'Items'),
      column.estimate('steps', 'With steps', 'Spearman'),
      column.estimate('shortest', 'With the shortest cascade', 'Spearman'),
      column.estimate('length', 'With the planted length', 'Spearman'),
    ],
    rows,
  }
}
