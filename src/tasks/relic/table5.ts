import { type AnalysisResult, column } from '../../core/index.ts'
import { againstOthers, cohenKappa, largestShare } from '../../libraries/statistics/index.ts'
import printed from './printed.json' with { type: 'json' }
import { agreementColumns, agreementOf } from './strategy/analyses/judges.ts'

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
          column.text('raters', 'Raters'),
          ...agreementColumns,
          column.number('cohen', 'Cohen’s kappa'),
          column.share('majority', 'Judge with the majority'),
          column.share('weighted', 'People with the judge'),
        ],
        rows: [
          { raters: 'people', ...agreementOf(people), cohen: null, majority: null, weighted: null },
          {
            raters: 'people and judge',
            ...agreementOf([...people, judge]),
            cohen: null,
            majority: whole.majority,
            weighted: whole.weighted,
          },
          ...PEOPLE.map((person, r) => ({
            raters: `${NAMES[person]} and judge`,
            ...agreementOf([people[r] as number[], judge]),
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
          column.number('response', 'Response'),
          ...PEOPLE.map((person) => ({ key: person, label: NAMES[person], kind: 'text' }) as const),
          column.text('majority', 'Majority'),
          column.text(JUDGE, NAMES.judge),
          column.share('agreement', 'Largest group that agrees'),
          column.share('majorityAgreement', 'Judge with the majority'),
          column.share('weightedAgreement', 'People with the judge'),
        ],
        rows,
      },
      {
        id: 'relic/table5-labels',
        title: 'The labels as touchstone analyze agreement reads them',
        columns: (['unit', 'rater', 'label'] as const).map((key) => column.text(key, key)),
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
