import type { Analysis, Frame } from '../../../core/index.ts'
import { allRows, scores, spearman } from '../../../stats/index.ts'
import { arms, byItem, estimate, mean, number, numbers, overItems, PAPER, passed, share, text } from './common.ts'

/** What a run knows of how hard one item is. */
interface Known {
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
    'Quarters hold equally many items in the order of their steps.',
  ],
  needs: ['value', 'steps', 'feature_length', 'feature_category', 'feature_limit', 'part_valid'],
  run(frame) {
    const known = knownOf(frame)
    // Without a search there is nothing to join.
    if (known.every(({ budget }) => budget === 0)) return { tables: [] }
    const order = known.toSorted((a, b) => effort(a) - effort(b))
    const quarter = new Map(order.map(({ item }, i) => [item, Math.floor((QUARTERS * i) / order.length)]))
    const quarters = Array.from({ length: QUARTERS }, (_, q) => order.filter(({ item }) => quarter.get(item) === q))
    return {
      tables: [
        byItemTable(known),
        byQuarterTable(frame, quarters, quarter),
        rankTable(frame, new Map(known.map((one) => [one.item, one]))),
      ],
      figures: [
        {
          id: 'pbebench/difficulty-by-steps',
          title: 'Pass rate against the steps of a search',
          table: 'pbebench/difficulty-by-steps',
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

/** Steps to solve; what is unsolved took more than was spent. */
const effort = ({ steps, budget }: Known): number => steps ?? budget + 0.5

function knownOf(frame: Frame): readonly Known[] {
  const value = scores(frame)
  const [steps, rules, length, limit] = [
    numbers(frame, 'steps'),
    frame.number('part_valid'),
    frame.number('feature_length'),
    frame.number('feature_limit'),
  ]
  const [items, category] = [frame.category('item'), frame.category('feature_category')]
  return byItem(frame, allRows(frame)).map((rows) => {
    const first = rows[0] as number
    const right = rows.filter((row) => (value[row] as number) >= 1)
    const searches = rows.filter((row) => !Number.isNaN(steps[row] as number))
    const met = searches.filter((row) => right.includes(row)).map((row) => steps[row] as number)
    const others = rows.filter((row) => Number.isNaN(steps[row] as number) && !Number.isNaN(value[row] as number))
    return {
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

const byItemTable = (known: readonly Known[]) => ({
  id: 'pbebench/difficulty',
  title: 'Items by a search',
  columns: [
    text('item', 'Item'),
    number('length', 'Planted rules', 'rules'),
    text('category', 'Category'),
    number('limit', 'Limit', 'rules'),
    number('shortest', 'Shortest known', 'rules'),
    number('steps', 'Steps to solve'),
    number('budget', 'Most steps spent'),
    share('solved', 'Solved by others'),
  ],
  rows: known.map((one) => ({ ...one })),
})

function byQuarterTable(frame: Frame, quarters: readonly (readonly Known[])[], quarter: ReadonlyMap<string, number>) {
  const value = scores(frame)
  const items = frame.category('item')
  const rows = arms(frame).flatMap(({ contestant, rows: list }) =>
    quarters.map((here, q) => {
      const answers = [...list].filter(
        (row) =>
          quarter.get(items.levels[items.codes[row] as number] as string) === q && !Number.isNaN(value[row] as number),
      )
      const perItem = byItem(frame, Int32Array.from(answers)).map(
        (own) => mean(own.map((row) => passed(value[row] as number))) as number,
      )
      return {
        model: contestant,
        quarter: q + 1,
        items: here.length,
        steps: here.length === 0 ? null : effort(here[here.length >> 1] as Known),
        shortest: mean(here.map(({ shortest }) => shortest)),
        pass: overItems(perItem),
      }
    }),
  )
  return {
    id: 'pbebench/difficulty-by-steps',
    title: 'Pass rate by the steps of a search',
    columns: [
      text('model', 'Model'),
      number('quarter', 'Quarter'),
      number('items', 'Items'),
      number('steps', 'Steps, median'),
      number('shortest', 'Shortest known, mean', 'rules'),
      estimate('pass', 'Pass rate'),
    ],
    rows,
  }
}

/** Which goes with a model's pass rate: steps, the shortest cascade, or the planted length? */
function rankTable(frame: Frame, known: ReadonlyMap<string, Known>) {
  const value = scores(frame)
  const items = frame.category('item')
  const rows = arms(frame).map(({ contestant, rows: list }) => {
    const own = byItem(frame, list).map((answers) => ({
      fact: known.get(items.levels[items.codes[answers[0] as number] as number] as string) as Known,
      pass:
        mean(answers.filter((row) => !Number.isNaN(value[row] as number)).map((row) => passed(value[row] as number))) ??
        Number.NaN,
    }))
    const against = (of: (fact: Known) => number) =>
      spearman(
        own.map(({ fact }) => of(fact)),
        own.map(({ pass }) => pass),
      )?.estimate ?? null
    return {
      model: contestant,
      items: own.length,
      steps: against(effort),
      shortest: against(({ shortest }) => shortest),
      length: against(({ length }) => length),
    }
  })
  return {
    id: 'pbebench/difficulty-ranks',
    title: 'Rank correlation of pass rates with difficulty',
    columns: [
      text('model', 'Model'),
      number('items', 'Items'),
      { key: 'steps', label: 'With steps', kind: 'estimate' as const, unit: 'Spearman' },
      { key: 'shortest', label: 'With the shortest cascade', kind: 'estimate' as const, unit: 'Spearman' },
      { key: 'length', label: 'With the planted length', kind: 'estimate' as const, unit: 'Spearman' },
    ],
    rows,
  }
}
