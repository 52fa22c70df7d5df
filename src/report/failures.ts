import type { Frame } from '../core/index.ts'
import type { ReportFrames } from './report.ts'

/** Frames in which a cell that failed has failed whoever reads: rows say so once, in the column of the strict parser. */
export function withFailures(frames: ReportFrames): ReportFrames {
  const made = new Map<string, Frame | null>()
  return {
    length: frames.length,
    parsers: frames.parsers,
    columns: frames.columns,
    frame(parser) {
      const known = made.get(parser)
      if (known !== undefined) return known
      const [strict, own] = [frames.frame('strict'), frames.frame(parser)]
      const frame = parser === 'strict' || strict === null || own === null ? own : failedToo(own, strict)
      made.set(parser, frame)
      return frame
    },
    ofTask: (task) => withFailures(frames.ofTask(task)),
  }
}

const FAILED = 'failed'

/** Tasks of which nothing was read are left as they are: they do not have the parser. */
function failedToo(own: Frame, strict: Frame): Frame {
  if (!own.has('state') || !own.has('task') || !strict.has('state')) return own
  const all = strict.category('state')
  const code = all.levels.indexOf(FAILED)
  if (code < 0) return own
  const [{ codes, levels }, task] = [own.category('state'), own.category('task').codes]
  const read = new Set(task.filter((_, row) => (codes[row] as number) >= 0))
  const known = levels.indexOf(FAILED)
  const failed = known < 0 ? levels.length : known
  const state = {
    codes: codes.map((mine, row) => (all.codes[row] === code && read.has(task[row] as number) ? failed : mine)),
    levels: known < 0 ? [...levels, FAILED] : levels,
  }
  return {
    length: own.length,
    has: (name) => own.has(name),
    number: (name) => own.number(name),
    category: (name) => (name === 'state' ? state : own.category(name)),
  }
}
