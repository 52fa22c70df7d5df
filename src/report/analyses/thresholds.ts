import type { Column, Estimate } from '../../core/index.ts'
import type { LevelCounts, Psychometric, Threshold } from '../../libraries/statistics/index.ts'
import { count, estimate, pValue, share, text } from './conditions.ts'

/** A value of the parameter with the accuracy of one model there. */
export interface AnsweredLevel extends LevelCounts {
  readonly accuracy: Estimate | null
}

/** Points of a drawn curve between its ends. */
const POINTS = 24

/** The columns of {@link thresholdCells}. */
export const thresholdColumns = (unit: string): readonly Column[] => [
  estimate('x50', '50 % threshold', unit),
  estimate('x75', '75 % threshold', unit),
  count('slope', 'Slope (logits)'),
  share('lapse', 'Lapse'),
  pValue('p', 'p of fit'),
  text('note', 'Note'),
]

/** The thresholds of one model. */
export function thresholdCells(curve: Psychometric, levels: readonly LevelCounts[]) {
  const none = { x50: null, x75: null, slope: null, lapse: null }
  if (curve.kind === 'none') return { ...none, p: null, note: curve.reason }
  if (curve.kind === 'flat') {
    const [solved, low, high] = [curve.aboveChance, curve.low, curve.high].map((part) => `${Math.round(part * 100)} %`)
    const note = `no trend (p = ${curve.trend.toFixed(2)}): ${solved} [${low}, ${high}] solved above chance at every value`
    return { ...none, p: curve.misfit?.p ?? null, note }
  }
  const n = levels.reduce((sum, level) => sum + level.n, 0)
  return {
    x50: thresholdEstimate(curve.x50, n),
    x75: thresholdEstimate(curve.x75, n),
    slope: curve.slope,
    lapse: curve.lapse,
    p: curve.misfit?.p ?? null,
    note: [saveOf('50 %', curve.x50), saveOf('75 %', curve.x75)].filter((part) => part !== '').join('; '),
  }
}

export const thresholdEstimate = (threshold: Threshold, n: number): Estimate | null =>
  threshold.kind === 'outside'
    ? null
    : { value: threshold.value, low: threshold.low, high: threshold.high, n, method: 'profile likelihood 95 %' }

function saveOf(name: string, threshold: Threshold): string {
  if (threshold.kind === 'outside') return `${threshold.solved} than ${name} solved at every value`
  if (threshold.open === 'neither') return ''
  return `${name}: CI extends beyond the tested ${threshold.open === 'both' ? 'range' : `${threshold.open}est value`}`
}

/** The columns of {@link curvePoints}. */
export const curveColumns = (parameter: Column): readonly Column[] => [
  text('model', 'Model'),
  parameter,
  estimate('accuracy', 'Accuracy'),
  share('curve', 'Curve'),
  count('residual', 'Residual (standard errors)'),
]

/** The tested values, and points of the curve between them. */
export function curvePoints(model: string, levels: readonly AnsweredLevel[], curve: Psychometric, withChance: boolean) {
  const used = levels.filter(({ n }) => n > 0)
  const point = (at: number, chance: number, level: AnsweredLevel | null) => ({
    model,
    at,
    accuracy: level?.accuracy ?? null,
    curve: curve.kind === 'none' ? null : curve.share(at, chance),
    residual: curve.kind === 'none' || level === null ? null : curve.residual(level),
    chance: withChance ? chance : null,
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

/** Interpolated between the chances of two values. */
function chanceAt(levels: readonly LevelCounts[], at: number): number {
  const after = levels.findIndex((level) => level.at > at)
  const [a, b] = [levels[after - 1] as LevelCounts, levels[after] as LevelCounts]
  return a.chance + ((b.chance - a.chance) * (at - a.at)) / (b.at - a.at)
}
