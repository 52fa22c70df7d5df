import { type Analysis, type Frame, figure, marksBy, optional, type Task, table } from '../../core/index.ts'
import {
  allRows,
  bySystem,
  correctness,
  rowsByLevel,
  rowsWhere,
  scores,
  systems,
} from '../../libraries/statistics/index.ts'
import { REFERENCE_NOTES, type References, referencesOf } from '../references.ts'
import { accuracyOver, count, estimate, model, share, text } from './conditions.ts'
import { type Factor, factors } from './features.ts'

/** Accuracy against each declared feature of one task: a table and a figure per feature. */
export const byFeature = (task: Task): Analysis => ({
  id: `core/by-feature/${task.name}`,
  title: `Accuracy by feature: ${task.name}`,
  notes: [
    'All prompt styles and configs pooled. Features with more than 60 values are binned (10 bins of equal count).',
    ...REFERENCE_NOTES,
  ],
  needs: ['model', 'item', 'state', 'value'],
  run(frame) {
    const correct = correctness(scores(frame))
    const counted = rowsWhere(allRows(frame), (row) => !Number.isNaN(correct[row]))
    const references = referencesOf(frame, task, counted)
    const found = factors(task, frame).map((factor) => ofFactor(task, factor, frame, { correct, counted, references }))
    return { tables: found.map((one) => one.table), figures: found.map((one) => one.figure) }
  },
})

/** More models are drawn in panels side by side. */
export const MAX_IN_PANEL = 4

interface Counted {
  readonly correct: Float64Array
  readonly counted: Int32Array
  readonly references: References | null
}

function ofFactor(task: Task, factor: Factor, frame: Frame, { correct, counted, references }: Counted) {
  const { label, levels, codes, numeric } = factor
  const unit = factor.unit ?? undefined
  const rowsAt = (rows: Int32Array) => rowsByLevel(rows, codes, levels.length)
  const lines = rowsAt(counted).map((here) => ({
    chance: references?.chance(here) ?? null,
    heuristic: references?.heuristic?.of(here) ?? null,
  }))
  const all = bySystem(systems(frame), counted)
  const rows = all.flatMap(({ contestant, rows: own }) =>
    rowsAt(own).flatMap((here, k) =>
      here.length === 0
        ? []
        : [
            {
              model: contestant,
              level: levels[k]?.label ?? '',
              at: levels[k]?.at ?? null,
              n: here.length,
              accuracy: accuracyOver(frame, correct, here),
              ...lines[k],
            },
          ],
    ),
  )
  const made = table(
    `core/by-feature/${task.name}/${factor.name}`,
    `Accuracy by ${label}`,
    [
      model,
      { ...text('level', label), ...(unit === undefined ? {} : { unit }) },
      optional(count('at', `${label} (position)`, unit)),
      count('n', 'Responses'),
      estimate('accuracy', 'Accuracy'),
      optional(share('chance', 'Chance')),
      optional(share('heuristic', `Heuristic baseline: ${references?.heuristic?.name}`)),
    ],
    rows,
  )
  const crowded = systems(frame).labels.length > MAX_IN_PANEL
  const kinds = ['interval', ...(numeric ? (['line'] as const) : []), 'point'] as const
  return {
    table: made,
    figure: figure(made, {
      x: numeric ? { key: 'at', label, scale: 'linear' } : { key: 'level', scale: 'category' },
      y: 'accuracy',
      facet: crowded ? 'model' : undefined,
      marks: [
        { kind: 'reference', y: 'chance' },
        { kind: 'reference', y: 'heuristic' },
        ...(crowded ? kinds.map((kind) => ({ kind })) : marksBy('model', ...kinds)),
      ],
    }),
  }
}
