import type { Analysis } from '../../../core/analysis.ts'
import { accuracyBy, estimate, levelsOf, pairedBy, pairedColumns, pairedRows, paper, text } from './cells.ts'

interface Contrast {
  readonly id: string
  readonly title: string
  readonly item: string
  readonly column: string
  readonly label: string
  /** Shown side by side within these. */
  readonly apart?: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Accuracy under each level of one presentation or content knob, and paired differences between every two levels on
 * the items they share: flavour (figure 5), ordering (figure 7), congruency (figure 8).
 */
export const contrast = ({ id, title, item, column, label, apart = [], notes }: Contrast): Analysis => ({
  id,
  title,
  source: { paper, item },
  notes: [...notes, 'Differences are paired by index and seed; p values are of one difference each, not adjusted.'],
  needs: ['model', 'draw', 'state', 'value', column, ...apart],
  run(frame) {
    const levels = levelsOf(frame, column)
    const rows = accuracyBy(frame, [...apart, column]).map(({ model, key, accuracy }) => ({
      model,
      panel: [model, ...apart.map((name) => key[name] ?? '-')].join(', '),
      ...Object.fromEntries(apart.map((name) => [name, key[name] ?? null])),
      condition: key[column] ?? null,
      accuracy,
    }))
    const differences = levels.flatMap((a, i) =>
      levels.slice(i + 1).flatMap((b) => pairedRows(`${a} - ${b}`, pairedBy(frame, column, a, b, apart))),
    )
    return {
      tables: [
        {
          id,
          title: `Accuracy by ${label.toLowerCase()}`,
          columns: [
            text('model', 'Model'),
            ...apart.map((name) => text(name, name.replace('feature_', ''))),
            text('condition', label),
            estimate('accuracy', 'Accuracy'),
          ],
          rows,
        },
        {
          id: `${id}-paired`,
          title: `Paired differences by ${label.toLowerCase()}`,
          columns: pairedColumns,
          rows: differences,
        },
      ],
      figures: [
        {
          id,
          title: `Accuracy by ${label.toLowerCase()}`,
          table: id,
          x: { key: apart.length > 0 ? 'panel' : 'model', label: 'Model', scale: 'category' },
          y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
          marks: [
            { kind: 'interval', series: 'condition' },
            { kind: 'point', series: 'condition' },
          ],
        },
      ],
    }
  },
})
