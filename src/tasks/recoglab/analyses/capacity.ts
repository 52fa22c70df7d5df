import type { Analysis } from '../../../core/analysis.ts'
import { blocksBeside, named } from './blocks.ts'
import { accuracyBy, chanceColumn, estimate, level, levelsIn, number, paper, text } from './cells.ts'

/** Figure 3: accuracy against the number of entities, a line a model. `feature` is the task's measure of size. */
export const capacity = (task: string, feature: string, label: string): Analysis => ({
  id: `recoglab/figure3-${task}`,
  title: `Capacity: accuracy against ${label.toLowerCase()}`,
  source: { paper, item: 'figure 3' },
  notes: [
    'Each size is a config of its own; configs share their randomness. Sizes are compared inside a setting: all else that features tell of the configs, and the style, is equal. Settings with one size are left out.',
    'local-1 was fitted to the statements around the terms asked about and sees no others: a curve that it climbs tells nothing of reasoning.',
  ],
  needs: ['task', 'item', 'model', 'config', 'state', 'value', feature],
  run(frame) {
    const { settings, columns, facet } = named(
      blocksBeside(frame, [feature]).filter((block) => levelsIn(frame, feature, block.rows).length > 1),
    )
    const rows = settings.flatMap(({ setting, rows: mine }) =>
      accuracyBy(frame, [feature], mine).map(({ model, key, accuracy, chance }) => ({
        setting,
        model,
        size: level(key[feature] ?? null),
        accuracy,
        chance,
      })),
    )
    if (rows.length === 0) return { tables: [] }
    const id = `recoglab/figure3-${task}`
    return {
      tables: [
        {
          id,
          title: 'Accuracy by size',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('size', label),
            estimate('accuracy', 'Accuracy'),
            ...chanceColumn(rows),
          ],
          rows,
        },
      ],
      figures: [
        {
          id,
          title: `Accuracy by ${label.toLowerCase()}`,
          table: id,
          x: { key: 'size', label },
          y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
          ...facet,
          marks: [
            { kind: 'interval', series: 'model' },
            { kind: 'line', series: 'model' },
            { kind: 'point', series: 'model' },
          ],
        },
      ],
    }
  },
})
