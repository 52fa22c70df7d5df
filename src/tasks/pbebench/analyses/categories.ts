import { type Analysis, type Frame, figure, heatMarks, type Table, table, tableOf } from '../../../core/index.ts'
import { categoryCode, categoryOf } from '../../../libraries/rewriting/index.ts'
import { titled } from '../../../libraries/statistics/index.ts'
import {
  bestOf,
  byItem,
  conditionsOf,
  estimate,
  itemPasses,
  model,
  number,
  numbers,
  overItems,
  PAPER,
  share,
  text,
} from './common.ts'

/** Cascades by length and relation category: how many items there are, who solves them, and what is predicted. */

type OfRow = (row: number) => string

/** Rules that an item needs, by row: proved, or the range that the proof leaves open (`2-3`: at least two, three are known). */
function neededRules(frame: Frame): OfRow {
  const [proved, bound, planted] = ['minimalLength', 'lowerBound', 'length'].map((name) =>
    frame.number(`feature_${name}`),
  ) as [Float64Array, Float64Array, Float64Array]
  return (row) => (Number.isNaN(proved[row] as number) ? `${bound[row]}-${planted[row]}` : `${proved[row]}`)
}

const levelOf =
  (name: string) =>
  (frame: Frame): OfRow => {
    const { codes, levels } = frame.category(name)
    return (row) => levels[codes[row] as number] ?? ''
  }

const publishedCategory = levelOf('feature_category')
/** The category under the exact definition. */
export const exactCategories = levelOf('feature_exactCategory')

const CODES = Array.from({ length: 16 }, (_, bits) => categoryCode(bits))

/** The category of a predicted cascade, by row; cascades that cannot be parsed are INVALID. */
const predictedCategory = (frame: Frame, part: string): OfRow => {
  const category = numbers(frame, `subscore_${part}`)
  return (row) => CODES[category[row] as number] ?? 'INVALID'
}

const predictedLength = (frame: Frame): OfRow => {
  const rules = numbers(frame, 'subscore_predictedRules')
  return (row) => (Number.isNaN(rules[row]) ? '0' : String(rules[row]))
}

/** Accuracy by the rules that an item needs, not by the planted ones. */
export const minimal: Analysis = {
  id: 'pbebench/minimal',
  title: 'Accuracy by exact category and minimal length',
  notes: [
    'Rules needed: length of the planted cascade where it is proved shortest; else the range from the proved lower bound to it.',
    'Categories: of the planted cascade under the exact definition; Tables 16 to 19 and Figures 4 and 23 to 30 use the published label.',
    'Every sample counts; CIs are over items.',
  ],
  needs: ['score', 'feature_length', 'feature_minimalLength', 'feature_lowerBound', 'feature_exactCategory'],
  run(frame) {
    const [needed, category] = [neededRules(frame), exactCategories(frame)]
    const { systems, columns, panel } = conditionsOf(frame)
    const byLevel = (id: string, title: string, of: OfRow): Table => {
      const rows = systems.flatMap(({ key, rows: own }) =>
        [...Map.groupBy(itemPasses(frame, own), ({ row }) => of(row))]
          .sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))
          .map(([level, items]) => ({ key, level, items })),
      )
      return tableOf(id, title, [...columns, model], rows, [
        [text('level', title), ({ level }) => level],
        [number('items', 'Items'), ({ items }) => items.length],
        [estimate('pass', 'Pass@1'), ({ items }) => overItems(items.map(({ pass }) => pass))],
      ])
    }
    const tables = [
      byLevel('pbebench/minimal/length', 'Rules needed', needed),
      byLevel('pbebench/minimal/category', 'Exact category', category),
      byLevel('pbebench/minimal/cells', 'Rules needed and exact category', (row) => `${needed(row)} ${category(row)}`),
    ]
    return {
      tables,
      figures: tables.slice(0, 2).map((one) =>
        figure(one, {
          title: titled('Accuracy', one.title.toLowerCase()),
          x: { key: 'level', scale: 'category' },
          y: 'pass',
          facet: panel,
          marks: [{ kind: 'point', series: 'model' }],
        }),
      ),
    }
  },
}

const ALL_MODELS = 'all models'

/** The best samples of a set of models, passed or failed. */
interface PickSet {
  readonly name: string
  readonly rows: readonly number[]
}

/**
 * Per item and model the sample with the highest reward: for all models of a condition together, and with several models for each
 * of them; passed and failed apart.
 */
