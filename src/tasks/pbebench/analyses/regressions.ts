import type { Analysis, Frame, Table } from '../../../core/index.ts'
import {
  chiSquaredUpper,
  clusterCodes,
  design,
  type LogisticFit,
  logistic,
  pairwise,
  scores,
  type Term,
  take,
  type Variable,
} from '../../../stats/index.ts'
import { arms, number, PAPER, text } from './common.ts'

const RELATIONS = ['feeding', 'bleeding', 'counterfeeding', 'counterbleeding'] as const

const main = (names: readonly string[]): Term[] => names.map((name) => [name])

/** Nominal main effects, the length as a number, and interactions of the nominal terms only, as published. */
const withPairs = (nominal: readonly string[]): Term[] => [
  ...main(nominal),
  ...pairwise(nominal).filter((term) => term.length === 2),
  ['length'],
]

function variables(frame: Frame, rows: Int32Array): { readonly [name: string]: Variable } {
  const flag = (name: string): Variable => ({
    kind: 'nominal',
    codes: take(frame.number(`feature_${name}`), rows),
    levels: ['no', 'yes'],
    base: 'no',
  })
  return {
    ...Object.fromEntries(RELATIONS.map((name) => [name, flag(name)])),
    length: { kind: 'numeric', values: take(frame.number('feature_length'), rows) },
  }
}

const usable = (value: Float64Array, rows: Int32Array): Int32Array =>
  rows.filter((row) => !Number.isNaN(value[row] as number))

/** Coefficients, Wald tests and fit of one regression, with independent and with item-clustered errors. */
function fitted(
  id: string,
  title: string,
  frame: Frame,
  rows: Int32Array,
  given: { readonly [name: string]: Variable },
  terms: readonly Term[],
): Table[] {
  const value = scores(frame)
  const y = Float64Array.from(rows, (row) => ((value[row] as number) >= 1 ? 1 : 0))
  const model = design(given, terms)
  const plain = logistic(model, y)
  if (plain.kind === 'unfit')
    return [{ id, title, columns: [text('note', 'Not fitted')], rows: [{ note: plain.message }] }]
  const robust = logistic(model, y, { clusters: clusterCodes(frame, rows) })
  const clustered: LogisticFit | null = robust.kind === 'unfit' ? null : robust
  return [
    {
      id: `${id}/coefficients`,
      title: `${title}: coefficients (log odds)`,
      columns: [
        text('name', 'Term'),
        number('estimate', 'Coefficient'),
        number('standardError', 'Standard error'),
        number('p', 'p'),
        number('clusteredError', 'Standard error, clustered by item'),
        number('clusteredP', 'p, clustered by item'),
      ],
      rows: plain.coefficients.map(({ name, estimate, standardError, p }, k) => ({
        name,
        estimate,
        standardError,
        p,
        clusteredError: clustered?.coefficients[k]?.standardError ?? null,
        clusteredP: clustered?.coefficients[k]?.p ?? null,
      })),
    },
    {
      id: `${id}/wald`,
      title: `${title}: Wald tests`,
      columns: [
        text('term', 'Term'),
        number('df', 'df'),
        number('chi2', 'chi-squared'),
        number('p', 'p'),
        number('clusteredP', 'p, clustered by item'),
      ],
      rows: plain.wald.map(({ term, df, statistic, p }, k) => ({
        term,
        df,
        chi2: statistic,
        p,
        clusteredP: clustered?.wald[k]?.p ?? null,
      })),
    },
    {
      id: `${id}/fit`,
      title: `${title}: fit`,
      columns: [
        number('rows', 'Rows'),
        number('df', 'Residual df'),
        number('deviance', 'Deviance'),
        number('p', 'p of the deviance test'),
        number('adjustedR2', 'Deviance R2, adjusted'),
        number('modelDf', 'Model df'),
        number('modelChi2', 'Model chi-squared'),
      ],
      rows: [
        {
          rows: rows.length,
          df: plain.residualDf,
          deviance: plain.deviance,
          p: plain.residualDf > 0 ? chiSquaredUpper(plain.deviance, plain.residualDf) : null,
          adjustedR2: plain.adjustedR2,
          modelDf: plain.likelihoodRatio?.df ?? null,
          modelChi2: plain.likelihoodRatio?.statistic ?? null,
        },
      ],
    },
  ]
}

