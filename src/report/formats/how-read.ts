import type { Report } from '../report.ts'

/** What the report is of, in one sentence. */
export function howRead({ rows, parser }: Pick<Report, 'rows' | 'parser'>): string {
  const of = (one: string): string => `${rows.toLocaleString('en-US')} ${one}${rows === 1 ? '' : 's'}`
  return parser === null ? `${of('scored string')}.` : `${of('row')}, read by the ${parser} parser.`
}