function pickedIn(frame: Frame, parsed: Frame): readonly PickSet[] {
  const reward = numbers(parsed, 'subscore_editSimPublished')
  const pass = numbers(parsed, 'subscore_passPublished')
  return conditionsOf(frame).conditions.flatMap(({ name, systems }) => {
    const of = (system: string) => (name === '' ? system : titled(name, system))
    const each = systems.map(({ key, rows }) => ({
      name: of(key.model),
      rows: byItem(parsed, rows).map((list) => bestOf(list, reward)),
    }))
    const all = { name: of(ALL_MODELS), rows: each.flatMap(({ rows }) => rows) }
    return (each.length > 1 ? [all, ...each] : [all]).flatMap((set) => [
      { name: `passed, ${set.name}`, rows: set.rows.filter((row) => pass[row] === 1) },
      { name: `failed, ${set.name}`, rows: set.rows.filter((row) => pass[row] !== 1) },
    ])
  })
}

const EXACT = [
  'feature_exactCategory',
  'feature_minimalLength',
  'feature_lowerBound',
  'subscore_predictedExactCategory',
]

/** Predicted against true length, and relations, for passes and failures apart: Figures 19 to 30. */
export const confusions: Analysis = {
  id: 'pbebench/figure19',
  title: 'Predicted and true cascades',
  source: { paper: PAPER, item: 'Figures 19 to 30' },
  notes: [
    'Per item the sample with the highest reward; predictions end at the rule limit and are classified by the released test. INVALID: an unparsed rule.',
    'Passing with other relations than planted is no mistake: many items have several solutions.',
  ],
  needs: ['score', 'feature_length', 'feature_category', 'subscore_predictedRules'],
  run(frame, options) {
    const parsed = options.frameOf('published') ?? frame
    const sets = pickedIn(frame, parsed)
    const length = parsed.number('feature_length')
    const [needed, given] = [(row: number) => String(length[row]), predictedLength(parsed)]
    const [category, predicted] = [publishedCategory(parsed), predictedCategory(parsed, 'predictedCategory')]
    const made = (id: string, title: string, ...pairs: readonly (readonly [truth: OfRow, predicted: OfRow])[]) =>
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
        pairs.flatMap((pair) => tally(sets, ...pair)),
      )
    const relations = ['F', 'B', 'CF', 'CB'].map((name, k) => {
      const sign = (code: string) => `${name}${(categoryOf(code) & (8 >> k)) === 0 ? '-' : '+'}`
      return [
        (row: number) => sign(category(row) || '0000'),
        (row: number) => (predicted(row) === 'INVALID' ? 'INVALID' : sign(predicted(row))),
      ] as const
    })
    const tables = [
      made('pbebench/figure19', 'Cascade length', [needed, given]),
      made('pbebench/figure21', 'One relation at a time', ...relations),
      made('pbebench/figure23', 'Relation category', [category, predicted]),
    ]
    if (EXACT.every((name) => parsed.has(name))) {
      const exact = predictedCategory(parsed, 'predictedExactCategory')
      tables.push(
        made('pbebench/minimal/lengths', 'Rules needed (proved) and given', [neededRules(parsed), given]),
        made('pbebench/minimal/categories', 'Exact relation category', [exactCategories(parsed), exact]),
      )
    }
    return {
      tables,
      figures: tables.flatMap((one) =>
        // All models together; by category, as in the paper, each model too.
        sets.flatMap(({ name }) =>
          name.endsWith(ALL_MODELS) || one.id === 'pbebench/figure23'
            ? figure(one, {
                id: `${one.id}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')}`,
                title: `${one.title}: ${name}`,
                only: { column: 'set', value: name },
                x: { key: 'predicted', scale: 'category' },
                y: { key: 'truth', scale: 'category' },
                marks: heatMarks('share', 'count').filter((mark) => mark.kind === 'cell' || mark.series === 'count'),
              })
            : [],
        ),
      ),
    }
  },
}

/** Counts of (truth, predicted) with row shares, in long form. */
const tally = (sets: readonly PickSet[], truthOf: OfRow, predictedOf: OfRow) =>
  sets.flatMap(({ name, rows }) =>
    [...Map.groupBy(rows, truthOf)].sort(byKey).flatMap(([truth, inside]) =>
      [...Map.groupBy(inside, predictedOf)].sort(byKey).map(([predicted, own]) => ({
        set: name,
        truth,
        predicted,
        count: own.length,
        share: own.length / inside.length,
      })),
    ),
  )

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

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
    const counts = (id: string, title: string, of: OfRow): Table => {
      const rows = conditions.flatMap(({ key, rows: own }) => {
        const items = byItem(frame, own).map((list) => list[0] as number)
        return [...Map.groupBy(items, of)].sort(byKey).map(([level, here]) => ({ key, level, here, items }))
      })
      return tableOf(id, title, columns, rows, [
        [text('level', title), ({ level }) => level],
        [number('items', 'Items'), ({ here }) => here.length],
        [share('share', 'Share'), ({ here, items }) => here.length / items.length],
      ])
    }
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