const NOTES = [
  'Interactions are among the nominal terms only: the published degrees of freedom allow no other reading.',
  'Samples of one item are not independent; the published tests treat them so, and their p values are too small. The clustered columns are the ones to read.',
]

const needs = ['value', 'feature_length', ...RELATIONS.map((name) => `feature_${name}`)]

/** The same regression for every model by itself. */
const modelByModel = (id: string, frame: Frame, terms: readonly Term[]): Table[] => {
  const value = scores(frame)
  return arms(frame).flatMap(({ contestant, rows: list }) => {
    const rows = usable(value, list)
    return fitted(`${id}/${contestant}`, contestant, frame, rows, variables(frame, rows), terms)
  })
}

/** Relations and length with their interactions, model by model: Tables 16 and 18. */
export const perModel: Analysis = {
  id: 'pbebench/table16',
  title: 'What makes items hard, model by model',
  source: { paper: PAPER, item: 'Tables 16 and 18' },
  notes: NOTES,
  needs,
  run: (frame) => ({ tables: modelByModel('pbebench/table16', frame, withPairs(RELATIONS)) }),
}

/** Main effects only, each sample a row: Tables 17 (reordering) and 19. */
export const mainEffects = (id: string, item: string): Analysis => ({
  id: `pbebench/${id}`,
  title: 'Main effects on passing',
  source: { paper: PAPER, item },
  notes: [NOTES[1] as string],
  needs,
  run: (frame) => ({ tables: modelByModel(`pbebench/${id}`, frame, main([...RELATIONS, 'length'])) }),
})

/** Models with reasoning on and off: Table 15. Wants the effort (or a name with "thinking") to differ. */
export const reasoning: Analysis = {
  id: 'pbebench/table15',
  title: 'Reasoning on and off',
  source: { paper: PAPER, item: 'Table 15' },
  notes: [
    ...NOTES,
    'Reasoning counts as on where reasoning tokens were used in most responses of a model and settings; models that were run in one way only are left out.',
  ],
  needs: [...needs, 'reasoningTokens', 'settings'],
  run(frame) {
    const value = scores(frame)
    const tokens = frame.number('reasoningTokens')
    const models = frame.category('model')
    const on = new Float64Array(frame.length)
    const ways = new Map<number, Set<number>>()
    for (const { rows } of arms(frame)) {
      const thinks = rows.filter((row) => (tokens[row] as number) > 0).length * 2 > rows.length ? 1 : 0
      for (const row of rows) on[row] = thinks
      const code = models.codes[rows[0] as number] as number
      ways.set(code, (ways.get(code) ?? new Set()).add(thinks))
    }
    const rows = Int32Array.from({ length: frame.length }, (_, row) => row).filter(
      (row) => !Number.isNaN(value[row] as number) && ways.get(models.codes[row] as number)?.size === 2,
    )
    if (rows.length === 0)
      return {
        tables: [
          {
            id: 'pbebench/table15',
            title: 'Reasoning on and off',
            columns: [text('note', 'Note')],
            rows: [{ note: 'no model was run with and without reasoning' }],
          },
        ],
      }
    const given = {
      ...variables(frame, rows),
      model: { kind: 'nominal', codes: take(models.codes, rows), levels: models.levels } as const,
      reasoning: { kind: 'nominal', codes: take(on, rows), levels: ['off', 'on'], base: 'off' } as const,
    }
    const several = new Set(given.model.codes).size > 1
    const nominal = [...(several ? ['model'] : []), 'reasoning', ...RELATIONS]
    return { tables: fitted('pbebench/table15', 'Reasoning on and off', frame, rows, given, withPairs(nominal)) }
  },
}
