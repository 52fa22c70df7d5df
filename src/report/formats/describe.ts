import type { Report, SkippedAnalysis } from '../report.ts'
import { counted } from './values.ts'

/** The rows and the parser of a report, in one sentence. */
export function describeRows({ rows, parser, noParser }: Pick<Report, 'rows' | 'parser' | 'noParser'>): string {
  const of = (one: string): string => `${counted(rows)} ${one}${rows === 1 ? '' : 's'}`
  if (parser === null) return `${of('loglikelihood item')}.`
  if (noParser === undefined) return `${of('row')}, ${parser} parser.`
  const { rows: without, tasks } = noParser
  const lack = tasks.length === 1 ? 'does' : 'do'
  return `${of('row')}, ${counted(rows - without)} with the ${parser} parser; ${tasks.join(', ')} ${lack} not have it.`
}

/** The id of a skipped analysis, with its task where others share the id. */
export function skippedName(
  { id, task }: SkippedAnalysis,
  { analyses, skipped }: Pick<Report, 'analyses' | 'skipped'>,
): string {
  const shared = [...analyses, ...skipped].some((other) => other.id === id && other.task !== task)
  return task !== null && shared ? `${id} (${task})` : id
}
