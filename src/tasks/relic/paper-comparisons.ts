import {
  modelNames,
  type PaperComparison,
  type PaperValue,
  paperColumn,
  reportColumn,
  type Table,
} from '../../core/index.ts'

type Row = Table['rows'][number]

const named = modelNames({
  'gpt-4.1-nano': [],
  'gpt-4.1-mini': [],
  'gpt-4.1': [],
  'o4-mini': [],
  o3: [],
  'gemma-3-1b': [],
  'gemma-3-4b': [],
  'DSR1-7B': ['deepseek-r1-distill-qwen-7b'],
})

const model = (row: Row): string => named(String(row['model']))
const what = (row: Row): string => String(row['what'])

const table1 = (measure: string, printed: string, published: string, corrected: string | null, reason: string) => ({
  printed: 'relic/table1',
  measure,
  paper: paperColumn({ column: printed, row: model }),
  published: reportColumn('relic/table1', { column: published, row: model }),
  ...(corrected === null
    ? {}
    : { corrected: reportColumn('relic/table1-corrected', { column: corrected, row: model, times: 100 }) }),
  reason,
})

const SPREAD = 'Published: cells or grammars as replicates. Corrected: the interval beside the value.'

/** Columns of table 2: the paper's, ours, and what the corrected table calls them. */
const STATISTICS = [
  ['n_terminals', 'terminals', 'terminals'],
  ['n_lexical', 'lexical', 'lexical rules'],
  ['n_nonterminals', 'nonterminals', 'nonterminals'],
  ['n_nonlexical', 'nonlexical', 'binary rules'],
] as const

const modelAndMeasure = (row: Row): string => `${model(row)}, ${String(row['measure'])}`

const BASE = 'gpt-4.1-nano'

/** Coefficients by the names that the paper gives the terms. The slopes of the base are its own only where that is the paper's. */
function coefficients(tables: readonly Table[]): readonly PaperValue[] {
  const rows = rowsOf(tables, 'relic/table3')
  const levelOf = (name: string): string | null =>
    name.includes('model=') ? named(name.split('model=')[1] ?? '') : null
  const levels = rows.map((row) => levelOf(String(row['term'])))
  const base = levels.includes('gpt-4.1-mini') && !levels.includes(BASE) ? BASE : 'the first model'
  return rows.map((row) => {
    const name = String(row['term'])
    return { row: termOf(name, levelOf(name) ?? base), value: row['coefficient'] as PaperValue['value'] }
  })
}

function termOf(name: string, model: string): string {
  if (name === 'Intercept') return name
  if (name === 'x:y') return 'log10(nonlexical rules) x log10(length)'
  if (name.startsWith('model=')) return model
  return `log10(${name.startsWith('x') ? 'nonlexical rules' : 'length'}) x ${model}`
}

/** The shortest and the longest of the lengths at which models fall. */
function ends(tables: readonly Table[]): readonly PaperValue[] {
  const found = rowsOf(tables, 'relic/inflection').flatMap(({ falls, middle }) =>
    falls === 'yes' && middle !== null ? [numberIn(middle)] : [],
  )
  if (found.length === 0) return []
  return [
    { row: 'shortest, of the model that falls first', value: Math.min(...found) },
    { row: 'longest', value: Math.max(...found) },
  ]
}

/** The largest coverage that more than half of the grammars pass. */
function commonCoverage(tables: readonly Table[]): readonly PaperValue[] {
  const rows = rowsOf(tables, 'relic/figure9').filter(({ variant }) => variant === 'as published')
  const passed = rows.findLast(({ cumulative }) => typeof cumulative === 'number' && cumulative < 0.5)
  if (rows.length === 0) return []
  const value = typeof passed?.['coverage'] === 'number' ? 100 * passed['coverage'] : 0
  return [{ row: 'coverage that most grammars pass, %', value }]
}

/** The length from which on most chains are heuristic, of each respondent and judge. */
function heuristicFrom(tables: readonly Table[]): readonly PaperValue[] {
  const rows = rowsOf(tables, 'relic/strategies').filter(({ strategy }) => strategy === 'heuristic')
  const each = Map.groupBy(rows, ({ panel }) => String(panel))
  return [...each].map(([panel, mine]) => {
    const rare = mine.findLastIndex(({ share }) => !(numberIn(share) > 0.5))
    const first = mine[rare + 1]
    return {
      row: 'length beyond which heuristics prevail, at most',
      set: panel,
      value: typeof first?.['length'] === 'number' ? first['length'] : 'never',
    }
  })
}

