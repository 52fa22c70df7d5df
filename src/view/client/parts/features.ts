import type { Json } from '../../../core/index.ts'
import { type ByFeature, conditionsByName, keeps, type Outline } from '../../api/index.ts'
import { formatValue } from './format.ts'

/** Features that something can be laid over. */
const usable = (features: Outline['features']): Outline['features'] =>
  features.filter(({ levels }) => levels.length > 1)

export const ofTask = (features: Outline['features'], task: string): Outline['features'] =>
  features.filter(({ tasks }) => tasks.includes(task))

/** Features that a chart of a task can have on its x axis; of all tasks together (null) those of one task only. */
export function layable(
  { run, features }: Pick<Outline, 'run' | 'features'>,
  task: string | null,
): Outline['features'] {
  if (run.tasks.length < 2) return usable(features)
  return task === null ? features.filter(({ tasks }) => tasks.length === 1) : ofTask(features, task)
}

/** The default feature: a number with few levels, preferably one that sets difficulty; null: none. */
export function firstFeature(features: Outline['features']): string | null {
  const few = usable(features).filter(({ more }) => !more)
  const numbers = few.filter(({ type }) => type === 'number')
  const hard = numbers.filter((one) => one.hard.length > 0)
  const first = hard.find(({ levels }) => levels.length > 2) ?? hard[0] ?? numbers[0] ?? few[0] ?? usable(features)[0]
  return first?.name ?? null
}

/** A range of levels: indices of the first and the last. */
export interface Bin {
  readonly from: number
  readonly to: number
}

export interface FeatureBins {
  readonly name: string
  readonly levels: readonly Json[]
  /** First and last value of each bin; null: levels are single values. */
  readonly ends: readonly (readonly [number, number])[] | null
}

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

export const binBetween = (a: number, b: number): Bin => ({ from: Math.min(a, b), to: Math.max(a, b) })

export const isIn = (at: number, bin: Bin | null): boolean => bin === null || (at >= bin.from && at <= bin.to)

/** How many times as high as its highest mark an axis of counts may be. */
const MAX = 2

/**
 * Where an axis that counts from 0 ends so that its marks can be read; null: where its intervals end. That of a mean over two groups is a
 * t of one degree of freedom and may reach a dozen times as high: it is cut there, and marked.
 */
export function axisTop(points: readonly { readonly value: number; readonly high: number }[]): number | null {
  const most = MAX * Math.max(0, ...points.map(({ value }) => value))
  return most > 0 && points.some(({ high }) => high > most) ? most : null
}
