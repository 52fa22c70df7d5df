import { type Analysis, type Frame, figure, marksBy, tableOf } from '../../../core/index.ts'
import {
  inOrder,
  median,
  type RowKey,
  type SystemRows,
  scores,
  shareOver,
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
  scoredRows,
  share,
  text,
} from './common.ts'

/** How hard one item is, as far as the run knows: facts of the run joined by item, no features. */
interface ItemFacts {
  /** The cells that name its config, where there are several. */
  readonly key: RowKey
  readonly item: string
  readonly length: number
  readonly category: string
  readonly limit: number
  /** The shortest cascade planted or given in the run, by any model or baseline. */
  readonly shortest: number
  /** Distinct lengths and relation categories of passing responses. */
  readonly solutions: number
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

/** The items of each config: every style asks the same ones. */
function factsIn(frame: Frame) {
  const { conditions, columns } = conditionsOf(frame, ['config'])
  const sets = conditions.map(({ key, rows }) => ({ key, facts: inQuarters(factsOf(frame, key, rows)) }))
  const ofItem = new Map(sets.flatMap(({ facts }) => facts.map((fact) => [fact.item, fact] as const)))
  const { codes, levels } = frame.category('item')
  return { sets, columns, factOf: (row: number) => ofItem.get(levels[codes[row] as number] as string) as ItemFacts }
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

function factsOf(frame: Frame, key: RowKey, own: Int32Array): readonly Unranked[] {
  const [value, pass, steps] = [scores(frame), passes(frame), numbers(frame, 'steps')]
  const [rules, length, limit] = ['subscore_valid', 'feature_length', 'feature_limit'].map((name) =>
    frame.number(name),
  ) as [Float64Array, Float64Array, Float64Array]
  const predicted = numbers(frame, 'subscore_predictedCategory')
  const [items, category] = [frame.category('item'), frame.category('feature_category')]
  return byItem(frame, own).map((rows) => {
    const first = rows[0] as number
    const right = rows.filter((row) => (value[row] as number) >= 1)
    const [others, searches] = [true, false].map((other) =>
      rows.filter((row) => Number.isNaN(steps[row] as number) === other),
    ) as [number[], number[]]
    const met = at(
      steps,
      searches.filter((row) => right.includes(row)),
    )
    return {
      key,
      item: items.levels[items.codes[first] as number] as string,
      length: length[first] as number,
      category: category.levels[category.codes[first] as number] as string,
      limit: limit[first] as number,
      shortest: Math.min(length[first] as number, ...at(rules, right)),
      solutions: new Set(right.map((row) => `${rules[row]} ${predicted[row]}`)).size,
      steps: met.length === 0 ? null : Math.min(...met),
      budget: Math.max(0, ...at(steps, searches)),
      solved: mean(at(pass, others)),
    }
  })
}

/** Pass rates by the slack that the shortest known cascade leaves. */
export const difficulty: Analysis = {
  id: 'pbebench/known-slack',
  title: 'Pass rate by the slack of the shortest known cascade',
  source: { paper: PAPER, item: 'not in the paper' },
  notes: [
    'Slack = rule limit − shortest cascade planted or given in this run; add baseline:cascade-search to shorten it. A fact of the run, not a feature.',
    'Solutions: distinct lengths and relation categories of passing responses, a lower bound of how many cascades work.',
  ],
  needs: ['score', 'feature_length', 'feature_category', 'feature_limit', 'subscore_valid'],
  run(frame) {
    const { sets, columns: config, factOf } = factsIn(frame)
    const pass = passes(frame)
    const { systems, columns, panel } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      const bySlack = Map.groupBy(scoredRows(frame, own), (row) => String(factOf(row).limit - factOf(row).shortest))
      return inOrder(bySlack.keys()).map((slack) => ({
        key,
        slack: Number(slack),
        here: Int32Array.from(bySlack.get(slack as string) ?? []),
      }))
    })
    const bySlack = tableOf('pbebench/known-slack', 'Pass rate by known slack', [...columns, model], rows, [
      [number('slack', 'Limit − shortest known cascade', 'rules'), ({ slack }) => slack],
      [number('rows', 'Responses'), ({ here }) => here.length],
      [estimate('pass', 'Pass rate'), ({ here }) => shareOver(frame, pass, here)],
    ])
    const solutions = tableOf('pbebench/known-solutions', 'Items by their known solutions', config, sets, [
      [number('items', 'Items'), ({ facts }) => facts.length],
      [
        number('shorter', 'With a cascade shorter than the planted one'),
        ({ facts }) => facts.filter(({ shortest, length }) => shortest < length).length,
      ],
      [number('several', 'With several solutions'), ({ facts }) => facts.filter((fact) => fact.solutions > 1).length],
    ])
    const curve = figure(bySlack, {
      title: 'Pass rate by the slack of the shortest known cascade',
      x: { key: 'slack', label: 'Slack' },
      y: 'pass',
      facet: panel,
      marks: [{ kind: 'line', series: 'model' }],
    })
    return { tables: [bySlack, solutions], figures: [curve] }
  },
}

