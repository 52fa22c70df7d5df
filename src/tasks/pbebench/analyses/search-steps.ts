import { type Analysis, type Column, type Frame, figure, marksBy, type Table, table } from '../../../core/index.ts'
import {
  type Condition,
  median,
  type RowKey,
  type SystemRows,
  scores,
  spearman,
} from '../../../libraries/statistics/index.ts'
import {
  at,
  byItem,
  conditionsOf,
  estimate,
  itemPasses,
  mean,
  model,
  number,
  numbers,
  overItems,
  PAPER,
  passes,
  share,
  text,
} from './common.ts'

/** How hard one item is, as far as the run knows. */
interface ItemFacts {
  /** The cells that name its config, where there are several. */
  readonly key: RowKey
  readonly item: string
  readonly length: number
  readonly category: string
  readonly limit: number
  /** The shortest cascade planted or given in the run. */
  readonly shortest: number
  /** Fewest steps of a search that met the limit; null: none did. */
  readonly steps: number | null
  /** Most steps that a search spent. */
  readonly budget: number
  /** Pass rate of the responses that are no search; null where there are none. */
  readonly solved: number | null
  /** 1..4, by the steps among the items of its config. */
  readonly quarter: number
}

const QUARTERS = 4

/**
 * How hard items are for a search of the same run: a fact of the run joined by item, no feature. Needs a baseline that counts its
 * steps, such as `shortest`.
 */
export const searchDifficulty: Analysis = {
  id: 'pbebench/difficulty',
  title: 'How hard items are for a search, and who solves them',
  source: { paper: PAPER, item: 'not in the paper' },
  notes: [
    'Steps: evaluations of one rule in one state until the rule limit is met, fewest over the search baselines. Unsolved items come last.',
    'Shortest: fewest rules planted or given correctly (add baseline:shortest). Solved: pass rate of responses that are no search.',
    'Styles of a run share items, so item facts come from all styles. Quarters: equal numbers of items of a config, by steps.',
  ],
  needs: ['value', 'steps', 'feature_length', 'feature_category', 'feature_limit', 'part_valid'],
  run(frame) {
    const configs = conditionsOf(frame, ['config'])
    const facts = configs.conditions.flatMap((config) => inQuarters(factsOf(frame, config)))
    // Without a search there is nothing to join.
    if (facts.every(({ budget }) => budget === 0)) return { tables: [] }
    const { systems, columns, panel } = conditionsOf(frame)
    const factOf = new Map(facts.map((fact) => [fact.item, fact]))
    const answered = systems.map((system) => answersOf(frame, system, factOf))
    const quarters = quarterTable(columns, answered)
    const curve = figure(quarters, {
      title: 'Pass rate against the steps of a search',
      x: { key: 'steps', label: 'Steps of the search, median of a quarter', scale: 'log' },
      y: 'pass',
      facet: panel,
      marks: marksBy('model', 'line', 'interval'),
    })
    return {
      tables: [itemTable(configs.columns, facts), quarters, rankTable(columns, answered)],
      figures: [curve],
    }
  },
}

type Unranked = Omit<ItemFacts, 'quarter'>

/** Steps to solve; an unsolved item took more than was spent. */
const effort = ({ steps, budget }: Unranked): number => steps ?? budget + 0.5

function inQuarters(facts: readonly Unranked[]): readonly ItemFacts[] {
  const order = facts.toSorted((a, b) => effort(a) - effort(b))
  const rank = new Map(order.map(({ item }, i) => [item, i]))
  return facts.map((fact) => ({
    ...fact,
    quarter: 1 + Math.floor((QUARTERS * (rank.get(fact.item) as number)) / facts.length),
  }))
}

function factsOf(frame: Frame, { key, rows: own }: Condition): readonly Unranked[] {
  const [value, pass, steps] = [scores(frame), passes(frame), numbers(frame, 'steps')]
  const [rules, length, limit] = ['part_valid', 'feature_length', 'feature_limit'].map((name) =>
    frame.number(name),
  ) as [Float64Array, Float64Array, Float64Array]
  const [items, category] = [frame.category('item'), frame.category('feature_category')]
  return byItem(frame, own).map((rows) => {
    const first = rows[0] as number
    const right = rows.filter((row) => (value[row] as number) >= 1)
    const searches = rows.filter((row) => !Number.isNaN(steps[row] as number))
    const met = at(
      steps,
      searches.filter((row) => right.includes(row)),
    )
    const others = rows.filter((row) => Number.isNaN(steps[row] as number))
    return {
      key,
      item: items.levels[items.codes[first] as number] as string,
      length: length[first] as number,
      category: category.levels[category.codes[first] as number] as string,
      limit: limit[first] as number,
      shortest: Math.min(length[first] as number, ...at(rules, right)),
      steps: met.length === 0 ? null : Math.min(...met),
      budget: Math.max(0, ...at(steps, searches)),
      solved: mean(at(pass, others)),
    }
  })
}

const itemTable = (columns: readonly Column[], facts: readonly ItemFacts[]): Table =>
  table(
    'pbebench/difficulty',
    'Items by a search',
    [
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
    facts.map(({ key, ...fact }) => ({ ...key, ...fact })),
  )

/** The items that a system answered, with its pass rate on each. */
interface Answers {
  readonly key: RowKey
  readonly items: readonly { readonly fact: ItemFacts; readonly pass: number }[]
}

function answersOf(frame: Frame, { key, rows }: SystemRows, facts: ReadonlyMap<string, ItemFacts>): Answers {
  const { codes, levels } = frame.category('item')
  const items = itemPasses(frame, rows).flatMap(({ row, pass }) => {
    const fact = facts.get(levels[codes[row] as number] as string)
    return fact === undefined ? [] : [{ fact, pass }]
  })
  return { key, items }
}

const quarterTable = (columns: readonly Column[], answered: readonly Answers[]): Table =>
  table(
    'pbebench/difficulty-by-steps',
    'Pass rate by the steps of a search',
    [
      ...columns,
      model,
      number('quarter', 'Quarter'),
      number('items', 'Items'),
      number('steps', 'Steps, median'),
      number('shortest', 'Shortest known, mean', 'rules'),
      estimate('pass', 'Pass rate'),
    ],
    answered.flatMap(({ key, items }) =>
      [...Map.groupBy(items, ({ fact }) => fact.quarter)]
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
  )

/** Which predicts a model's pass rate: steps, the shortest cascade, or the planted length? */
function rankTable(columns: readonly Column[], answered: readonly Answers[]): Table {
  const correlation = (items: Answers['items'], of: (fact: ItemFacts) => number) =>
    spearman(
      items.map(({ fact }) => of(fact)),
      items.map(({ pass }) => pass),
    )?.estimate ?? null
  return table(
    'pbebench/difficulty-ranks',
    'Rank correlation of pass rates with difficulty',
    [
      ...columns,
      model,
      number('items', 'Items'),
      estimate('steps', 'With steps', 'Spearman'),
      estimate('shortest', 'With the shortest cascade', 'Spearman'),
      estimate('length', 'With the planted length', 'Spearman'),
    ],
    answered.map(({ key, items }) => ({
      ...key,
      items: items.length,
      steps: correlation(items, effort),
      shortest: correlation(items, ({ shortest }) => shortest),
      length: correlation(items, ({ length }) => length),
    })),
  )
}
