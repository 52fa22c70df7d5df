import type { Analysis } from '../../../core/analysis.ts'
import { figure, heatMarks } from '../../../core/tables.ts'
import { accuracyTable, itemsIn, NEEDS, number, paper, rowsWith } from './accuracy.ts'
import { blocksBeside, named } from './settings.ts'

/** Figures 4, 10 and 11: accuracy by size and symbolic distance. Distance 1 is a needle in a haystack. */
export const heatmap = (task: string, size: string, label: string): Analysis => ({
  id: `recoglab/figure4-${task}`,
  title: 'Accuracy by size and symbolic distance',
  source: { paper, item: 'figures 4, 10 and 11' },
  notes: ['Distances are balanced by design, so each cell of a size has about as many items.'],
  needs: [...NEEDS, size, 'feature_distance'],
  run(frame) {
    const settings = named(blocksBeside(frame, [size], rowsWith(frame, 'feature_distance')))
    const cells = accuracyTable(
      frame,
      settings,
      [`recoglab/figure4-${task}`, 'Accuracy by size and distance'],
      [
        [size, number('size', label)],
        ['feature_distance', number('distance', 'Symbolic distance')],
      ],
      { columns: [number('n', 'Items')], of: ({ rows }) => ({ n: itemsIn(frame, rows) }) },
    )
    const several = settings.length > 1
    // Networks of other kinds have other distances, so each setting has a figure.
    const figures = settings.map(({ setting }) =>
      figure(cells, {
        id: several ? `${cells.id}-${inFileName(setting)}` : cells.id,
        title: several ? `${cells.title}: ${setting}` : cells.title,
        only: several ? { column: 'setting', value: setting } : undefined,
        x: { key: 'size', scale: 'category' },
        y: { key: 'distance', scale: 'category' },
        facet: 'model',
        marks: heatMarks('accuracy', 'n'),
      }),
    )
    return { tables: [cells], figures }
  },
})

const inFileName = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')
