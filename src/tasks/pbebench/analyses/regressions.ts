import { type Analysis, type Frame, optional, type Table, table, tableOf } from '../../../core/index.ts'
import {
  type Condition,
  chiSquaredUpper,
  clusterCodes,
  design,
  type LogisticFit,
  logistic,
  pairwise,
  scores,
  type Term,
  take,
  titled,
  type Variable,
} from '../../../libraries/statistics/index.ts'
import { exactCategories } from './categories.ts'
import { conditionsOf, model, number, PAPER, scoredRows, text } from './common.ts'

const RELATIONS = ['feeding', 'bleeding', 'counterfeeding', 'counterbleeding'] as const

const main = (names: readonly string[]): Term[] => names.map((name) => [name])

/** Nominal main effects, the length as a number, and interactions of the nominal terms only, as published. */
const withPairs = (nominal: readonly string[]): Term[] => [
  ...main(nominal),
  ...pairwise(nominal).filter((term) => term.length === 2),
  ['length'],
]

type Variables = { readonly [name: string]: Variable }

function variablesOf(
  rows: Int32Array,
  isRelated: (row: number, relation: number) => boolean,
  length: Float64Array,
): Variables {
  const flag = (k: number): Variable => ({
    kind: 'nominal',
    codes: Int32Array.from(rows, (row) => (isRelated(row, k) ? 1 : 0)),
    levels: ['no', 'yes'],
    base: 'no',
  })
  return {
    ...Object.fromEntries(RELATIONS.map((name, k) => [name, flag(k)])),
    length: { kind: 'numeric', values: take(length, rows) },
  }
}

function variables(frame: Frame, rows: Int32Array): Variables {
  const flags = RELATIONS.map((name) => frame.number(`feature_${name}`))
  return variablesOf(rows, (row, k) => flags[k]?.[row] === 1, frame.number('feature_length'))
}

/** The same by the exact definition, with the proved minimal length. */
function exactVariables(frame: Frame, rows: Int32Array): Variables {
  const codeOf = exactCategories(frame)
  return variablesOf(rows, (row, k) => codeOf(row)[k] === '1', frame.number('feature_minimalLength'))
}

const varies = (variable: Variable): boolean =>
  new Set(Array.from(variable.kind === 'numeric' ? variable.values : variable.codes)).size > 1

type Fitted =
  | { readonly kind: 'fitted'; readonly tables: readonly Table[] }
  | { readonly kind: 'unfit'; readonly reason: string }

const unfit = (reason: string): Fitted => ({ kind: 'unfit', reason })

/**
 * Coefficients, Wald tests and fit of one regression, with independent and with item-clustered errors. A variable with one value in
 * these rows is omitted, and the table of the fit names it.
 */
function fitted(
  id: string,
  title: string,
  frame: Frame,
  rows: Int32Array,
  given: Variables,
  terms: readonly Term[],
): Fitted {
  const value = scores(frame)
  const y = Float64Array.from(rows, (row) => ((value[row] as number) >= 1 ? 1 : 0))
  if (rows.length === 0) return unfit('no response has a score')
  if (y.every((right) => right === y[0])) return unfit(`every response is ${y[0] === 1 ? 'correct' : 'incorrect'}`)
  const constant = Object.keys(given).filter((name) => !varies(given[name] as Variable))
  const kept = terms.filter((term) => !term.some((name) => constant.includes(name)))
  if (kept.length === 0) return unfit(`one value only: ${constant.join(', ')}`)
  const matrix = design(given, kept)
  const plain = logistic(matrix, y)
  if (plain.kind === 'unfit')
    return unfit(`${plain.message}${constant.length === 0 ? '' : ` (omitted, one value only: ${constant.join(', ')})`}`)
  const robust = logistic(matrix, y, { clusters: clusterCodes(frame, rows) })
  const clustered: LogisticFit | null = robust.kind === 'unfit' ? null : robust
  const coefficients = tableOf(
    `${id}/coefficients`,
    `${title}: coefficients (log odds)`,
    [],
    plain.coefficients.map((one, k) => ({ key: {}, ...one, clustered: clustered?.coefficients[k] })),
    [
      [text('name', 'Term'), ({ name }) => name],
      [number('estimate', 'Coefficient'), ({ estimate }) => estimate],
      [number('standardError', 'Standard error'), ({ standardError }) => standardError],
      [number('p', 'p'), ({ p }) => p],
      [number('clusteredError', 'Standard error, clustered by item'), (one) => one.clustered?.standardError ?? null],
      [number('clusteredP', 'p, clustered by item'), (one) => one.clustered?.p ?? null],
    ],
  )
  const tests = [plain.total ?? [], ...plain.wald].flat().map((one) => ({
    key: {},
    ...one,
    clustered: [clustered?.total ?? [], ...(clustered?.wald ?? [])].flat().find(({ term }) => term === one.term),
  }))
  const wald = tableOf(`${id}/wald`, `${title}: Wald tests`, [], tests, [
    [text('term', 'Term'), ({ term }) => term],
    [number('df', 'df'), ({ df }) => df],
    [number('chi2', 'chi-squared'), ({ statistic }) => statistic],
    [number('p', 'p'), ({ p }) => p],
    [number('clusteredP', 'p, clustered by item'), (one) => one.clustered?.p ?? null],
  ])
  const fit = tableOf(
    `${id}/fit`,
    `${title}: fit`,
    [],
    [{ key: {}, ...plain }],
    [
      [number('rows', 'Rows'), () => rows.length],
      [number('df', 'Residual df'), ({ residualDf }) => residualDf],
      [number('deviance', 'Deviance'), ({ deviance }) => deviance],
      [
        number('p', 'p of the deviance test'),
        ({ deviance, residualDf }) => (residualDf > 0 ? chiSquaredUpper(deviance, residualDf) : null),
      ],
      [number('adjustedR2', 'Deviance R2, adjusted'), ({ adjustedR2 }) => adjustedR2],
      [number('modelDf', 'Model df'), ({ likelihoodRatio }) => likelihoodRatio?.df ?? null],
      [number('modelChi2', 'Model chi-squared'), ({ likelihoodRatio }) => likelihoodRatio?.statistic ?? null],
      [optional(text('omitted', 'Omitted, one value only')), () => constant.join(', ')],
    ],
  )
  return { kind: 'fitted', tables: [coefficients, wald, fit] }
}

