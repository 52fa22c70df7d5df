import type { Analysis, Figure, Frame, Table, Task } from '../../core/index.ts'
import {
  allRows,
  bySystem,
  clusterCodes,
  clusteredMean,
  clusteredShare,
  correctness,
  type LevelCounts,
  moments,
  type Psychometric,
  psychometric,
  rowsByLevel,
  rowsWhere,
  scores,
  systems,
  take,
} from '../../libraries/statistics/index.ts'
import { blindOf } from '../blind.ts'
import { count, estimate, share, text } from './columns.ts'
import { type AnsweredLevel, curvePoints, thresholdCells, thresholdColumns } from './curve-cells.ts'
import { type Factor, factors } from './features.ts'

/** Where models break: psychometric curves over the numeric features that make a task harder. */
export const psychometrics = (task: Task): Analysis => ({
  id: `core/psychometric/${task.name}`,
  title: `Where it breaks: ${task.name}`,
  source: { paper: 'Wichmann and Hill, Perception & Psychophysics 63 (2001)', item: 'psychometric function' },
  notes: [
    'P = chance + (1 - chance - lapse) s, with s falling (or rising) from 1 to 0 along the feature. 50 % and 75 %: the value at which s is that, so that tasks of other chance compare.',
    'Chance is that of the items; where it is not known, 0. Lapses are slips on items however easy (a weak prior, mean 5 %). Profile-likelihood intervals, widened for items in groups.',
    'Where the answers show no trend over the feature (score test, 5 %) no curve is fitted: thresholds would be of noise. What is solved beyond guesses at every value is said instead.',
    'A threshold that lies outside of the values asked is said, not guessed. A small p of the fit says that the levels lie on no such curve, as where the feature is not what makes items hard.',
  ],
  needs: ['model', 'item', 'state', 'value'],
  run(frame) {
    const right = correctness(scores(frame))
    const knobs = factors(task, frame).filter(
      ({ name, numeric, levels }) => numeric && levels.length >= 3 && isDifficulty(task, name),
    )
    const found = knobs.map((factor) => ofKnob(task, factor, frame, right))
    return {
      tables: found.flatMap(({ thresholds, curve }) => [thresholds, curve]),
      figures: found.map(({ figure }) => figure),
    }
  },
})

const isDifficulty = (task: Task, feature: string): boolean =>
  task.features.shape[feature]?.meta()?.['role'] === 'difficulty'

/** More models than this are drawn side by side. */
const MAX_TOGETHER = 4

function ofKnob(
  task: Task,
  factor: Factor,
  frame: Frame,
  right: Float64Array,
): { thresholds: Table; curve: Table; figure: Figure } {
  const who = systems(frame)
  const answered = rowsWhere(allRows(frame), (row) => !Number.isNaN(right[row]) && (factor.codes[row] as number) >= 0)
  const blind = blindOf(frame, task, answered)
  const chances = rowsByLevel(answered, factor.codes, factor.levels.length).map(
    (inside) => blind?.chance(inside) ?? null,
  )
  const chanceKnown = chances.some((chance) => chance !== null)
  const models = bySystem(who, answered).map(({ contestant, rows }) => {
    const levels = levelsOf(factor, frame, rows, right, chances)
    return { model: contestant, levels, curve: fitted(factor, frame, rows, right, levels) }
  })
  const unit = factor.unit === null ? {} : { unit: factor.unit }
  const id = `core/psychometric/${task.name}/${factor.name}`
  const thresholds: Table = {
    id,
    title: `Where ${factor.label} breaks it`,
    columns: [text('model', 'Model'), ...thresholdColumns(factor.unit ?? factor.label)],
    rows: models.map(({ model, levels, curve }) => ({ model, ...thresholdCells(curve, levels) })),
  }
  const curve: Table = {
    id: `${id}/curve`,
    title: `The curves over ${factor.label}`,
    columns: [
      text('model', 'Model'),
      { ...count('at', factor.label), ...unit },
      estimate('accuracy', 'Accuracy'),
      share('curve', 'Curve'),
      count('residual', 'Off the curve (standard errors)'),
      ...(chanceKnown ? [share('chance', 'Chance')] : []),
    ],
    rows: models.flatMap(({ model, levels, curve: found }) => curvePoints(model, levels, found, chanceKnown)),
  }
  const crowded = who.labels.length > MAX_TOGETHER
  const series = crowded ? {} : { series: 'model' }
  const figure: Figure = {
    id,
    title: `Where ${factor.label} breaks it`,
    table: curve.id,
    x: { key: 'at', label: factor.label, ...unit, scale: 'linear' },
    y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
    ...(crowded ? { facet: 'model' } : {}),
    marks: [
      ...(chanceKnown ? [{ kind: 'reference', y: 'chance' } as const] : []),
      { kind: 'line', y: 'curve', ...series },
      { kind: 'interval', ...series },
      { kind: 'point', ...series },
    ],
  }
  return { thresholds, curve, figure }
}

function levelsOf(
  factor: Factor,
  frame: Frame,
  rows: Int32Array,
  right: Float64Array,
  chances: readonly (number | null)[],
): readonly AnsweredLevel[] {
  const inside = rowsByLevel(rows, factor.codes, factor.levels.length)
  return factor.levels.map(({ at }, k) => {
    const here = inside[k] as Int32Array
    const values = take(right, here)
    return {
      at: at as number,
      n: here.length,
      right: values.reduce((sum, value) => sum + value, 0),
      chance: chances[k] ?? 0,
      accuracy: clusteredShare(values, clusterCodes(frame, here)),
    }
  })
}

/** Fitted twice: what is left over tells how much less than independent items those of one group say. */
function fitted(
  factor: Factor,
  frame: Frame,
  rows: Int32Array,
  right: Float64Array,
  levels: readonly LevelCounts[],
): Psychometric {
  const first = psychometric(levels)
  if (first.kind === 'none') return first
  const expected = levels.map(({ at, chance }) => first.share(at, chance))
  const left = take(right, rows)
  for (let i = 0; i < left.length; i++)
    left[i] = (left[i] as number) - (expected[factor.codes[rows[i] as number] as number] as number)
  const { standardError, n } = clusteredMean(left, clusterCodes(frame, rows))
  const { variance } = moments(left)
  if (standardError === null || variance === 0) return first
  return psychometric(levels, { design: (standardError * standardError * n) / variance })
}
