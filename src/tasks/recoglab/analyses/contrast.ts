import type { Analysis, Frame } from '../../../core/analysis.ts'
import { allRows, partition } from '../../../libraries/statistics/index.ts'
import { type Block, blocksBeside, named } from './blocks.ts'
import { accuracyBy, chanceColumn, estimate, levelsIn, paper, text } from './cells.ts'
import { pairedBy, pairedColumns } from './pairs.ts'

interface Contrast {
  readonly id: string
  readonly title: string
  readonly item: string
  readonly column: string
  readonly label: string
  /** The levels compared; left out: all that occur. */
  readonly among?: readonly string[]
  /** Features that change with the level. */
  readonly follows?: readonly string[]
  /** Knobs over whose values a condition is averaged: those run under every condition. */
  readonly pooled?: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Accuracy under each level of one presentation or content knob, and paired differences between every two levels on
 * the items they share: flavour (figure 5), ordering (figure 7), congruency (figure 8).
 */
export const contrast = ({ id, title, item, column, label, among, notes, ...more }: Contrast): Analysis => ({
  id,
  title,
  source: { paper, item },
  notes: [
    ...notes,
    'Conditions are compared inside a setting: all else that features tell of the configs, and the style, is equal.',
    'Pairs share index, seed and sample, and every feature that does not follow from the condition. p: Student t on contexts (sign flips where all show one difference), not adjusted; McNemar takes pairs as independent and needs one sample an item.',
  ],
  needs: ['task', 'item', 'model', 'config', 'draw', 'state', 'value', column],
  run(frame) {
    const knob = { column, follows: more.follows ?? [], pooled: more.pooled ?? [] }
    const { codes, levels } = frame.category(column)
    const compared = allRows(frame).filter((row) => among?.includes(levels[codes[row] as number] as string) ?? true)
    const { settings, columns, facet } = named(
      blocksBeside(frame, [column, ...knob.follows, ...knob.pooled], compared)
        .map((block) => underAll(frame, block, column, knob.pooled))
        .filter(({ rows }) => levelsIn(frame, column, rows).length > 1),
    )
    if (settings.length === 0) return { tables: [] }
    const cells = settings.flatMap(({ setting, rows }) =>
      accuracyBy(frame, [column], rows).map(({ model, key, accuracy, chance }) => ({
        setting,
        model,
        condition: key[column] ?? null,
        accuracy,
        chance,
      })),
    )
    return {
      tables: [
        {
          id,
          title: `Accuracy by ${label.toLowerCase()}`,
          columns: [
            ...columns,
            text('model', 'Model'),
            text('condition', label),
            estimate('accuracy', 'Accuracy'),
            ...chanceColumn(cells),
          ],
          rows: cells,
        },
        {
          id: `${id}-paired`,
          title: `Paired differences by ${label.toLowerCase()}`,
          columns: [...columns, ...pairedColumns],
          rows: settings.flatMap(({ setting, rows }) =>
            couples(levelsIn(frame, column, rows)).flatMap(([a, b]) =>
              pairedBy(frame, knob, [a, b], rows).map((found) => ({ setting, comparison: `${a} - ${b}`, ...found })),
            ),
          ),
        },
      ],
      figures: [
        {
          id,
          title: `Accuracy by ${label.toLowerCase()}`,
          table: id,
          x: { key: 'model', label: 'Model', scale: 'category' },
          y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
          ...facet,
          marks: [
            { kind: 'interval', series: 'condition' },
            { kind: 'point', series: 'condition' },
          ],
        },
      ],
    }
  },
})

/** A block without the values of the pooled knobs that lack one of its conditions, so that all average over the same. */
function underAll(frame: Frame, { key, rows }: Block, column: string, pooled: readonly string[]): Block {
  const conditions = levelsIn(frame, column, rows).length
  const kept = partition(frame, pooled, rows).filter((part) => levelsIn(frame, column, part.rows).length === conditions)
  return { key, rows: Int32Array.from(kept.flatMap((part) => [...part.rows])) }
}

/** Every two of a list, the earlier first. */
const couples = <T>(list: readonly T[]): (readonly [T, T])[] =>
  list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b] as const))
