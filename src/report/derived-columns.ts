import type { Frame } from '../core/index.ts'
import type { ReportFrames } from './report.ts'

/** Columns of numbers that rows do not say themselves: what they say of the things that a column names, NaN where nothing. */
export interface Derived {
  /** Columns, none of which the frames have. */
  readonly names: readonly string[]
  /** The column of the frames that names the things: `item` or `group`. */
  readonly of: string
  value(thing: string, column: string): number
}

/** Frames with further columns, worked out when they are asked for, and kept as long as somebody uses them. `ofTask` makes the frames of one task. */
export function withDerived(
  frames: ReportFrames,
  { names, of, value }: Derived,
  ofTask: ReportFrames['ofTask'],
): ReportFrames {
  const wrap = (frame: Frame): Frame => {
    const made = new Map<string, WeakRef<Float64Array>>()
    const column = (name: string): Float64Array => {
      const { codes, levels } = frame.category(of)
      const values = levels.map((thing) => value(thing, name))
      const found = new Float64Array(codes.length)
      for (let row = 0; row < found.length; row++) found[row] = values[codes[row] as number] ?? Number.NaN
      return found
    }
    return {
      length: frame.length,
      has: (name) => names.includes(name) || frame.has(name),
      category: (name) => frame.category(name),
      number(name) {
        if (!names.includes(name)) return frame.number(name)
        const known = made.get(name)?.deref() ?? column(name)
        made.set(name, new WeakRef(known))
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

/** The things that the rows of one task name. */
export function thingsOf(frames: ReportFrames, of: string): ReadonlySet<string> {
  return new Set(frames.frame('strict')?.category(of).levels ?? [])
}
