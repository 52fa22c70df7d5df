import type { Analysis, Frame, Table } from '../../../core/index.ts'
import { categoryCode, categoryOf } from '../../../libraries/rewriting/index.ts'
import { partsOf } from './arms.ts'
import { bestOf, byItem, number, numbers, PAPER, share, text } from './common.ts'
import { exactCategories, neededRules } from './minimal.ts'

interface Pick {
  readonly row: number
  readonly passed: boolean
}

/**
 * Of each item and model the sample with the highest reward: for all models of a part together, and where it has several
 * for each by itself.
 */
function picked(frame: Frame, read: Frame): readonly { readonly name: string; readonly picks: readonly Pick[] }[] {
  const reward = numbers(read, 'part_editSimPublished')
  const pass = numbers(read, 'part_passPublished')
  return partsOf(frame).parts.flatMap(({ name, arms }) => {
    const of = (who: string) => (name === '' ? who : `${name}, ${who}`)
    const byArm = arms.map((arm) => ({
      name: of(arm.key.model),
      picks: byItem(read, arm.rows).map((list) => {
        const row = bestOf(list, reward)
        return { row, passed: pass[row] === 1 }
      }),
    }))
    const all = { name: of('all models'), picks: byArm.flatMap(({ picks }) => picks) }
    return byArm.length > 1 ? [all, ...byArm] : [all]
  })
}

const CODES = Array.from({ length: 16 }, (_, bits) => categoryCode(bits))

/** Predicted against true length, and relations, for passes and failures apart: Figures 19 to 30. */
export const confusions: Analysis = {
  id: 'pbebench/figure19',
  title: 'Predicted and true cascades',
  source: { paper: PAPER, item: 'Figures 19 to 30' },
  notes: [
    'Of each item the sample with the highest reward; predictions are cut at the rule limit and classified by the released test; a prediction with an unreadable rule is INVALID; an empty one has length 0 and category 0000.',
    'Passing with other relations than the planted ones is no mistake: many items have several solutions.',
  ],
  needs: ['value', 'feature_length', 'feature_category', 'part_predictedRules'],
  run(frame, options) {
    // The published parser where the run has it.
    const read = options.frameOf('published') ?? frame
    const sets = picked(frame, read).flatMap(({ name, picks }) =>
      [true, false].map((passed) => ({ name, passed, picks: picks.filter((pick) => pick.passed === passed) })),
    )
    const published = [lengthTable(read, sets), simpleTable(read, sets), categoryTable(read, sets)]
    const tables = EXACT.every((name) => read.has(name)) ? [...published, ...exactTables(read, sets)] : published
    return {
      tables,
      figures: tables.map((table) => ({
        id: table.id,
        title: table.title,
        table: table.id,
        x: { key: 'predicted', label: 'Predicted', scale: 'category' as const },
        y: { key: 'truth', label: 'True', scale: 'category' as const },
        facet: 'set',
        marks: [
          { kind: 'cell' as const, x: 'predicted', y: 'truth', series: 'share' },
          { kind: 'text' as const, x: 'predicted', y: 'truth', series: 'count' },
        ],
      })),
    }
  },
}

interface PickSet {
  readonly name: string
  readonly passed: boolean
  readonly picks: readonly Pick[]
}

