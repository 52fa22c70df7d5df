import { type Analysis, type Frame, figure, marksBy, optional, type Task, table } from '../../core/index.ts'
import { MIN_SHOWN_ITEMS } from '../../libraries/statistics/group-counts.ts'
import {
  allRows,
  correctness,
  rowsByLevel,
  rowsWhere,
  scores,
  systems,
  systemsIn,
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
    'Values with fewer than 10 responses of a model are joined with their neighbours in figures (at most 6 bins).',
    ...REFERENCE_NOTES,
  ],
  needs: ['model', 'item', 'status', 'score'],
  run(frame) {
    const correct = correctness(scores(frame))
    const counted = rowsWhere(allRows(frame), (row) => !Number.isNaN(correct[row]))
    const references = referencesOf(frame, task, counted)
    const facts = { correct, counted, references }
    const systemCount = systemsIn(frame, counted).length
    const found = factors(task, frame).map((factor) => {
      const each = ofFactor(task, factor, frame, facts)
      const bins = binned(factor, counted, systemCount)
      if (bins === null) return { tables: [each.table], figure: each.figure }
      const drawn = ofFactor(task, bins, frame, facts, '/binned')
      return { tables: [each.table, drawn.table], figure: drawn.figure }
    })
    return { tables: found.flatMap(({ tables }) => tables), figures: found.map(({ figure: one }) => one) }
  },
})

/** More models are drawn in panels side by side. */
export const MAX_IN_PANEL = 4

interface Counted {
  readonly correct: Float64Array
  readonly counted: Int32Array
  readonly references: References | null
}

/** Most bins of a number some values of which have too few responses of a model to be drawn. */
const MAX_BINS = 6

/** Neighbouring values joined into bins of about equal size; null where each value has enough responses, or all have too few. */
function binned(factor: Factor, rows: Int32Array, systemCount: number): Factor | null {
  const counts = rowsByLevel(rows, factor.codes, factor.levels.length).map(({ length }) => length / systemCount)
  const total = counts.reduce((sum, n) => sum + n, 0)
  const bins = Math.min(MAX_BINS, Math.floor(total / (1.5 * MIN_SHOWN_ITEMS)))
  if (!factor.numeric || bins < 2 || counts.every((n) => n >= MIN_SHOWN_ITEMS)) return null
  let before = 0
  const binOf = counts.map((n) => {
    const middle = before + n / 2
    before += n
    return Math.min(bins - 1, Math.floor((middle / total) * bins))
  })
  const used = [...new Set(binOf)]
  const levels = used.map((bin) => {
    const inside = factor.levels.filter((_, i) => binOf[i] === bin)
    const weights = counts.filter((_, i) => binOf[i] === bin)
    const weight = weights.reduce((sum, n) => sum + n, 0)
    const at = inside.reduce((sum, level, i) => sum + (level.at ?? 0) * (weights[i] as number), 0) / weight
    const [first, last] = [inside[0]?.label ?? '', inside.at(-1)?.label ?? '']
    return { label: inside.length === 1 ? first : `${first} to ${last}`, at }
  })
  const codes = factor.codes.map((code) => (code < 0 ? code : used.indexOf(binOf[code] as number)))
  return { ...factor, levels, codes }
}

function ofFactor(
  task: Task,
  factor: Factor,
  frame: Frame,
  { correct, counted, references }: Counted,
  suffix: '' | '/binned' = '',
) {
  const { label, levels, codes, numeric } = factor
  const unit = factor.unit ?? undefined
  const rowsAt = (rows: Int32Array) => rowsByLevel(rows, codes, levels.length)
  const lines = rowsAt(counted).map((here) => ({
    chance: references?.chance(here) ?? null,
    heuristic: references?.heuristic?.of(here) ?? null,
  }))
  const all = systemsIn(frame, counted)
  const rows = all.flatMap(({ model, rows: own }) =>
    rowsAt(own).flatMap((here, k) =>
      here.length === 0
        ? []
        : [
            {
              model,
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
    `core/by-feature/${task.name}/${factor.name}${suffix}`,
    `Accuracy by ${label}${suffix === '' ? '' : ' (binned)'}`,
    [
      model,
      { ...text('level', label), ...(unit === undefined ? {} : { unit }) },
      { ...optional(count('at', `${label} (position)`, unit)), isPlace: true },
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
      x:
        numeric && suffix === ''
          ? { key: 'at', label, scale: 'linear' }
          : { key: 'level', scale: 'category', isBinned: true },
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
