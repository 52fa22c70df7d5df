import { type Analysis, type Frame, figure, type Table, table } from '../../../core/index.ts'
import { titled } from '../../../libraries/statistics/index.ts'
import { conditionsOf, estimate, itemPasses, model, number, overItems, text } from './common.ts'

/** Rules that an item needs, by row: proved, or the range that the proof leaves open (`2-3`: at least two, three are known). */
export function neededRules(frame: Frame): (row: number) => string {
  const [proved, bound, planted] = ['minimalLength', 'lowerBound', 'length'].map((name) =>
    frame.number(`feature_${name}`),
  ) as [Float64Array, Float64Array, Float64Array]
  return (row) => (Number.isNaN(proved[row] as number) ? `${bound[row]}-${planted[row]}` : `${proved[row]}`)
}

/** The category under the exact definition, by row. */
export function exactCategories(frame: Frame): (row: number) => string {
  const { codes, levels } = frame.category('feature_exactCategory')
  return (row) => levels[codes[row] as number] ?? ''
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
  needs: ['value', 'feature_length', 'feature_minimalLength', 'feature_lowerBound', 'feature_exactCategory'],
  run(frame) {
    const [needed, category] = [neededRules(frame), exactCategories(frame)]
    const { systems, columns, panel } = conditionsOf(frame)
    const byLevel = (id: string, title: string, of: (row: number) => string): Table =>
      table(
        id,
        title,
        [...columns, model, text('level', title), number('items', 'Items'), estimate('pass', 'Pass@1')],
        systems.flatMap(({ key, rows }) =>
          [...Map.groupBy(itemPasses(frame, rows), ({ row }) => of(row))]
            .sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))
            .map(([level, items]) => ({
              ...key,
              level,
              items: items.length,
              pass: overItems(items.map(({ pass }) => pass)),
            })),
        ),
      )
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
