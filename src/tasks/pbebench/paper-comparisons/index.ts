import { type PaperComparison, type PaperValue, paperColumn } from '../../../core/index.ts'
import { column, columnOfModels, type Measured, measures, model, type Row, text } from './columns.ts'
import { kinship, PART_NAMES, trains } from './other-benchmarks.ts'
import { rankCorrelations } from './rank-correlations.ts'
import { coefficients, wald } from './regressions.ts'

const BEST = 'Published: the best of all samples by words. Corrected: every sample, strict parser.'
const CHARACTERS = 'Published: Edit_Sim of whole words, best sample. Corrected: of characters, every sample.'
const COMPLEXITY = 'Published: of the best sample. Corrected: of all parsed samples.'

/** Tables of first and last code blocks: of the paper in shares or percent, ours in percent. */
const blocks = (printed: string, ours: string, unit: '%' | 'share'): readonly PaperComparison[] => {
  const [published, corrected] = unit === '%' ? [1, 100] : [0.01, 1]
  const named = unit === '%' ? ', %' : ''
  return measures(
    printed,
    model,
    (['first', 'last'] as const).flatMap((which) => {
      const end = which === 'first' ? 'First' : 'Last'
      // Our parser takes the last block.
      const right = (key: string) =>
        which === 'last' ? { corrected: column(`${ours}-corrected`, key, corrected) } : {}
      const of = (label: string, key: string, mine: string, reason: string): Measured => ({
        measure: `${label}, ${which} block${named}`,
        column: `${which}${key}`,
        published: column(ours, `${mine}${end}`, published),
        ...right(mine === 'valid' ? 'validRate' : mine),
        reason,
      })
      return [
        of('Pass@1', 'Pass', 'pass', BEST),
        of('Edit_Sim', 'EditSim', 'editSim', CHARACTERS),
        of('Valid_Rate', 'Valid', 'valid', BEST),
      ]
    }),
  )
}

const ofOrders = (row: Row): string => `${text(row, 'orders')} orders`

const RELATIONS: { readonly [short: string]: string } = {
  F: 'feeding',
  B: 'bleeding',
  CF: 'counterfeeding',
  CB: 'counterbleeding',
}

/** The share of planted relations that cascades which pass do not have. */
function lacked(row: Row): readonly PaperValue[] {
  const truth = text(row, 'truth')
  const short = truth.slice(0, -1)
  const [outcome, ...names] = text(row, 'set').split(', ')
  if (outcome !== 'passed' || truth !== `${short}+` || text(row, 'predicted') !== `${short}-`) return []
  return [{ row: RELATIONS[short] ?? short, value: 100 * Number(row['share']), set: names.join(', ') }]
}

const OSS = 'gpt-oss-120b'
const GPT = 'GPT-5'

/** Of each model and length the row of all samples, which is the last. */
const ofAllSamples = (rows: readonly Row[]): readonly Row[] =>
  [...Map.groupBy(rows, (row) => JSON.stringify([row['config'], row['model'], row['length']])).values()].map(
    (mine) => mine.at(-1) as Row,
  )

/** What a row of the tables of one model is called, in the paper and in ours. */
const rules = (row: Row): string => `${text(row, 'length')} rules`
const tokens = (row: Row): string => `${text(row, 'maxTokens')} tokens`
const limits = (row: Row): string => [tokens(row), text(row, 'effort')].filter((part) => part !== '').join(', ')

const CORRECTED_PASS = 'Ours: strict parser, CI over items; the paper scores the last block of the best sample.'

const BUDGET = [
  ['firstPass', 'passFirst', 'Pass@1, first block'],
  ['firstEditSim', 'editSimFirst', 'Edit_Sim, first block'],
  ['firstValid', 'validFirst', 'Valid_Rate, first block'],
  ['lastPass', 'passLast', 'Pass@1, last block'],
  ['lastEditSim', 'editSimLast', 'Edit_Sim, last block'],
  ['lastValid', 'validLast', 'Valid_Rate, last block'],
  ['nulls', 'nulls', 'Nulls'],
] as const

/** Tables 25 to 27: one model by samples, by blocks of a run, by tokens. */
const budgets = (
  printed: string,
  ours: (row: Row) => string,
  paper: (row: Row) => string,
): readonly PaperComparison[] =>
  measures(
    printed,
    paper,
    BUDGET.map(([key, mine, measure]) => ({
      measure,
      column: key,
      published: columnOfModels(printed, mine, ours),
      reason: `Paper: ${OSS}. A budget of k takes the first k samples of one run, where the paper has a run for each k.`,
    })),
  )