/** Counts of (truth, predicted) with row shares, in long form. */
function tally(sets: readonly PickSet[], truthOf: (row: number) => string, predictedOf: (row: number) => string) {
  return sets.flatMap(({ name, passed, picks: list }) => {
    const counts = new Map<string, Map<string, number>>()
    for (const { row } of list) {
      const inside = counts.get(truthOf(row)) ?? new Map<string, number>()
      counts.set(truthOf(row), inside)
      inside.set(predictedOf(row), (inside.get(predictedOf(row)) ?? 0) + 1)
    }
    return [...counts].sort(byKey).flatMap(([truth, inside]) => {
      const total = [...inside.values()].reduce((sum, n) => sum + n, 0)
      return [...inside].sort(byKey).map(([predicted, count]) => ({
        // What differs most stands at the ends, which a narrow panel keeps of a long title.
        set: `${passed ? 'passed' : 'failed'}, ${name}`,
        truth,
        predicted,
        count,
        share: count / total,
      }))
    })
  })
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

const columns = [
  text('set', 'Models and outcome'),
  text('truth', 'True'),
  text('predicted', 'Predicted'),
  number('count', 'Items'),
  share('share', 'Share of the row'),
]

function lengthTable(frame: Frame, sets: readonly PickSet[]): Table {
  const [truth, predicted] = [frame.number('feature_length'), numbers(frame, 'part_predictedRules')]
  const said = (row: number) => (Number.isNaN(predicted[row] as number) ? '0' : String(predicted[row]))
  return {
    id: 'pbebench/figure19',
    title: 'Cascade length: Figures 19 (passed) and 20 (failed)',
    columns,
    rows: tally(sets, (row) => String(truth[row]), said),
  }
}

function categoryTable(frame: Frame, sets: readonly PickSet[]): Table {
  const { codes, levels } = frame.category('feature_category')
  const predicted = numbers(frame, 'part_predictedCategory')
  return {
    id: 'pbebench/figure23',
    title: 'Relation category: Figures 23 to 30',
    columns,
    rows: tally(
      sets,
      (row) => levels[codes[row] as number] ?? '',
      (row) => CODES[predicted[row] as number] ?? 'INVALID',
    ),
  }
}

const EXACT = ['feature_exactCategory', 'feature_minimalLength', 'feature_lowerBound', 'part_predictedExactCategory']

/** The same of what is proved: rules needed and given, exact categories of the planted and of the predicted cascade. */
function exactTables(frame: Frame, sets: readonly PickSet[]): readonly Table[] {
  const [rules, category] = [numbers(frame, 'part_predictedRules'), numbers(frame, 'part_predictedExactCategory')]
  const said = (row: number) => (Number.isNaN(rules[row] as number) ? '0' : String(rules[row]))
  return [
    {
      id: 'pbebench/minimal/lengths',
      title: 'Rules needed, proved, and rules given',
      columns,
      rows: tally(sets, neededRules(frame), said),
    },
    {
      id: 'pbebench/minimal/categories',
      title: 'Exact relation category',
      columns,
      rows: tally(sets, exactCategories(frame), (row) => CODES[category[row] as number] ?? 'INVALID'),
    },
  ]
}

/** One relation at a time: present or absent in truth and prediction; invalid predictions apart. */
function simpleTable(frame: Frame, sets: readonly PickSet[]): Table {
  const { codes, levels } = frame.category('feature_category')
  const predicted = numbers(frame, 'part_predictedCategory')
  const names = ['F', 'B', 'CF', 'CB']
  const rows = names.flatMap((name, k) => {
    const bit = 8 >> k
    const sign = (held: boolean) => `${name}${held ? '+' : '-'}`
    return tally(
      sets,
      (row) => sign((categoryOf(levels[codes[row] as number] ?? '0000') & bit) !== 0),
      (row) => (Number.isNaN(predicted[row] as number) ? 'INVALID' : sign(((predicted[row] as number) & bit) !== 0)),
    )
  })
  return {
    id: 'pbebench/figure21',
    title: 'One relation at a time: Figures 21 (passed) and 22 (failed)',
    columns,
    rows,
  }
}

/** Items by length and category: Figures 3 to 10. */
export const distributions: Analysis = {
  id: 'pbebench/figure3',
  title: 'Items by length and relation category',
  source: { paper: PAPER, item: 'Figures 3 to 10' },
  needs: ['feature_length', 'feature_category'],
  run(frame) {
    // Every style asks the same items.
    const { parts, columns: named, facet } = partsOf(frame, ['config'])
    const length = frame.number('feature_length')
    const { codes, levels } = frame.category('feature_category')
    const count = (of: (row: number) => string) =>
      parts.flatMap(({ key, rows }) => {
        const items = byItem(frame, rows).map((list) => list[0] as number)
        const counts = new Map<string, number>()
        for (const row of items) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1)
        return [...counts].sort(byKey).map(([level, n]) => ({ ...key, level, items: n, share: n / items.length }))
      })
    const table = (id: string, title: string, of: (row: number) => string): Table => ({
      id,
      title,
      columns: [...named, text('level', title), number('items', 'Items'), share('share', 'Share')],
      rows: count(of),
    })
    const published = [
      table('pbebench/figure3', 'Cascade length', (row) => String(length[row])),
      table('pbebench/figure4', 'Relation category', (row) => levels[codes[row] as number] ?? ''),
    ]
    const proved = ['feature_minimalLength', 'feature_lowerBound'].every((name) => frame.has(name))
    const tables = [
      ...published,
      ...(proved ? [table('pbebench/minimal/needed', 'Rules needed', neededRules(frame))] : []),
      ...(frame.has('feature_exactCategory')
        ? [table('pbebench/minimal/exact', 'Exact relation category', exactCategories(frame))]
        : []),
    ]
    return {
      tables,
      figures: tables.map(({ id, title }) => ({
        id,
        title,
        table: id,
        ...facet,
        x: { key: 'level', label: title, scale: 'category' as const },
        y: { key: 'items', label: 'Items' },
        marks: [{ kind: 'bar' as const, x: 'level', y: 'items' }],
      })),
    }
  },
}
