import type { Column, Estimate } from '../../core/index.ts'
import type { LevelCounts, Psychometric, Threshold } from '../../libraries/statistics/index.ts'
import { count, estimate, pValue, share, text } from './columns.ts'

/** A level of the knob as one model answered it. */
export interface AnsweredLevel extends LevelCounts {
  readonly accuracy: Estimate | null
}

/** Points of a curve between its ends. */
const POINTS = 24

/** Columns of {@link thresholdCells}. */
export const thresholdColumns = (unit: string): readonly Column[] => [
  { ...estimate('x50', '50 % solved at'), unit },
  { ...estimate('x75', '75 % solved at'), unit },
  count('slope', 'Slope (logits)'),
  share('lapse', 'Lapse'),
  pValue('p', 'p of the fit'),
  text('note', 'What is to be said'),
]

/** What a curve says of where a model breaks. */
export function thresholdCells(curve: Psychometric, levels: readonly LevelCounts[]) {
  if (curve.kind === 'none') return { x50: null, x75: null, slope: null, lapse: null, p: null, note: curve.reason }
  if (curve.kind === 'flat') {
    const { aboveChance: solved, low, high, trend, misfit } = curve
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
    x50: thresholdEstimate(curve.x50, n),
    x75: thresholdEstimate(curve.x75, n),
    slope: curve.slope,
    lapse: curve.lapse,
    p: curve.misfit?.p ?? null,
    note: [saveOf('50 %', curve.x50), saveOf('75 %', curve.x75)].filter((part) => part !== '').join('; '),
  }
}

const percent = (part: number): string => `${Math.round(part * 100)} %`

export const thresholdEstimate = (threshold: Threshold, n: number) =>
  threshold.kind === 'outside'
    ? null
    : { value: threshold.value, low: threshold.low, high: threshold.high, n, method: 'profile likelihood 95 %' }

function saveOf(name: string, threshold: Threshold): string {
  if (threshold.kind === 'outside')
    return threshold.solved === 'more' ? `more than ${name} at every value` : `less than ${name} at every value`
  if (threshold.open === 'neither') return ''
  return `${name}: the interval goes on beyond the ${threshold.open === 'both' ? 'values' : `${threshold.open}est value`} asked`
}

/** The levels that were asked, and points of the curve between them. */
export function curvePoints(model: string, levels: readonly AnsweredLevel[], curve: Psychometric, withChance: boolean) {
  const used = levels.filter(({ n }) => n > 0)
  const point = (at: number, chance: number, level: AnsweredLevel | null) => ({
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
function chanceAt(levels: readonly LevelCounts[], at: number): number {
  const after = levels.findIndex((level) => level.at > at)
  const [a, b] = [levels[after - 1] as LevelCounts, levels[after] as LevelCounts]
  return a.chance + ((b.chance - a.chance) * (at - a.at)) / (b.at - a.at)
}
