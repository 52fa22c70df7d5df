import type { LeftOut, Report } from '../report.ts'

/** What the report is of, in one sentence. */
export function howRead({ rows, parser, unread }: Pick<Report, 'rows' | 'parser' | 'unread'>): string {
  const of = (one: string): string => `${counted(rows)} ${one}${rows === 1 ? '' : 's'}`
  if (parser === null) return `${of('scored string')}.`
  return unread === undefined
    ? `${of('row')}, read by the ${parser} parser.`
    : `${of('row')}, ${counted(rows - unread.rows)} of them read by the ${parser} parser, which ${unread.tasks.join(', ')} ${unread.tasks.length === 1 ? 'does' : 'do'} not have.`
}

const counted = (n: number): string => n.toLocaleString('en-US')

/** An analysis that was left out, with its task where others have it by the same id. */
export function leftOutName(
  { id, task }: LeftOut,
  { analyses, leftOut }: Pick<Report, 'analyses' | 'leftOut'>,
): string {
  const shared = [...analyses, ...leftOut].some((other) => other.id === id && other.task !== task)
  return task !== null && shared ? `${id} (${task})` : id
}
