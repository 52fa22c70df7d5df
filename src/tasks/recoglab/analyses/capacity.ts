import type { Analysis } from '../../../core/analysis.ts'
import { accuracyBy, estimate, level, number, paper, text } from './cells.ts'

/** Figure 3: accuracy against the number of entities, a line a model. `feature` is the task's measure of size. */
export const capacity = (task: string, feature: string, label: string): Analysis => ({
  id: `recoglab/figure3-${task}`,
  title: `Capacity: accuracy against ${label.toLowerCase()}`,
  source: { paper, item: 'figure 3' },
  notes: ['Each size is a config of its own; configs share their randomness, so sizes differ in nothing else.'],
  needs: ['model', 'state', 'value', feature],
  run(frame) {
    const rows = accuracyBy(frame, [feature]).map(({ model, key, accuracy }) => ({
      model,
      size: level(key[feature] ?? null),
      accuracy,
    }))
    const id = `recoglab/figure3-${task}`
    return {
      tables: [
        {
          id,
          title: 'Accuracy by size',
          columns: [text('model', 'Model'), number('size', label), estimate('accuracy', 'Accuracy')],
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
