import type { Analysis, Frame, Table } from '../../../core/index.ts'
import { scores } from '../../../libraries/statistics/index.ts'
import { type Arm, partsOf, titled } from './arms.ts'
import { byItem, estimate, mean, number, overItems, passed, text } from './common.ts'

/** How many rules an item needs, by row: proved, or what the proof leaves open (`2-3`: two at least, three are known). */
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

/** Accuracy by what an item needs, not by what was planted. */
export const minimal: Analysis = {
  id: 'pbebench/minimal',
  title: 'Accuracy by exact category and minimal length',
  notes: [
    'Rules needed: the length of a shortest cascade where the planted one is proved to be one; else a range, from what is proved of every cascade to the length of the planted one. Categories are those of the planted cascade under the exact definition; the published label of the same items is in Tables 16 to 19 and Figures 4 and 23 to 30.',
    'Every sample counts; intervals are over items.',
  ],
  needs: ['value', 'feature_length', 'feature_minimalLength', 'feature_lowerBound', 'feature_exactCategory'],
  run(frame) {
    const [needed, category] = [neededRules(frame), exactCategories(frame)]
    const both = (row: number): string => `${needed(row)} ${category(row)}`
    const { parts, columns, facet } = partsOf(frame)
    const value = scores(frame)
    const table = (id: string, title: string, of: (row: number) => string): Table => ({
      id,
      title,
      columns: [
        ...columns,
        text('model', 'Model'),
        text('level', title),
        number('items', 'Items'),
        estimate('pass', 'Pass@1'),
      ],
      rows: parts.flatMap(({ arms }) => arms.flatMap((arm) => levelsOf(frame, value, arm, of))),
    })
    const tables = [
      table('pbebench/minimal/length', 'Rules needed', needed),
      table('pbebench/minimal/category', 'Exact category', category),
      table('pbebench/minimal/cells', 'Rules needed and exact category', both),
    ]
    return {
      tables,
      figures: tables.slice(0, 2).map(({ id, title }) => ({
        id,
        title: titled('Accuracy', title.toLowerCase()),
        table: id,
        ...facet,
        x: { key: 'level', label: title, scale: 'category' as const },
        y: { key: 'pass', label: 'Pass@1' },
        marks: [{ kind: 'point' as const, x: 'level', y: 'pass', series: 'model' }],
      })),
    }
  },
}

function levelsOf(frame: Frame, value: Float64Array, { key, rows }: Arm, of: (row: number) => string) {
  const levels = new Map<string, number[]>()
  for (const list of byItem(frame, rows)) {
    const share = mean(
      list.map((row) => (Number.isNaN(value[row] as number) ? Number.NaN : passed(value[row] as number))),
    )
    if (share === null) continue
    const level = of(list[0] as number)
    levels.set(level, [...(levels.get(level) ?? []), share])
  }
  return [...levels]
    .sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))
    .map(([level, shares]) => ({ ...key, level, items: shares.length, pass: overItems(shares) }))
}
