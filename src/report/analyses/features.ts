import { type Frame, memoize, splitCamelCase, type Task } from '../../core/index.ts'
import { quantileSorted } from '../../libraries/statistics/index.ts'

/** A feature that splits a task's results by level. */
export interface Factor {
  readonly name: string
  readonly label: string
  readonly unit: string | null
  /** `at`: the position on a numeric axis. */
  readonly levels: readonly { readonly label: string; readonly at: number | null }[]
  /** The level of each row; -1 where missing. */
  readonly codes: Int32Array
  readonly numeric: boolean
}

/** More levels are binned, with about equal counts. */
const MAX_LEVELS = 60
const BINS = 10

/** The declared features of a task with role difficulty, stratum or truth that the rows have and that vary. */
export function factors(task: Task, frame: Frame): readonly Factor[] {
  const cache = factorsOf(frame)
  const known = cache.get(task) ?? computeFactors(task, frame)
  cache.set(task, known)
  return known
}

/** By task, once per frame: several analyses split by the same features. */
const factorsOf = memoize<Frame, Map<Task, readonly Factor[]>>(() => new Map())

function computeFactors(task: Task, frame: Frame): readonly Factor[] {
  return Object.entries(task.features.shape).flatMap(([name, schema]) => {
    const column = `feature_${name}`
    const meta = schema.meta() ?? {}
    if (!frame.has(column) || !['difficulty', 'stratum', 'truth'].includes(String(meta['role']))) return []
    const label = typeof meta['label'] === 'string' ? meta['label'] : splitCamelCase(name)
    const unit = typeof meta['unit'] === 'string' ? meta['unit'] : null
    // Codes such as `0010` look like numbers and are none.
    const found = isBoolean(schema)
      ? boolean(frame, column)
      : isText(schema) || isTextual(frame, column)
        ? textual(frame, column)
        : numeric(frame, column)
    return found.levels.length < 2 ? [] : [{ name, label, unit, ...found }]
  })
}

/** The part of a feature's schema that matters here. */
interface FeatureSchema {
  readonly type: string
  /** The inner schema of a nullable or optional one. */
  readonly unwrap?: () => unknown
}

const isBoolean = (schema: FeatureSchema): boolean =>
  schema.unwrap === undefined ? schema.type === 'boolean' : isBoolean(schema.unwrap() as FeatureSchema)

const isText = (schema: FeatureSchema): boolean =>
  schema.unwrap === undefined
    ? schema.type === 'string' || schema.type === 'enum'
    : isText(schema.unwrap() as FeatureSchema)

/** Tries numbers first: to get the levels of a column of numbers is slow. */
function isTextual(frame: Frame, column: string): boolean {
  try {
    frame.number(column)
    return false
  } catch {
    return true
  }
}

/** Frames hold booleans as 0 and 1. */
function boolean(frame: Frame, column: string): Levels {
  const known = isTextual(frame, column)
    ? frame.category(column).levels.map((level) => (level === 'true' || level === '1' ? 1 : 0))
    : null
  const values = known === null ? frame.number(column) : frame.category(column).codes.map((code) => known[code] ?? -1)
  const codes = Int32Array.from(values, (value) => (value === 0 || value === 1 ? value : -1))
  const used = [0, 1].filter((code) => codes.includes(code))
  return {
    levels: used.map((code) => ({ label: code === 1 ? 'yes' : 'no', at: null })),
    codes: codes.map((code) => used.indexOf(code)),
    numeric: false,
  }
}

type Levels = Pick<Factor, 'levels' | 'codes' | 'numeric'>

export function textual(frame: Frame, column: string): Levels {
  const { codes, levels } = frame.category(column)
  if (levels.length > MAX_LEVELS) return { levels: [], codes, numeric: false }
  const counts = levels.every((level) => /^-?\d{1,15}$/.test(level))
  const before = (a: string, b: string): boolean => (counts && Number(a) !== Number(b) ? Number(a) < Number(b) : a < b)
  const order = levels.map((_, i) => i).sort((a, b) => (before(levels[a] as string, levels[b] as string) ? -1 : 1))
  const rank = new Int32Array(levels.length)
  for (const [i, code] of order.entries()) rank[code] = i
  const ranks = new Int32Array(codes.length)
  for (let row = 0; row < ranks.length; row++) ranks[row] = rank[codes[row] as number] ?? -1
  return {
    levels: order.map((code) => ({ label: levels[code] as string, at: null })),
    codes: ranks,
    numeric: false,
  }
}

function numeric(frame: Frame, column: string): Levels {
  const values = frame.number(column)
  const distinct = distinctUpTo(values, MAX_LEVELS)
  if (distinct === null) return binned(values, values.filter((value) => !Number.isNaN(value)).sort())
  const rank = new Map(distinct.map((value, i) => [value, i]))
  return {
    levels: distinct.map((value) => ({ label: String(value), at: value })),
    codes: codesOf(values, (value) => rank.get(value) as number),
    numeric: true,
  }
}

/** The values in order; null where there are more. */
function distinctUpTo(values: Float64Array, max: number): readonly number[] | null {
  const seen = new Set<number>()
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number
    if (Number.isNaN(value)) continue
    seen.add(value)
    if (seen.size > max) return null
  }
  return [...seen].sort((a, b) => a - b)
}

function binned(values: Float64Array, present: Float64Array): Levels {
  const bounds = [...new Set(Array.from({ length: BINS - 1 }, (_, i) => quantileSorted(present, (i + 1) / BINS)))]
  const binOf = (value: number) => {
    let bin = 0
    while (bin < bounds.length && value > (bounds[bin] as number)) bin++
    return bin
  }
  // The values are sorted, so each bin is one slice.
  const ends = [...bounds.map((bound) => present.findLastIndex((value) => value <= bound) + 1), present.length]
  const members = ends.map((end, bin) => present.subarray(ends[bin - 1] ?? 0, end))
  const used = [...members.keys()].filter((bin) => (members[bin] as Float64Array).length > 0)
  const rank = new Map(used.map((bin, i) => [bin, i]))
  return {
    levels: used.map((bin) => {
      const inside = members[bin] as Float64Array
      const [low, high] = [short(inside[0] as number), short(inside[inside.length - 1] as number)]
      return { label: low === high ? low : `${low}..${high}`, at: quantileSorted(inside, 0.5) }
    }),
    codes: codesOf(values, (value) => rank.get(binOf(value)) as number),
    numeric: true,
  }
}

function codesOf(values: Float64Array, codeOf: (value: number) => number): Int32Array {
  const codes = new Int32Array(values.length)
  for (let row = 0; row < codes.length; row++) {
    const value = values[row] as number
    codes[row] = Number.isNaN(value) ? -1 : codeOf(value)
  }
  return codes
}

const short = (value: number): string => String(Number(value.toPrecision(4)))
