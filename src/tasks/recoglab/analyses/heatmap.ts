import type { Analysis } from '../../../core/analysis.ts'
import { accuracyBy, estimate, level, number, paper, text } from './cells.ts'

/**
 * Figures 4, 10 and 11: accuracy by size and symbolic distance, with the number of items in each cell. Distance 1 is a
 * needle in a haystack. `apart`: columns that get panels of their own beside the model.
 */
export const heatmap = (task: string, size: string, label: string, apart: readonly string[]): Analysis => ({
  id: `recoglab/figure4-${task}`,
  title: 'Accuracy by size and symbolic distance',
  source: { paper, item: 'figures 4, 10 and 11' },
  notes: ['Distances are balanced by design, so each cell of a size has about as many items.'],
  needs: ['model', 'state', 'value', size, 'feature_distance', ...apart],
  run(frame) {
    const rows = accuracyBy(frame, [...apart, size, 'feature_distance'])
      .filter(({ key }) => key['feature_distance'] !== null)
      .map(({ model, key, accuracy }) => ({
        panel: [model, ...apart.map((column) => key[column] ?? '-')].join(', '),
        model,
        ...Object.fromEntries(apart.map((column) => [column, key[column] ?? null])),
        size: level(key[size] ?? null),
        distance: level(key['feature_distance'] ?? null),
        accuracy,
        n: accuracy.n,
      }))
    const id = `recoglab/figure4-${task}`
    return {
      tables: [
        {
          id,
          title: 'Accuracy by size and distance',
          columns: [
            text('model', 'Model'),
            ...apart.map((column) => text(column, column.replace('feature_', ''))),
            number('size', label),
            number('distance', 'Symbolic distance'),
            estimate('accuracy', 'Accuracy'),
            number('n', 'Items'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id,
          title: 'Accuracy by size and distance',
          table: id,
          x: { key: 'size', label, scale: 'category' },
          y: { key: 'distance', label: 'Symbolic distance', scale: 'category' },
          facet: 'panel',
          marks: [
            { kind: 'cell', series: 'accuracy' },
            { kind: 'text', series: 'n' },
          ],
        },
      ],
    }
  },
})
