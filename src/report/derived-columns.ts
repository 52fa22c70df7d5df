import type { Features, Frame } from '../core/index.ts'
import type { ReportFrames } from './report.ts'

/** Columns of numbers that come from elsewhere: the value of each item or group, NaN where it has none. */
interface DerivedColumns {
  /** Names that the frames do not have. */
  readonly names: readonly string[]
  /** The column of the frames whose levels have the values: `item` or `group`. */
  readonly of: string
  value(level: string, column: string): number
}

/** Frames with further columns, computed on demand and cached while in use. `ofTask` makes the frames of one task. */
export function withColumns(
  frames: ReportFrames,
  { names, of, value }: DerivedColumns,
  ofTask: ReportFrames['ofTask'],
): ReportFrames {
  const wrap = (frame: Frame): Frame => {
    const cache = new Map<string, WeakRef<Float64Array>>()
    const compute = (name: string): Float64Array => {
      const { codes, levels } = frame.category(of)
      const values = levels.map((level) => value(level, name))
      const column = new Float64Array(codes.length)
      for (let row = 0; row < column.length; row++) column[row] = values[codes[row] as number] ?? Number.NaN
      return column
    }
    return {
      length: frame.length,
      has: (name) => names.includes(name) || frame.has(name),
      category: (name) => frame.category(name),
      number(name) {
        if (!names.includes(name)) return frame.number(name)
        const known = cache.get(name)?.deref() ?? compute(name)
        cache.set(name, new WeakRef(known))
        return known
      },
    }
  }
  return {
    length: frames.length,
    parsers: frames.parsers,
    columns: [...frames.columns, ...names],
    frame(parser) {
      const frame = frames.frame(parser)
      return frame === null ? null : wrap(frame)
    },
    ofTask,
  }
}

/** The items or groups of some rows. */
export const idsIn = (frames: ReportFrames, of: string): ReadonlySet<string> =>
  new Set(frames.frame('strict')?.category(of).levels ?? [])

const FEATURE = 'feature_'

/** Frames with facts about groups as features; features of the rows themselves stay. */
export function withFacts(frames: ReportFrames, facts: ReadonlyMap<string, Features>): ReportFrames {
  const found = new Set([...facts.values()].flatMap((own) => Object.keys(own)).map((name) => `${FEATURE}${name}`))
  const names = [...found].filter((name) => !frames.columns.includes(name))
  if (names.length === 0) return frames
  const value = (group: string, column: string): number => {
    const fact = facts.get(group)?.[column.slice(FEATURE.length)]
    return typeof fact === 'number' ? fact : Number.NaN
  }
  return withColumns(frames, { names, of: 'group', value }, (task) => {
    const own = frames.ofTask(task)
    const groups = idsIn(own, 'group')
    return withFacts(own, new Map([...facts].filter(([group]) => groups.has(group))))
  })
}

const ERROR = 'error'

/** Frames in which API errors count under every parser: rows store them for the strict one only. */
export function withErrors(frames: ReportFrames): ReportFrames {
  const cache = new Map<string, Frame | null>()
  return {
    length: frames.length,
    parsers: frames.parsers,
    columns: frames.columns,
    frame(parser) {
      const known = cache.get(parser)
      if (known !== undefined) return known
      const [strict, own] = [frames.frame('strict'), frames.frame(parser)]
      const frame = parser === 'strict' || strict === null || own === null ? own : withErrorsOf(own, strict)
      cache.set(parser, frame)
      return frame
    },
    ofTask: (task) => withErrors(frames.ofTask(task)),
  }
}

/** Rows of tasks that do not have the parser stay without a status. */
function withErrorsOf(own: Frame, strict: Frame): Frame {
  if (!own.has('status') || !own.has('task') || !strict.has('status')) return own
  const all = strict.category('status')
  const code = all.levels.indexOf(ERROR)
  if (code < 0) return own
  const [{ codes, levels }, task] = [own.category('status'), own.category('task').codes]
  const parsed = new Set(task.filter((_, row) => (codes[row] as number) >= 0))
  const known = levels.indexOf(ERROR)
  const failed = known < 0 ? levels.length : known
  const status = {
    codes: codes.map((mine, row) => (all.codes[row] === code && parsed.has(task[row] as number) ? failed : mine)),
    levels: known < 0 ? [...levels, ERROR] : levels,
  }
  return {
    length: own.length,
    has: (name) => own.has(name),
    number: (name) => own.number(name),
    category: (name) => (name === 'status' ? status : own.category(name)),
  }
}
