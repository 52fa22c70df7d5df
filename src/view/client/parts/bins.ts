import type { Json } from '../../../core/index.ts'
import { type ByFeature, conditionsByName, keeps } from '../../api/index.ts'
import { formatValue } from './format.ts'

/** A range of levels: indices of the first and the last. */
export interface Bin {
  readonly from: number
  readonly to: number
}

/** A feature on an axis, with its levels in order. */
export interface FeatureBins {
  readonly name: string
  readonly levels: readonly Json[]
  /** First and last value of each bin; null: levels are single values. */
  readonly ends: readonly (readonly [number, number])[] | null
}

/** Distinct levels in order. */
export function binsOf(name: string, values: readonly Json[], bins: ByFeature['bins'] = []): FeatureBins {
  const levels = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
  const order = (a: Json, b: Json): number =>
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : formatValue(a).localeCompare(formatValue(b), 'en', { numeric: true })
  levels.sort(order)
  const ends = levels.flatMap((level) => {
    const bin = bins.find(({ at }) => at === level)
    return bin === undefined ? [] : [[bin.low, bin.high] as const]
  })
  return { name, levels, ends: ends.length === levels.length ? ends : null }
}

/** Text of a level: first and last value of a bin. */
export function levelWords({ levels, ends }: FeatureBins, at: number): string {
  const [low, high] = ends?.[at] ?? []
  return low === undefined || low === high
    ? formatValue(low ?? levels[at])
    : `${formatValue(low)} to ${formatValue(high)}`
}

/** Conditions on items in a range: bounds for numbers, else names of levels; none for the whole axis. */
export function conditionsOfBin({ name, levels, ends }: FeatureBins, bin: Bin | null): readonly string[] {
  if (bin === null || (bin.from === 0 && bin.to === levels.length - 1)) return []
  if (ends !== null) return [`${name}>=${ends[bin.from]?.[0]}`, `${name}<=${ends[bin.to]?.[1]}`]
  const inside = levels.slice(bin.from, bin.to + 1)
  const [first, last] = [inside[0], inside.at(-1)]
  return inside.length > 1 && levels.every((level) => typeof level === 'number')
    ? [`${name}>=${first}`, `${name}<=${last}`]
    : inside.map((level) => `${name}=${String(level)}`)
}

/** The range of levels that conditions keep; null: no condition on the feature. */
export function binOf({ name, levels }: FeatureBins, feature: readonly string[]): Bin | null {
  const mine = conditionsByName(feature).get(name)
  if (mine === undefined) return null
  const kept = levels.flatMap((level, at) => (keeps(level, mine) ? [at] : []))
  const [from, to] = [kept[0], kept.at(-1)]
  return from === undefined || to === undefined ? null : { from, to }
}

/** The range between two levels, in either order. */
export const binBetween = (a: number, b: number): Bin => ({ from: Math.min(a, b), to: Math.max(a, b) })

export const isIn = (at: number, bin: Bin | null): boolean => bin === null || (at >= bin.from && at <= bin.to)
