import { QUESTIONS } from '../core/index.ts'
import type { ReportedAnalysis } from './report.ts'

export interface Answers {
  readonly title: string
  readonly analyses: readonly ReportedAnalysis[]
}

/** The analyses of a report by question, in the order of {@link QUESTIONS}. */
export const byQuestion = (analyses: readonly ReportedAnalysis[]): readonly Answers[] =>
  Object.entries(QUESTIONS)
    .map(([name, title]) => ({ title, analyses: analyses.filter(({ question }) => question === name) }))
    .filter((answers) => answers.analyses.length > 0)
