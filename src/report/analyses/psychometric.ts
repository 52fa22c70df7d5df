import type { Analysis, Estimate, Figure, Frame, Table, Task } from '../../core/index.ts'
import {
  allRows,
  byContestant,
  clusterCodes,
  clusteredMean,
  clusteredShare,
  contestants,
  correctness,
  type KnobLevel,
  moments,
  type Psychometric,
  psychometric,
  rowsByLevel,
  rowsWhere,
  scores,
  type Threshold,
  take,
} from '../../stats/index.ts'
import { blindOf } from '../blind.ts'
import { count, estimate, pValue, share, text } from './columns.ts'
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
const MOST_TOGETHER = 4
/** Points of a curve between its ends. */
const POINTS = 24

function ofKnob(
  task: Task,
  factor: Factor,
  frame: Frame,
  right: Float64Array,
): { thresholds: Table; curve: Table; figure: Figure } {
  const who = contestants(frame)
  const answered = rowsWhere(allRows(frame), (row) => !Number.isNaN(right[row]) && (factor.codes[row] as number) >= 0)
  const blind = blindOf(frame, task, answered)
  const chances = rowsByLevel(answered, factor.codes, factor.levels.length).map(
    (inside) => blind?.chance(inside) ?? null,
  )
  const chanceKnown = chances.some((chance) => chance !== null)
  const models = byContestant(who, answered).map(({ contestant, rows }) => {
    const levels = levelsOf(factor, frame, rows, right, chances)
    return { model: contestant, levels, curve: fitted(factor, frame, rows, right, levels) }
  })
  const unit = factor.unit === null ? {} : { unit: factor.unit }
  const id = `core/psychometric/${task.name}/${factor.name}`
  const thresholds: Table = {
    id,
    title: `Where ${factor.label} breaks it`,
    columns: [
      text('model', 'Model'),
      { ...estimate('x50', '50 % solved at'), unit: factor.unit ?? factor.label },
      { ...estimate('x75', '75 % solved at'), unit: factor.unit ?? factor.label },
      count('slope', 'Slope (logits)'),
      share('lapse', 'Lapse'),
      pValue('p', 'p of the fit'),
      text('note', 'What is to be said'),
    ],
    rows: models.map(({ model, levels, curve }) => ({ model, ...cellsOf(curve, levels) })),
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
    rows: models.flatMap(({ model, levels, curve: found }) => pointsOf(model, levels, found, chanceKnown)),
  }
  const crowded = who.labels.length > MOST_TOGETHER
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

/** A level of the knob as one model answered it. */
interface Answered extends KnobLevel {
  readonly accuracy: Estimate | null
}

function levelsOf(
  factor: Factor,
  frame: Frame,
  rows: Int32Array,
  right: Float64Array,
  chances: readonly (number | null)[],
): readonly Answered[] {
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
  levels: readonly KnobLevel[],
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

function cellsOf(curve: Psychometric, levels: readonly KnobLevel[]) {
  if (curve.kind === 'none') return { x50: null, x75: null, slope: null, lapse: null, p: null, note: curve.reason }
  if (curve.kind === 'flat') {
    const { solved, low, high, trend, misfit } = curve
    const found = `${percent(solved)} of what is not guessed is solved at every value (${percent(low)} to ${percent(high)})`
    return {
      x50: null,
      x75: null,
      slope: null,
      lapse: null,
      p: misfit?.p ?? null,
      note: `no trend (p ${trend.toFixed(2)}): ${found}`,
    }
  }
  const n = levels.reduce((sum, level) => sum + level.n, 0)
  return {
    x50: cellOf(curve.x50, n),
    x75: cellOf(curve.x75, n),
    slope: curve.slope,
    lapse: curve.lapse,
    p: curve.misfit?.p ?? null,
    note: [noteOf('50 %', curve.x50), noteOf('75 %', curve.x75)].filter((part) => part !== '').join('; '),
  }
}

const percent = (part: number): string => `${Math.round(part * 100)} %`

const cellOf = (threshold: Threshold, n: number) =>
  threshold.kind === 'outside'
    ? null
    : { value: threshold.value, low: threshold.low, high: threshold.high, n, method: 'profile likelihood 95 %' }

function noteOf(name: string, threshold: Threshold): string {
  if (threshold.kind === 'outside')
    return threshold.solved === 'more' ? `more than ${name} at every value` : `less than ${name} at every value`
  if (threshold.open === 'neither') return ''
  return `${name}: the interval goes on beyond the ${threshold.open === 'both' ? 'values' : `${threshold.open}est value`} asked`
}

/** The levels that were asked, and points of the curve between them. */
function pointsOf(model: string, levels: readonly Answered[], curve: Psychometric, withChance: boolean) {
  const used = levels.filter(({ n }) => n > 0)
  const point = (at: number, chance: number, level: Answered | null) => ({
    model,
    at,
    accuracy: level?.accuracy ?? null,
    curve: curve.kind === 'none' ? null : curve.share(at, chance),
    residual: curve.kind === 'none' || level === null ? null : curve.residual(level),
    ...(withChance ? { chance } : {}),
  })
  const seen = used.map((level) => point(level.at, level.chance, level))
  const [first, last] = [used[0], used.at(-1)]
  if (curve.kind === 'none' || first === undefined || last === undefined) return seen
  const step = (last.at - first.at) / (POINTS + 1)
  const between = Array.from({ length: POINTS }, (_, i) => first.at + (i + 1) * step)
    .filter((at) => used.every((level) => level.at !== at))
    .map((at) => point(at, chanceAt(used, at), null))
  return [...seen, ...between].sort((one, other) => one.at - other.at)
}

/** Between two levels on the line between their chances. */
function chanceAt(levels: readonly KnobLevel[], at: number): number {
  const after = levels.findIndex((level) => level.at > at)
  const [a, b] = [levels[after - 1] as KnobLevel, levels[after] as KnobLevel]
  return a.chance + ((b.chance - a.chance) * (at - a.at)) / (b.at - a.at)
}
