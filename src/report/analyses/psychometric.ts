import { type Analysis, type Frame, figure, marksBy, optional, type Task, table } from '../../core/index.ts'
import {
  allRows,
  bySystem,
  clusterCodes,
  clusteredMean,
  correctness,
  type LevelCounts,
  moments,
  type Psychometric,
  psychometric,
  rowsByLevel,
  rowsWhere,
  scores,
  shareOver,
  sum,
  systems,
  take,
} from '../../libraries/statistics/index.ts'
import { referencesOf } from '../references.ts'
import { MAX_IN_PANEL } from './by-feature.ts'
import { count, model, share } from './conditions.ts'
import { type Factor, factors } from './features.ts'
import { type AnsweredLevel, curveColumns, curvePoints, thresholdCells, thresholdColumns } from './thresholds.ts'

/** Psychometric curves over the numeric features that make a task harder. */
export const psychometrics = (task: Task): Analysis => ({
  id: `core/psychometric/${task.name}`,
  title: `Thresholds: ${task.name}`,
  source: { paper: 'Wichmann and Hill, Perception & Psychophysics 63 (2001)', item: 'psychometric function' },
  notes: [
    'P = chance + (1 − chance − lapse) × s; thresholds: where s = 50 % and 75 %. Profile-likelihood CIs, widened for groups.',
    'No trend (score test, 5 %): no curve is fitted; the share solved above chance is given.',
    'A small p of fit means the levels do not follow such a curve.',
  ],
  needs: ['model', 'item', 'status', 'score'],
  run(frame) {
    const correct = correctness(scores(frame))
    const found = factors(task, frame)
      .filter(({ name, numeric, levels }) => numeric && levels.length >= 3 && isDifficulty(task, name))
      .map((factor) => curvesOver(task, factor, frame, correct))
    return { tables: found.flatMap(({ tables }) => tables), figures: found.flatMap(({ figures }) => figures) }
  },
})

const isDifficulty = (task: Task, feature: string): boolean =>
  task.features.shape[feature]?.meta()?.['role'] === 'difficulty'

function curvesOver(task: Task, factor: Factor, frame: Frame, correct: Float64Array) {
  const { label, codes, levels } = factor
  const answered = rowsWhere(allRows(frame), (row) => !Number.isNaN(correct[row]) && (codes[row] as number) >= 0)
  const references = referencesOf(frame, task, answered)
  const chances = rowsByLevel(answered, codes, levels.length).map((inside) => references?.chance(inside) ?? null)
  const chanceKnown = chances.some((chance) => chance !== null)
  const all = bySystem(systems(frame), answered).map(({ contestant, rows }) => {
    const answers = levelsOf(factor, frame, rows, correct, chances)
    return { model: contestant, levels: answers, curve: fitted(factor, frame, rows, correct, answers) }
  })
  const id = `core/psychometric/${task.name}/${factor.name}`
  const thresholds = table(
    id,
    `Thresholds over ${label}`,
    [model, ...thresholdColumns(factor.unit ?? label)],
    all.map(({ model: name, levels: own, curve }) => ({ model: name, ...thresholdCells(curve, own) })),
  )
  const curves = table(
    `${id}/curve`,
    `Curves over ${label}`,
    [...curveColumns(count('at', label, factor.unit ?? undefined)), optional(share('chance', 'Chance'))],
    all.flatMap(({ model: name, levels: own, curve }) => curvePoints(name, own, curve, chanceKnown)),
  )
  // Without a trend the figure by feature shows the same.
  const hasTrend = all.some(({ curve }) => curve.kind !== 'none' && curve.kind !== 'flat')
  const figures = hasTrend ? [curveFigure(id, thresholds.title, curves, all.length)] : []
  return { tables: [thresholds, curves], figures }
}

/** Curves with the accuracies that they are fitted to; many models in panels. */
export function curveFigure(id: string, title: string, curves: Parameters<typeof figure>[0], models: number) {
  const crowded = models > MAX_IN_PANEL
  const marks = crowded
    ? (['interval', 'point'] as const).map((kind) => ({ kind }))
    : marksBy('model', 'interval', 'point')
  return figure(curves, {
    id,
    title,
    x: { key: 'at', scale: 'linear' },
    y: 'accuracy',
    facet: crowded ? 'model' : undefined,
    marks: [
      { kind: 'reference', y: 'chance' },
      { kind: 'line', y: 'curve', ...(crowded ? {} : { series: 'model' }) },
      ...marks,
    ],
  })
}

function levelsOf(
  { levels, codes }: Factor,
  frame: Frame,
  rows: Int32Array,
  correct: Float64Array,
  chances: readonly (number | null)[],
): readonly AnsweredLevel[] {
  return rowsByLevel(rows, codes, levels.length).map((here, k) => ({
    at: levels[k]?.at as number,
    n: here.length,
    right: sum(take(correct, here)),
    chance: chances[k] ?? 0,
    accuracy: shareOver(frame, correct, here),
  }))
}

/** Fitted twice: the residuals of the first fit give the design effect of items in groups. */
function fitted(
  { codes }: Factor,
  frame: Frame,
  rows: Int32Array,
  correct: Float64Array,
  levels: readonly LevelCounts[],
): Psychometric {
  const first = psychometric(levels)
  if (first.kind === 'none') return first
  const expected = levels.map(({ at, chance }) => first.share(at, chance))
  const residuals = take(correct, rows).map(
    (value, i) => value - (expected[codes[rows[i] as number] as number] as number),
  )
  const { standardError, n } = clusteredMean(residuals, clusterCodes(frame, rows))
  const { variance } = moments(residuals)
  if (standardError === null || variance === 0) return first
  return psychometric(levels, { design: (standardError * standardError * n) / variance })
}