const CLUSTERED =
  'Samples of one item are not independent; the published p values are too small. Read the columns clustered by item.'
const NOTES = [
  'Interactions among the nominal terms only: the published degrees of freedom allow no other reading.',
  CLUSTERED,
]

const needs = ['score', 'feature_length', ...RELATIONS.map((name) => `feature_${name}`)]

/** The same regression for every model, and a table of those that could not be fitted. */
function modelByModel(
  id: string,
  frame: Frame,
  terms: readonly Term[],
  given: typeof variables = variables,
  among: (row: number) => boolean = () => true,
): Table[] {
  const { systems, columns } = conditionsOf(frame)
  const all = systems.map(({ key, name, rows: own }) => {
    const rows = scoredRows(frame, own).filter(among)
    return { key, fit: fitted(`${id}/${name}`, name, frame, rows, given(frame, rows), terms) }
  })
  return [
    ...all.flatMap(({ fit }) => (fit.kind === 'fitted' ? fit.tables : [])),
    table(
      `${id}/not-fitted`,
      'Not fitted',
      [...columns, model, text('reason', 'Reason')],
      all.flatMap(({ key, fit }) => (fit.kind === 'unfit' ? [{ ...key, reason: fit.reason }] : [])),
    ),
  ]
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

/** Main effects only, one row per sample: Tables 17 (reordering) and 19. */
export const mainEffects = (id: string, item: string): Analysis => ({
  id: `pbebench/${id}`,
  title: 'Main effects on passing',
  source: { paper: PAPER, item },
  notes: [CLUSTERED],
  needs,
  run: (frame) => ({ tables: modelByModel(`pbebench/${id}`, frame, main([...RELATIONS, 'length'])) }),
})

/** Exact relations and proved minimal length, model by model, in place of the published labels of Tables 16 to 19. */
export const exactEffects: Analysis = {
  id: 'pbebench/exact-effects',
  title: 'What makes items hard, by exact relations and minimal length',
  notes: [
    CLUSTERED,
    'Relations of the planted cascade under the exact definition; length: of a shortest cascade. Items without a proved minimal length are omitted.',
  ],
  needs: ['score', 'feature_exactCategory', 'feature_minimalLength'],
  run(frame) {
    const proved = frame.number('feature_minimalLength')
    const isProved = (row: number): boolean => !Number.isNaN(proved[row] as number)
    const terms = main([...RELATIONS, 'length'])
    return { tables: modelByModel('pbebench/exact-effects', frame, terms, exactVariables, isProved) }
  },
}

/** Models with reasoning on and off: Table 15. */
export const reasoning: Analysis = {
  id: 'pbebench/table15',
  title: 'Reasoning on and off',
  source: { paper: PAPER, item: 'Table 15' },
  notes: [
    ...NOTES,
    'On: most responses of a model and settings used reasoning tokens. Models run in one way only are omitted.',
  ],
  needs: [...needs, 'reasoning_tokens', 'settings'],
  run(frame) {
    const tables = conditionsOf(frame).conditions.flatMap((condition) => bothWays(frame, condition))
    if (tables.length > 0) return { tables }
    const note = 'no model was run with and without reasoning'
    return { tables: [table('pbebench/table15', 'Reasoning on and off', [text('note', 'Note')], [{ note }])] }
  },
}

/** The regression over those models of a condition that were run with and without reasoning. */
function bothWays(frame: Frame, { name, rows: all, systems }: Condition): readonly Table[] {
  const tokens = frame.number('reasoning_tokens')
  const models = frame.category('model')
  const modelAt = (row: number): number => models.codes[row] as number
  const on = new Float64Array(frame.length)
  const ways = new Map<number, Set<number>>()
  for (const { rows } of systems) {
    const thinks = rows.filter((row) => (tokens[row] as number) > 0).length * 2 > rows.length ? 1 : 0
    for (const row of rows) on[row] = thinks
    const code = modelAt(rows[0] as number)
    ways.set(code, (ways.get(code) ?? new Set()).add(thinks))
  }
  const rows = scoredRows(frame, all).filter((row) => ways.get(modelAt(row))?.size === 2)
  if (rows.length === 0) return []
  const given = {
    ...variables(frame, rows),
    model: { kind: 'nominal', codes: take(models.codes, rows), levels: models.levels } as const,
    reasoning: { kind: 'nominal', codes: take(on, rows), levels: ['off', 'on'], base: 'off' } as const,
  }
  const id = name === '' ? 'pbebench/table15' : `pbebench/table15/${name}`
  const title = titled('Reasoning on and off', name)
  const fit = fitted(id, title, frame, rows, given, withPairs(['model', 'reasoning', ...RELATIONS]))
  return fit.kind === 'fitted'
    ? fit.tables
    : [table(id, title, [text('reason', 'Not fitted')], [{ reason: fit.reason }])]
}
