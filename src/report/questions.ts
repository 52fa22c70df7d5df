import type { ReportedAnalysis } from './report.ts'

/** What a reader asks, in the order in which they do. */
const QUESTIONS: readonly { readonly title: string; readonly of: (id: string) => boolean }[] = [
  {
    title: 'How accurate?',
    of: (id) => ['core/accuracy', 'core/measures', 'core/pass-at-k', 'core/twin-sets'].includes(id),
  },
  {
    title: 'Which is better?',
    of: (id) =>
      [
        'core/until',
        'core/ranks',
        'core/paired',
        'core/pooled',
        'core/styles',
        'core/crossed',
        'core/rankings',
      ].includes(id),
  },
  { title: 'Can the reading be trusted?', of: (id) => ['core/selection', 'core/confusion'].includes(id) },
  { title: 'What did it cost?', of: (id) => id === 'core/usage' },
  { title: 'As the papers print it', of: (id) => id.startsWith('paper/') },
]

/** Where a task's own analyses stand: after the models have been told apart. */
const WHERE = { title: 'Where does it break?', at: 2 }

export interface Answered {
  readonly title: string
  readonly analyses: readonly ReportedAnalysis[]
}

/** The analyses of a report by the question that they answer; questions without any are left out. */
export function byQuestion(analyses: readonly ReportedAnalysis[]): readonly Answered[] {
  const known = QUESTIONS.map(({ title, of }) => ({ title, analyses: analyses.filter(({ id }) => of(id)) }))
  const rest = analyses.filter(({ id }) => !QUESTIONS.some(({ of }) => of(id)))
  return known
    .toSpliced(WHERE.at, 0, { title: WHERE.title, analyses: rest })
    .filter((question) => question.analyses.length > 0)
}
