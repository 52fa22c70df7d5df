import type { AnalysisResult } from '../../core/index.ts'
import { againstOthers, cohenKappa, fleissKappa, krippendorffAlpha, largestShare } from '../../stats/index.ts'
import printed from './printed.json' with { type: 'json' }

/** The paper's raters: three of its authors, and the judge. */
const PEOPLE = ['a', 'b', 'c'] as const
const JUDGE = 'judge'
const NAMES = { a: 'A', b: 'B', c: 'C', judge: 'o4-mini' } as const

/** The labels that Table 5 prints, one row a response. */
const labels = (printed.find(({ id }) => id === 'relic/table5')?.rows ?? []) as readonly {
  readonly [column: string]: string | number
}[]

/** Table 5 from its labels: what it prints of each response and below it, and the coefficients that it does not have. */
export function table5(): AnalysisResult {
  const codes = new Map<string, number>()
  const codeOf = (label: string | number | undefined): number => {
    const code = codes.get(String(label)) ?? codes.size
    codes.set(String(label), code)
    return code
  }
  const people = PEOPLE.map((person) => labels.map((row) => codeOf(row[person])))
  const judge = labels.map((row) => codeOf(row[JUDGE]))
  const names = [...codes.keys()]
  const whole = againstOthers(judge, people)
  const rows = labels.map((row, u) => {
    const said = people.map((own) => [own[u] as number])
    const one = againstOthers([judge[u] as number], said)
    const [majority] = Object.entries(Object.groupBy(said.flat(), (label) => label)).sort(
      ([, a = []], [, b = []]) => b.length - a.length,
    )[0] ?? ['']
    return {
      response: row['response'] as number,
      ...Object.fromEntries([...PEOPLE, JUDGE].map((rater) => [rater, row[rater] as string])),
      majority: names[Number(majority)] ?? null,
      agreement: largestShare(said),
      majorityAgreement: one.majority,
      weightedAgreement: one.weighted,
    }
  })
  return {
    tables: [
      {
        id: 'relic/table5-agreement',
        title: 'Agreement of people with each other and with the judge',
        columns: [
          { key: 'raters', label: 'Raters', kind: 'text' },
          { key: 'responses', label: 'Responses', kind: 'number' },
          { key: 'share', label: 'Largest group that agrees', kind: 'share', unit: 'share' },
          { key: 'krippendorff', label: 'Krippendorff’s alpha', kind: 'number' },
          { key: 'fleiss', label: 'Fleiss’ kappa', kind: 'number' },
          { key: 'cohen', label: 'Cohen’s kappa', kind: 'number' },
          { key: 'majority', label: 'Judge with the majority', kind: 'share', unit: 'share' },
          { key: 'weighted', label: 'People with the judge', kind: 'share', unit: 'share' },
        ],
        rows: [
          { raters: 'people', ...groupOf(people), cohen: null, majority: null, weighted: null },
          {
            raters: 'people and judge',
            ...groupOf([...people, judge]),
            cohen: null,
            majority: whole.majority,
            weighted: whole.weighted,
          },
          ...PEOPLE.map((person, r) => ({
            raters: `${NAMES[person]} and judge`,
            ...groupOf([people[r] as number[], judge]),
            fleiss: null,
            cohen: cohenKappa(people[r] as number[], judge),
            majority: null,
            weighted: null,
          })),
        ],
      },
      {
        id: 'relic/table5',
        title: 'Each response',
        columns: [
          { key: 'response', label: 'Response', kind: 'number' },
          ...PEOPLE.map((person) => ({ key: person, label: NAMES[person], kind: 'text' }) as const),
          { key: 'majority', label: 'Majority', kind: 'text' },
          { key: JUDGE, label: NAMES.judge, kind: 'text' },
          { key: 'agreement', label: 'Largest group that agrees', kind: 'share', unit: 'share' },
          { key: 'majorityAgreement', label: 'Judge with the majority', kind: 'share', unit: 'share' },
          { key: 'weightedAgreement', label: 'People with the judge', kind: 'share', unit: 'share' },
        ],
        rows,
      },
      {
        id: 'relic/table5-labels',
        title: 'The labels as touchstone agreement reads them',
        columns: (['unit', 'rater', 'label'] as const).map((key) => ({ key, label: key, kind: 'text' })),
        rows: labels.flatMap((row) =>
          [...PEOPLE, JUDGE].map((rater) => ({
            unit: String(row['response']),
            rater: NAMES[rater as keyof typeof NAMES],
            label: row[rater] as string,
          })),
        ),
      },
    ],
  }
}

const groupOf = (ratings: readonly (readonly number[])[]) => ({
  responses: labels.length,
  share: largestShare(ratings),
  krippendorff: krippendorffAlpha(ratings),
  fleiss: fleissKappa(ratings),
})