/** How hard items are for a search of the same run. Needs a baseline that counts its steps, such as `shortest`. */
export const searchDifficulty: Analysis = {
  id: 'pbebench/difficulty',
  title: 'How hard items are for a search, and who solves them',
  source: { paper: PAPER, item: 'not in the paper' },
  notes: [
    'Steps: evaluations of one rule in one state until the rule limit is met, fewest over the search baselines. Unsolved items come last.',
    'Shortest: fewest rules planted or given correctly (add baseline:shortest). Solved: pass rate of responses that are no search.',
    'Styles of a run share items, so item facts come from all styles. Quarters: equal numbers of items of a config, by steps.',
  ],
  needs: ['score', 'steps', 'feature_length', 'feature_category', 'feature_limit', 'subscore_valid'],
  run(frame) {
    const { sets, columns: config, factOf } = factsIn(frame)
    const facts = sets.flatMap((set) => set.facts)
    // Without a search there is nothing to join.
    if (facts.every(({ budget }) => budget === 0)) return { tables: [] }
    const items = tableOf('pbebench/difficulty', 'Items by a search', config, facts, [
      [text('item', 'Item'), ({ item }) => item],
      [number('length', 'Planted rules', 'rules'), ({ length }) => length],
      [text('category', 'Category'), ({ category }) => category],
      [number('limit', 'Limit', 'rules'), ({ limit }) => limit],
      [number('shortest', 'Shortest known', 'rules'), ({ shortest }) => shortest],
      [number('steps', 'Steps to solve'), ({ steps }) => steps],
      [number('budget', 'Most steps spent'), ({ budget }) => budget],
      [number('quarter', 'Quarter'), ({ quarter }) => quarter],
      [share('solved', 'Solved by others'), ({ solved }) => solved],
    ])
    const { systems, columns, panel } = conditionsOf(frame)
    const answered = systems.map(({ key, rows }: SystemRows) => ({
      key,
      items: itemPasses(frame, rows).map(({ row, pass }) => ({ fact: factOf(row), pass })),
    }))
    const byQuarter = answered.flatMap(({ key, items: own }) =>
      [...Map.groupBy(own, ({ fact }) => fact.quarter)]
        .sort(([a], [b]) => a - b)
        .map(([quarter, here]) => ({ key, quarter, here })),
    )
    const leading = [...columns, model]
    const title = 'Pass rate by the steps of a search'
    const quarters = tableOf('pbebench/difficulty-by-steps', title, leading, byQuarter, [
      [number('quarter', 'Quarter'), ({ quarter }) => quarter],
      [number('items', 'Items'), ({ here }) => here.length],
      [number('steps', 'Steps, median'), ({ here }) => median(here.map(({ fact }) => fact.steps ?? fact.budget))],
      [number('shortest', 'Shortest known, mean', 'rules'), ({ here }) => mean(here.map(({ fact }) => fact.shortest))],
      [estimate('pass', 'Pass rate'), ({ here }) => overItems(here.map(({ pass }) => pass))],
    ])
    /** Which predicts a model's pass rate: steps, the shortest cascade, or the planted length? */
    const rankedBy =
      (of: (fact: ItemFacts) => number) =>
      ({ items: own }: (typeof answered)[number]) =>
        spearman(
          own.map(({ fact }) => of(fact)),
          own.map(({ pass }) => pass),
        )?.estimate ?? null
    const correlation = 'Rank correlation of pass rates with difficulty'
    const ranks = tableOf('pbebench/difficulty-ranks', correlation, leading, answered, [
      [number('items', 'Items'), ({ items: own }) => own.length],
      [estimate('steps', 'With steps', 'Spearman'), rankedBy(effort)],
      [estimate('shortest', 'With the shortest cascade', 'Spearman'), rankedBy(({ shortest }) => shortest)],
      [estimate('length', 'With the planted length', 'Spearman'), rankedBy(({ length }) => length)],
    ])
    const curve = figure(quarters, {
      title: 'Pass rate against the steps of a search',
      x: { key: 'steps', label: 'Steps of the search, median of a quarter', scale: 'log' },
      y: 'pass',
      facet: panel,
      marks: marksBy('model', 'line', 'interval'),
    })
    return { tables: [items, quarters, ranks], figures: [curve] }
  },
}
