import type { Frame, Task } from '../../core/index.ts'
import { quantileSorted } from '../../stats/index.ts'

/** A feature by whose levels a task's results are split. */
export interface Factor {
  readonly name: string
  readonly label: string
  readonly unit: string | null
  /** Level of each row; null where missing. `at`: where it lies on a numeric axis. */
  readonly levels: readonly { readonly label: string; readonly at: number | null }[]
  readonly codes: Int32Array
  readonly numeric: boolean
}

/** More levels than this are put into bins of about equal count. */
const MOST_LEVELS = 60
const BINS = 10

/** The declared features of a task with role difficulty, stratum or truth that the rows have and that vary. */
export function factors(task: Task, frame: Frame): readonly Factor[] {
  return Object.entries(task.features.shape).flatMap(([name, schema]) => {
    const column = `feature_${name}`
    const meta = schema.meta() ?? {}
    if (!frame.has(column) || !['difficulty', 'stratum', 'truth'].includes(String(meta['role']))) return []
    const label = typeof meta['label'] === 'string' ? meta['label'] : name
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

/** A declared feature's schema, as far as it matters here. */
interface Declared {
  readonly type: string
  /** Of what may be null or left out: the schema inside. */
  readonly unwrap?: () => unknown
}

const isBoolean = (schema: Declared): boolean =>
  schema.unwrap === undefined ? schema.type === 'boolean' : isBoolean(schema.unwrap() as Declared)

const isText = (schema: Declared): boolean =>
  schema.unwrap === undefined ? schema.type === 'string' || schema.type === 'enum' : isText(schema.unwrap() as Declared)

function isTextual(frame: Frame, column: string): boolean {
  return frame.category(column).levels.some((level) => !Number.isFinite(Number(level)))
}

/** Frames hold 0 and 1. */
function boolean(frame: Frame, column: string): Levels {
  const known = isTextual(frame, column)
    ? frame.category(column).levels.map((level) => (level === 'true' ? 1 : 0))
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

function textual(frame: Frame, column: string): Levels {
  const { codes, levels } = frame.category(column)
  if (levels.length > MOST_LEVELS) return { levels: [], codes, numeric: false }
  const counts = levels.every((level) => /^-?\d{1,15}$/.test(level))
  const before = (a: string, b: string): boolean => (counts && Number(a) !== Number(b) ? Number(a) < Number(b) : a < b)
  const order = levels.map((_, i) => i).sort((a, b) => (before(levels[a] as string, levels[b] as string) ? -1 : 1))
  const rank = new Map(order.map((code, i) => [code, i]))
  return {
    levels: order.map((code) => ({ label: levels[code] as string, at: null })),
    codes: codes.map((code) => (code < 0 ? -1 : (rank.get(code) as number))),
    numeric: false,
  }
}

function numeric(frame: Frame, column: string): Levels {
  const values = frame.number(column)
  const present = values.filter((value) => !Number.isNaN(value)).sort()
  const distinct = [...new Set(present)]
  if (distinct.length <= MOST_LEVELS) {
    const rank = new Map(distinct.map((value, i) => [value, i]))
    return {
      levels: distinct.map((value) => ({ label: String(value), at: value })),
      codes: Int32Array.from(values, (value) => rank.get(value) ?? -1),
      numeric: true,
    }
  }
  return binned(values, present)
}

function binned(values: Float64Array, present: Float64Array): Levels {
  const cuts = [...new Set(Array.from({ length: BINS - 1 }, (_, i) => quantileSorted(present, (i + 1) / BINS)))]
  const binOf = (value: number) => {
    let bin = 0
    while (bin < cuts.length && value > (cuts[bin] as number)) bin++
    return bin
  }
  const members = new Map<number, number[]>()
  for (const value of present) {
    const bin = binOf(value)
    const list = members.get(bin)
    if (list === undefined) members.set(bin, [value])
    else list.push(value)
  }
  const used = [...members.keys()].sort((a, b) => a - b)
  const rank = new Map(used.map((bin, i) => [bin, i]))
  return {
    levels: used.map((bin) => {
      const inside = members.get(bin) as number[]
      const [low, high] = [short(inside[0] as number), short(inside[inside.length - 1] as number)]
      return { label: low === high ? low : `${low}..${high}`, at: quantileSorted(inside, 0.5) }
    }),
    codes: Int32Array.from(values, (value) => (Number.isNaN(value) ? -1 : (rank.get(binOf(value)) as number))),
    numeric: true,
  }
}

const short = (value: number): string => String(Number(value.toPrecision(4)))
