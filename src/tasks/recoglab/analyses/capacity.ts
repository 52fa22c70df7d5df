import type { Analysis } from '../../../core/analysis.ts'
import { figure, marksBy } from '../../../core/tables.ts'
import { accuracyTable, levelsIn, NEEDS, number, paper } from './accuracy.ts'
import { blocksBeside, named, panels } from './settings.ts'

/** Figure 3: accuracy against the number of entities. `feature` is the task's measure of size. */
export const capacity = (task: string, feature: string, label: string): Analysis => ({
  id: `recoglab/figure3-${task}`,
  title: `Capacity: accuracy against ${label.toLowerCase()}`,
  source: { paper, item: 'figure 3' },
  notes: [
    'Each size is a config; configs share their randomness. Settings with one size are omitted.',
    'local-1 is fitted to the statements around the queried terms and sees no others: a curve that it matches needs no reasoning.',
  ],
  needs: [...NEEDS, feature],
  run(frame) {
    const settings = named(
      blocksBeside(frame, [feature]).filter(({ rows }) => levelsIn(frame, feature, rows).length > 1),
    )
    const sizes = accuracyTable(
      frame,
      settings,
      [`recoglab/figure3-${task}`, 'Accuracy by size'],
      [[feature, number('size', label)]],
    )
    const curve = figure(sizes, {
      title: `Accuracy by ${label.toLowerCase()}`,
      x: 'size',
      y: 'accuracy',
      facet: panels(settings),
      marks: marksBy('model', 'interval', 'line', 'point'),
    })
    return { tables: [sizes], figures: [curve] }
  },
})