const numberIn = (value: Row[string] | undefined): number =>
  typeof value === 'object' && value !== null && 'value' in value ? Number(value.value) : Number(value)

const rowsOf = (tables: readonly Table[], id: string): readonly Row[] =>
  tables.filter((table) => table.id === id).flatMap(({ rows }) => rows)

/** The two lines below table 5, and the labels of each response. */
const LABELS = [
  ['Agreement of the people', 'agreement'],
  ['o4-mini with the majority', 'majorityAgreement'],
  ['o4-mini with the people', 'weightedAgreement'],
] as const

export const paperComparisons: readonly PaperComparison[] = [
  table1(
    'Accuracy, %',
    'accuracy',
    'accuracy',
    'accuracy',
    'Published: the last yes or no anywhere counts. Corrected: strict parser only.',
  ),
  table1('Accuracy, standard error, %', 'accuracyError', 'accuracySem', null, SPREAD),
  table1(
    'Macro F1, %',
    'f1',
    'macroF1Published',
    'macroF1',
    'Published: unparsed responses are a third class, mean over grammars. Corrected: two classes, all grammars pooled.',
  ),
  table1('Macro F1, standard error, %', 'f1Error', 'macroF1PublishedSem', null, SPREAD),
  ...STATISTICS.map(
    ([printed, published, corrected]): PaperComparison => ({
      printed: 'relic/table2',
      measure: `r with log10 of ${corrected}`,
      paper: paperColumn({ column: printed, row: modelAndMeasure }),
      published: reportColumn('relic/table2', { column: published, row: modelAndMeasure }),
      corrected: reportColumn('relic/table2-corrected', {
        column: 'r',
        row: (row) => (row['statistic'] === `log10 ${corrected}` ? modelAndMeasure(row) : null),
      }),
      reason:
        'Published: accuracy over (grammar, length) rows, F1 of three classes. Corrected: both over grammars, strict parser, two classes.',
    }),
  ),
  {
    printed: 'relic/table3',
    measure: 'Coefficient, points',
    paper: paperColumn({ column: 'coefficient', row: (row) => String(row['term']) }),
    published: coefficients,
    reason:
      'Each is against the first model and the mean size and length of its run. The corrected regression is of log odds, in a separate table.',
  },
  {
    printed: 'relic/figure6',
    measure: 'Length at the peak, tokens',
    paper: paperColumn({ column: 'value', row: (row) => named(what(row)) }),
    published: reportColumn('relic/figure6-peaks', { column: 'length', row: model }),
    reason: 'A maximum over lengths, which moves with few responses a length.',
  },
  {
    printed: 'relic/figure9',
    measure: 'Coverage, %',
    paper: paperColumn({
      column: 'value',
      row: (row) => (what(row).startsWith('coverage') ? what(row) : null),
    }),
    published: commonCoverage,
    reason: 'In steps of 5 points: the lower end of the bar in which the median lies.',
  },
  {
    printed: 'relic/section5.2',
    measure: 'Length, tokens',
    paper: paperColumn({ column: 'value', row: what }),
    corrected: ends,
    reason: 'Fitted instead of read off; over the models of the run whose accuracy falls.',
  },
  {
    printed: 'relic/section6.2',
    measure: 'Length, tokens',
    paper: paperColumn({ column: 'value', row: (row) => (what(row).startsWith('length') ? what(row) : null) }),
    corrected: heuristicFrom,
    reason: 'The middle of the first lengths from which on more than half of the chains are heuristic.',
  },
  ...LABELS.map(
    ([measure, column]): PaperComparison => ({
      printed: 'relic/table5',
      measure,
      paper: paperColumn({ column, row: (row) => `response ${String(row['response'])}` }),
      published: reportColumn('relic/table5', { column, row: (row) => `response ${String(row['response'])}` }),
      reason: 'Recomputed from the printed labels; the paper rounds to three digits.',
    }),
  ),
]
