import type { Features, Frame } from '../core/index.ts'
import type { ReportFrames } from './report.ts'

/** Frames with facts about groups as features; what the rows say themselves stays. */
export function withFacts(frames: ReportFrames, facts: ReadonlyMap<string, Features>): ReportFrames {
  const names = new Set([...facts.values()].flatMap((own) => Object.keys(own)).map((name) => `feature_${name}`))
  const own = [...names].filter((name) => !frames.columns.includes(name))
  if (own.length === 0) return frames
  const wrap = (frame: Frame): Frame => {
    const made = new Map<string, Float64Array>()
    const column = (name: string): Float64Array => {
      const { codes, levels } = frame.category('group')
      const values = levels.map((group) => {
        const value = facts.get(group)?.[name.slice('feature_'.length)]
        return typeof value === 'number' ? value : Number.NaN
      })
      return Float64Array.from(codes, (code) => values[code] ?? Number.NaN)
    }
    return {
      length: frame.length,
      has: (name) => own.includes(name) || frame.has(name),
      category: (name) => frame.category(name),
      number(name) {
        if (!own.includes(name)) return frame.number(name)
        const known = made.get(name) ?? column(name)
        made.set(name, known)
        return known
      },
    }
  }
  return {
    length: frames.length,
    parsers: frames.parsers,
    columns: [...frames.columns, ...own],
    frame(parser) {
      const frame = frames.frame(parser)
      return frame === null ? null : wrap(frame)
    },
    ofTask(task) {
      const cut = frames.ofTask(task)
      const groups = new Set(cut.frame('strict')?.category('group').levels ?? [])
      return withFacts(cut, new Map([...facts].filter(([group]) => groups.has(group))))
    },
  }
}