export const paperComparisons: readonly PaperComparison[] = [
  ...measures('table1', model, [
    {
      measure: 'Accuracy, %',
      column: 'accuracy',
      published: column('table1', 'accuracy', 100),
      corrected: column('table1', 'accuracyLonger', 100),
      reason: 'Corrected: cascades of three rules and more, since of two the exchange is always right.',
    },
    {
      measure: 'Accuracy where one order is right, %',
      column: 'unique',
      published: column('table1', 'uniqueAccuracy', 100),
      corrected: column('table1', 'uniqueAccuracyLonger', 100),
      reason: 'Corrected: cascades of three rules and more; none where no such item has one order.',
    },
  ]),
  ...measures(
    'table2',
    model,
    (
      [
        ['Pass@1, %', 'pass', 'passLast', 100, BEST],
        ['Edit_Sim, %', 'editSim', 'editSimLast', 100, CHARACTERS],
        ['Complexity', 'complexity', 'complexityLast', 1, COMPLEXITY],
        ['Valid_Rate, %', 'validRate', 'validLast', 100, BEST],
      ] as const
    ).map(([measure, key, published, times, reason]) => ({
      measure,
      column: key,
      published: column('table2', published),
      corrected: column('table2-corrected', key, times),
      reason,
    })),
  ),
  ...blocks('table3', 'table2', 'share'),
  ...kinship('table9', 'all'),
  ...(Object.keys(PART_NAMES) as (keyof typeof PART_NAMES)[])
    .filter((part) => part !== 'all')
    .flatMap((part) => kinship('table10', part)),
  ...trains('table11', 'all', (what) => what),
  ...(['basic', 'easy', 'medium', 'hard'] as const).flatMap((tier) =>
    trains('table12', tier, (what) =>
      what === 'accuracy' ? tier : `${tier}${what === 'partial' ? 'Partial' : 'Syntax'}`,
    ),
  ),
  ...blocks('table13', 'table13', '%'),
  ...wald('table15', 'table15', 'three models'),
  ...wald('table16', 'table16', 'QwQ-32B'),
  ...coefficients('table17', 'all models', false),
  ...wald('table18', 'table16', GPT),
  ...coefficients('table19', OSS, true),
  ...measures('table20', rules, [
    {
      measure: 'Pass@1',
      column: 'lastPass',
      corrected: ['pbebench/figure2', { ...columnOfModels('figure2', 'pass', rules)[1], rows: ofAllSamples }],
      reason: `Paper: ${OSS}. ${CORRECTED_PASS}`,
    },
  ]),
  ...blocks('table21', 'table2', 'share'),
  ...measures('table22', (row) => `${rules(row)}, ${text(row, 'samples')} samples`, [
    {
      measure: 'Pass@1',
      column: 'pass',
      corrected: columnOfModels('figure2', 'pass', (row) => `${rules(row)}, ${text(row, 'k')} samples`),
      reason: `Paper: ${GPT}. ${CORRECTED_PASS}`,
    },
  ]),
  ...measures('table23', (row) => `${text(row, 'samples')} samples`, [
    {
      measure: 'Pass@1',
      column: 'lastPass',
      corrected: columnOfModels('table23', 'pass', (row) => `${text(row, 'k')} samples`),
      reason: `Paper: ${GPT}. Both average over all subsets of the samples; ours: strict parser, CI over items.`,
    },
  ]),
  ...measures(
    'table24',
    limits,
    (
      [
        ['tokens', 'tokens', 'Tokens used, mean', 1],
        ['pass', 'pass', 'Pass@1', 1],
        ['nulls', 'nulls', 'Nulls, %', 100],
        ['right', 'right', 'Right, %', 100],
        ['wrong', 'wrong', 'Wrong, %', 100],
      ] as const
    ).map(([key, mine, measure, times]) => ({
      measure,
      column: key,
      corrected: columnOfModels('table24', mine, limits, times),
      reason: `Paper: ${GPT}. ${CORRECTED_PASS}`,
    })),
  ),
  ...budgets(
    'table25',
    (row) => `${text(row, 'budget')} samples`,
    (row) => `${text(row, 'samples')} samples`,
  ),
  ...budgets(
    'table26',
    (row) => `run ${text(row, 'block')}`,
    (row) => `run ${text(row, 'run')}`,
  ),
  ...budgets('table27', tokens, tokens),
  {
    printed: 'pbebench/figure21',
    measure: 'False negatives, %',
    paper: paperColumn({ column: 'falseNegatives', row: (row) => text(row, 'relation') }),
    published: (tables) =>
      tables.filter(({ id }) => id === 'pbebench/figure21').flatMap(({ rows }) => rows.flatMap(lacked)),
    reason: 'Models that succeed lack no relation that an item needs: many items have other solutions.',
  },
  ...measures('sectionf.9', ofOrders, [
    {
      measure: 'Response length, characters',
      column: 'characters',
      corrected: columnOfModels('reordering-strategies', 'characters', ofOrders),
      reason: 'Paper: about, of QwQ-32B and DeepSeek-R1. Ours are means.',
    },
    {
      measure: 'Accuracy, %',
      column: 'accuracy',
      corrected: columnOfModels('reordering-strategies', 'accuracy', ofOrders, 100),
      reason: 'Paper: about, of QwQ-32B and DeepSeek-R1.',
    },
  ]),
  ...rankCorrelations,
]
