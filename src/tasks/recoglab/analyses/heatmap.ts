import type { Analysis, Figure } from '../../../core/analysis.ts'
import { blocksBeside, named } from './blocks.ts'
import { accuracyBy, estimate, itemsIn, level, number, paper, rowsWith, text } from './cells.ts'

/**
 * Figures 4, 10 and 11: accuracy by size and symbolic distance, with the number of items in each cell. Distance 1 is a
 * needle in a haystack.
 */
export const heatmap = (task: string, size: string, label: string): Analysis => ({
  id: `recoglab/figure4-${task}`,
  title: 'Accuracy by size and symbolic distance',
  source: { paper, item: 'figures 4, 10 and 11' },
  notes: ['Distances are balanced by design, so each cell of a size has about as many items.'],
  needs: ['task', 'item', 'model', 'config', 'state', 'value', size, 'feature_distance'],
  run(frame) {
    const asked = rowsWith(frame, 'feature_distance')
    const { settings, columns } = named(blocksBeside(frame, [size], asked))
    const rows = settings.flatMap(({ setting, rows: mine }) =>
      accuracyBy(frame, [size, 'feature_distance'], mine).map(({ model, key, rows: cell, accuracy }) => ({
        setting,
        model,
        size: level(key[size] ?? null),
        distance: level(key['feature_distance'] ?? null),
        accuracy,
        n: itemsIn(frame, cell),
      })),
    )
    if (rows.length === 0) return { tables: [] }
    const id = `recoglab/figure4-${task}`
    return {
      tables: [
        {
          id,
          title: 'Accuracy by size and distance',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('size', label),
            number('distance', 'Symbolic distance'),
            estimate('accuracy', 'Accuracy'),
            number('n', 'Items'),
          ],
          rows,
        },
      ],
      // Networks of other kinds have other distances: a picture each.
      figures:
        settings.length === 1
          ? [figure(label, id, id)]
          : settings.map(({ setting }) => figure(label, id, `${id}-${inFileName(setting)}`, setting)),
    }
  },
})

const figure = (label: string, table: string, id: string, setting?: string): Figure => ({
  id,
  title: `Accuracy by size and distance${setting === undefined ? '' : `: ${setting}`}`,
  table,
  ...(setting === undefined ? {} : { only: { column: 'setting', value: setting } }),
  x: { key: 'size', label, scale: 'category' },
  y: { key: 'distance', label: 'Symbolic distance', scale: 'category' },
  facet: 'model',
  marks: [
    { kind: 'cell', series: 'accuracy' },
    { kind: 'text', series: 'accuracy' },
    { kind: 'text', series: 'n' },
  ],
})

const inFileName = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')
