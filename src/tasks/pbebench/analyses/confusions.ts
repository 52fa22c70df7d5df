import { type Analysis, type Frame, figure, heatMarks, type Table, table } from '../../../core/index.ts'
import { categoryCode, categoryOf } from '../../../libraries/rewriting/index.ts'
import { titled } from '../../../libraries/statistics/index.ts'
import { bestOf, byItem, conditionsOf, number, numbers, PAPER, share, text } from './common.ts'
import { exactCategories, neededRules } from './minimal.ts'

/** The best samples of a set of models, passed or failed. */
interface PickSet {
  readonly name: string
  readonly passed: boolean
  readonly rows: readonly number[]
}

/**
 * Per item and model the sample with the highest reward: for all models of a condition together, and with several models for each
 * of them; passed and failed apart.
 */
function pickedIn(frame: Frame, parsed: Frame): readonly PickSet[] {
  const reward = numbers(parsed, 'part_editSimPublished')
  const pass = numbers(parsed, 'part_passPublished')
  return conditionsOf(frame).conditions.flatMap(({ name, systems }) => {
    const of = (system: string) => (name === '' ? system : titled(name, system))
    const each = systems.map(({ key, rows }) => ({
      name: of(key.model),
      rows: byItem(parsed, rows).map((list) => bestOf(list, reward)),
    }))
    const all = { name: of('all models'), rows: each.flatMap(({ rows }) => rows) }
    return (each.length > 1 ? [all, ...each] : [all]).flatMap((set) =>
      [true, false].map((passed) => ({
        name: set.name,
        passed,
        rows: set.rows.filter((row) => (pass[row] === 1) === passed),
      })),
    )
  })
}

const CODES = Array.from({ length: 16 }, (_, bits) => categoryCode(bits))

/** The category of a predicted cascade, by row; cascades that cannot be parsed are INVALID. */
const predictedCategory = (frame: Frame, part: string) => {
  const category = numbers(frame, `part_${part}`)
  return (row: number): string => CODES[category[row] as number] ?? 'INVALID'
}

const predictedLength = (frame: Frame) => {
  const rules = numbers(frame, 'part_predictedRules')
  return (row: number): string => (Number.isNaN(rules[row]) ? '0' : String(rules[row]))
}

const publishedCategory = (frame: Frame) => {
  const { codes, levels } = frame.category('feature_category')
  return (row: number): string => levels[codes[row] as number] ?? ''
}

const EXACT = ['feature_exactCategory', 'feature_minimalLength', 'feature_lowerBound', 'part_predictedExactCategory']

/** Predicted against true length, and relations, for passes and failures apart: Figures 19 to 30. */
export const confusions: Analysis = {
  id: 'pbebench/figure19',
  title: 'Predicted and true cascades',
  source: { paper: PAPER, item: 'Figures 19 to 30' },
  notes: [
    'Per item the sample with the highest reward; predictions end at the rule limit and are classified by the released test. INVALID: an unparsed rule.',
    'Passing with other relations than planted is no mistake: many items have several solutions.',
  ],
  needs: ['value', 'feature_length', 'feature_category', 'part_predictedRules'],
  run(frame, options) {
    const parsed = options.frameOf('published') ?? frame
    const sets = pickedIn(frame, parsed)
    const length = parsed.number('feature_length')
    const made = (id: string, title: string, truth: (row: number) => string, predicted: (row: number) => string) =>
      confusionTable(id, title, tally(sets, truth, predicted))
    const tables = [
      made(
        'pbebench/figure19',
        'Cascade length: Figures 19 (passed) and 20 (failed)',
        (row) => String(length[row]),
        predictedLength(parsed),
      ),
      confusionTable(
        'pbebench/figure21',
        'One relation at a time: Figures 21 (passed) and 22 (failed)',
        relationRows(parsed, sets),
      ),
      made(
        'pbebench/figure23',
        'Relation category: Figures 23 to 30',
        publishedCategory(parsed),
        predictedCategory(parsed, 'predictedCategory'),
      ),
      ...(EXACT.every((name) => parsed.has(name))
        ? [
            made(
              'pbebench/minimal/lengths',
              'Rules needed (proved) and given',
              neededRules(parsed),
              predictedLength(parsed),
            ),
            made(
              'pbebench/minimal/categories',
              'Exact relation category',
              exactCategories(parsed),
              predictedCategory(parsed, 'predictedExactCategory'),
            ),
          ]
        : []),
    ]
    return {
      tables,
      figures: tables.map((one) =>
        figure(one, {
          x: { key: 'predicted', scale: 'category' },
          y: { key: 'truth', scale: 'category' },
          facet: 'set',
          marks: heatMarks('share', 'count').filter((mark) => mark.kind === 'cell' || mark.series === 'count'),
        }),
      ),
    }
  },
}

