import type { Report } from '../report.ts'

/** What the report is of, in one sentence. */
export const howRead = ({ rows, parser }: Pick<Report, 'rows' | 'parser'>): string =>
  parser === null ? `${rows} scored strings.` : `${rows} rows, read by the ${parser} parser.`
