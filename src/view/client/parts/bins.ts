import type { Json } from '../../../core/index.ts'
import { type ByFeature, conditionsByName, keeps } from '../../api/index.ts'
import { formatValue } from './format.ts'

/** A bin of the levels of an axis: places of the first and the last. */
export interface Bin {
  readonly from: number
  readonly to: number
}

/** What lies along an axis: the feature, and its levels in the order in which they are drawn. */
export interface FeatureBins {
  readonly name: string
  readonly levels: readonly Json[]
  /** From which value to which each level stands for, where it stands for several. */
  readonly ends: readonly (readonly [number, number])[] | null
}

/** The levels that cells have, each once, in their order. */
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

/** A level in words: of several values together the first and the last. */
export function levelWords({ levels, ends }: FeatureBins, at: number): string {
  const [low, high] = ends?.[at] ?? []
  return low === undefined || low === high
    ? formatValue(low ?? levels[at])
    : `${formatValue(low)} to ${formatValue(high)}`
}

/** A bin as conditions on items: bounds of numbers, else the levels by name; none for the whole axis. */
export function conditionsOfBin({ name, levels, ends }: FeatureBins, bin: Bin | null): readonly string[] {
  if (bin === null || (bin.from === 0 && bin.to === levels.length - 1)) return []
  if (ends !== null) return [`${name}>=${ends[bin.from]?.[0]}`, `${name}<=${ends[bin.to]?.[1]}`]
  const inside = levels.slice(bin.from, bin.to + 1)
  const [first, last] = [inside[0], inside.at(-1)]
  return inside.length > 1 && levels.every((level) => typeof level === 'number')
    ? [`${name}>=${first}`, `${name}<=${last}`]
    : inside.map((level) => `${name}=${String(level)}`)
}

/** The bin that conditions leave of an axis; null: they say nothing of it. */
export function binOf({ name, levels }: FeatureBins, feature: readonly string[]): Bin | null {
  const mine = conditionsByName(feature).get(name)
  if (mine === undefined) return null
  const kept = levels.flatMap((level, at) => (keeps(level, mine) ? [at] : []))
  const [from, to] = [kept[0], kept.at(-1)]
  return from === undefined || to === undefined ? null : { from, to }
}

/** From the one place to the other, whichever comes first. */
export const binBetween = (a: number, b: number): Bin => ({ from: Math.min(a, b), to: Math.max(a, b) })

export const isIn = (at: number, bin: Bin | null): boolean => bin === null || (at >= bin.from && at <= bin.to)