const confusionTable = (id: string, title: string, rows: Table['rows']): Table =>
  table(
    id,
    title,
    [
      text('set', 'Models and outcome'),
      text('truth', 'Target'),
      text('predicted', 'Predicted'),
      number('count', 'Items'),
      share('share', 'Share of the row'),
    ],
    rows,
  )

/** Counts of (truth, predicted) with row shares, in long form. */
function tally(sets: readonly PickSet[], truthOf: (row: number) => string, predictedOf: (row: number) => string) {
  return sets.flatMap(({ name, passed, rows }) =>
    [...Map.groupBy(rows, truthOf)].sort(byKey).flatMap(([truth, inside]) =>
      [...Map.groupBy(inside, predictedOf)].sort(byKey).map(([predicted, own]) => ({
        // The outcome comes first, since narrow panels cut titles in the middle.
        set: `${passed ? 'passed' : 'failed'}, ${name}`,
        truth,
        predicted,
        count: own.length,
        share: own.length / inside.length,
      })),
    ),
  )
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** One relation at a time: present or absent in truth and prediction; invalid predictions apart. */
function relationRows(frame: Frame, sets: readonly PickSet[]) {
  const category = publishedCategory(frame)
  const predicted = numbers(frame, 'part_predictedCategory')
  return ['F', 'B', 'CF', 'CB'].flatMap((name, k) => {
    const sign = (bits: number) => `${name}${(bits & (8 >> k)) === 0 ? '-' : '+'}`
    return tally(
      sets,
      (row) => sign(categoryOf(category(row) || '0000')),
      (row) => (Number.isNaN(predicted[row]) ? 'INVALID' : sign(predicted[row] as number)),
    )
  })
}

/** Items by length and category: Figures 3 to 10. */
export const distributions: Analysis = {
  id: 'pbebench/figure3',
  title: 'Items by length and relation category',
  source: { paper: PAPER, item: 'Figures 3 to 10' },
  needs: ['feature_length', 'feature_category'],
  run(frame) {
    // Every style asks the same items.
    const { conditions, columns, panel } = conditionsOf(frame, ['config'])
    const length = frame.number('feature_length')
    const counts = (id: string, title: string, of: (row: number) => string): Table =>
      table(
        id,
        title,
        [...columns, text('level', title), number('items', 'Items'), share('share', 'Share')],
        conditions.flatMap(({ key, rows }) => {
          const items = byItem(frame, rows).map((list) => list[0] as number)
          return [...Map.groupBy(items, of)]
            .sort(byKey)
            .map(([level, own]) => ({ ...key, level, items: own.length, share: own.length / items.length }))
        }),
      )
    const isProved = ['feature_minimalLength', 'feature_lowerBound'].every((name) => frame.has(name))
    const tables = [
      counts('pbebench/figure3', 'Cascade length', (row) => String(length[row])),
      counts('pbebench/figure4', 'Relation category', publishedCategory(frame)),
      ...(isProved ? [counts('pbebench/minimal/needed', 'Rules needed', neededRules(frame))] : []),
      ...(frame.has('feature_exactCategory')
        ? [counts('pbebench/minimal/exact', 'Exact relation category', exactCategories(frame))]
        : []),
    ]
    return {
      tables,
      figures: tables.map((one) =>
        figure(one, { x: { key: 'level', scale: 'category' }, y: 'items', facet: panel, marks: [{ kind: 'bar' }] }),
      ),
    }
  },
}
