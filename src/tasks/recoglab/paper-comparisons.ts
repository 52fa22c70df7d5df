import { modelNames, type PaperComparison, paperColumn, reportColumn, type Table } from '../../core/index.ts'

type Row = Table['rows'][number]

const named = modelNames({ 'Gemma-2B': ['gemma-2-2b', 'gemma-2b'], 'GPT-4o': [] })

const rowOf = (row: Row, given: unknown): string => `${named(String(row['model']))}, ${String(given)} statements`

/** Ours says which answer was given too often; the paper, to which statements. */
const OTHER: { readonly [answer: string]: string } = { consistent: 'inconsistent', inconsistent: 'consistent' }

export const paperComparisons: readonly PaperComparison[] = [
  {
    printed: 'recoglab/sectionc.2',
    measure: 'Taken for the other kind, %',
    paper: paperColumn({ column: 'falsePositives', row: (row) => rowOf(row, row['given']) }),
    corrected: reportColumn('recoglab/figure9-rates', {
      column: 'falsePositives',
      times: 100,
      row: (row) => {
        const given = OTHER[String(row['class']).toLowerCase()]
        return row['ask'] === 'consistency' && given !== undefined ? rowOf(row, given) : null
      },
    }),
    reason: 'Items whose counts reveal nothing about the answer, with an interval over contexts.',
  },
]
