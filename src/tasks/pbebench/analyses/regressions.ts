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
} from '../../../libraries/statistics/index.ts'
import { type Part, partsOf, titled } from './arms.ts'
import { number, PAPER, text } from './common.ts'
import { exactCategories } from './minimal.ts'

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

/** The same by the exact definition, with the proved minimal length; rows without a proof are left out before. */
function exactVariables(frame: Frame, rows: Int32Array): { readonly [name: string]: Variable } {
  const codeOf = exactCategories(frame)
  const flag = (k: number): Variable => ({
    kind: 'nominal',
    codes: Int32Array.from(rows, (row) => (codeOf(row)[k] === '1' ? 1 : 0)),
    levels: ['no', 'yes'],
    base: 'no',
  })
  return {
    ...Object.fromEntries(RELATIONS.map((name, k) => [name, flag(k)])),
    length: { kind: 'numeric', values: take(frame.number('feature_minimalLength'), rows) },
  }
}

const usable = (value: Float64Array, rows: Int32Array): Int32Array =>
  rows.filter((row) => !Number.isNaN(value[row] as number))

const varies = (variable: Variable): boolean =>
  new Set(Array.from(variable.kind === 'numeric' ? variable.values : variable.codes)).size > 1

type Fitted =
  | { readonly kind: 'fitted'; readonly tables: readonly Table[] }
  | { readonly kind: 'unfit'; readonly reason: string }

const unfit = (reason: string): Fitted => ({ kind: 'unfit', reason })

/**
 * Coefficients, Wald tests and fit of one regression, with independent and with item-clustered errors. A variable that
 * takes one value in these rows explains nothing: it is left out, and the table says so.
 */
function fitted(
  id: string,
  title: string,
  frame: Frame,
  rows: Int32Array,
  given: { readonly [name: string]: Variable },
  terms: readonly Term[],
): Fitted {
  const value = scores(frame)
  const y = Float64Array.from(rows, (row) => ((value[row] as number) >= 1 ? 1 : 0))
  if (rows.length === 0) return unfit('no answer has a score')
  if (y.every((right) => right === y[0])) return unfit(`every answer is ${y[0] === 1 ? 'right' : 'not right'}`)
  const constant = Object.keys(given).filter((name) => !varies(given[name] as Variable))
  const kept = terms.filter((term) => !term.some((name) => constant.includes(name)))
  if (kept.length === 0) return unfit(`one value only: ${constant.join(', ')}`)
  const model = design(given, kept)
  const plain = logistic(model, y)
  if (plain.kind === 'unfit') {
    const left = constant.length === 0 ? '' : ` (left out, one value only: ${constant.join(', ')})`
    return unfit(`${plain.message}${left}`)
  }
  const robust = logistic(model, y, { clusters: clusterCodes(frame, rows) })
  const clustered: LogisticFit | null = robust.kind === 'unfit' ? null : robust
  const tables: Table[] = [
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
        ...(constant.length === 0 ? [] : [text('leftOut', 'Left out, one value only')]),
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
          ...(constant.length === 0 ? {} : { leftOut: constant.join(', ') }),
        },
      ],
    },
  ]
  return { kind: 'fitted', tables }
}

const NOTES = [
  'Interactions are among the nominal terms only: the published degrees of freedom allow no other reading.',
  'Samples of one item are not independent; the published tests treat them so, and their p values are too small. The clustered columns are the ones to read.',
]

const needs = ['value', 'feature_length', ...RELATIONS.map((name) => `feature_${name}`)]

/** The same regression for every model by itself, and one table of those that could not be fitted. */
function modelByModel(
  id: string,
  frame: Frame,
  terms: readonly Term[],
  variablesOf: typeof variables = variables,
  among: (row: number) => boolean = () => true,
): Table[] {
  const value = scores(frame)
  const { arms, columns } = partsOf(frame)
  const all = arms.map(({ key, name, rows: list }) => {
    const rows = usable(value, list).filter(among)
    return { key, made: fitted(`${id}/${name}`, name, frame, rows, variablesOf(frame, rows), terms) }
  })
  const notes = all.flatMap(({ key, made }) => (made.kind === 'unfit' ? [{ ...key, reason: made.reason }] : []))
  const tables = all.flatMap(({ made }) => (made.kind === 'fitted' ? made.tables : []))
  if (notes.length === 0) return tables
  const named = [...columns, text('model', 'Model'), text('reason', 'Reason')]
  return [...tables, { id: `${id}/not-fitted`, title: 'Not fitted', columns: named, rows: notes }]
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

/** Exact relations and proved minimal length, model by model: what Tables 16 to 19 ask of the published labels. */
export const exactEffects: Analysis = {
  id: 'pbebench/exact-effects',
  title: 'What makes items hard, by exact relations and minimal length',
  notes: [
    NOTES[1] as string,
    'Relations of the planted cascade under the exact definition; length is that of a shortest cascade. Items whose minimal length is not proved are left out.',
  ],
  needs: ['value', 'feature_exactCategory', 'feature_minimalLength'],
  run(frame) {
    const proved = frame.number('feature_minimalLength')
    const among = (row: number): boolean => !Number.isNaN(proved[row] as number)
    const terms = main([...RELATIONS, 'length'])
    return { tables: modelByModel('pbebench/exact-effects', frame, terms, exactVariables, among) }
  },
}

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
    const tables = partsOf(frame).parts.flatMap((part) => bothWays(frame, part))
    if (tables.length > 0) return { tables }
    const note = 'no model was run with and without reasoning'
    const columns = [text('note', 'Note')]
    return { tables: [{ id: 'pbebench/table15', title: 'Reasoning on and off', columns, rows: [{ note }] }] }
  },
}

/** The regression over those models of a part that were run with and without reasoning. */
function bothWays(frame: Frame, { name, rows: part, arms }: Part): readonly Table[] {
  const tokens = frame.number('reasoningTokens')
  const models = frame.category('model')
  const modelOf = (row: number): number => models.codes[row] as number
  const on = new Float64Array(frame.length)
  const ways = new Map<number, Set<number>>()
  for (const { rows } of arms) {
    const thinks = rows.filter((row) => (tokens[row] as number) > 0).length * 2 > rows.length ? 1 : 0
    for (const row of rows) on[row] = thinks
    const model = modelOf(rows[0] as number)
    ways.set(model, (ways.get(model) ?? new Set()).add(thinks))
  }
  const rows = usable(scores(frame), part).filter((row) => ways.get(modelOf(row))?.size === 2)
  if (rows.length === 0) return []
  const given = {
    ...variables(frame, rows),
    model: { kind: 'nominal', codes: take(models.codes, rows), levels: models.levels } as const,
    reasoning: { kind: 'nominal', codes: take(on, rows), levels: ['off', 'on'], base: 'off' } as const,
  }
  const id = name === '' ? 'pbebench/table15' : `pbebench/table15/${name}`
  const terms = withPairs(['model', 'reasoning', ...RELATIONS])
  const title = titled('Reasoning on and off', name)
  const made = fitted(id, title, frame, rows, given, terms)
  if (made.kind === 'fitted') return made.tables
  return [{ id, title, columns: [text('reason', 'Not fitted')], rows: [{ reason: made.reason }] }]
}
