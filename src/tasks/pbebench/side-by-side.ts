import {
  type ColumnPlace,
  modelNames,
  ourColumn,
  type Placed,
  printedColumn,
  type SideBySide,
  type Table,
} from '../../core/index.ts'

type Row = Table['rows'][number]

/** Models of the tables whose names in the paper and elsewhere differ by more than a provider or a date. */
const named = modelNames({
  'Codestral-22B': ['codestral-22b-v0.1'],
  'Qwen2.5-32B-Instruct': [],
  'Qwen2.5-Coder-32B-Instruct': ['Qwen2.5Coder-32B-Instruct'],
  'Qwen3-32B': [],
  'Qwen3-Coder-30B-A3B-Instruct': [],
  'DeepSeek-R1-Distill-Qwen-32B': [],
  'Qwen3-30B-A3B': [],
  'QwQ-32B': [],
  'Qwen3-32B (with CoT)': [],
  'gpt-oss-20b': [],
  'gpt-oss-120b': [],
  'Claude-3.5-Sonnet': ['claude-3-5-sonnet'],
  'Claude-3.7-Sonnet': ['claude-3-7-sonnet'],
  'Claude-4-Sonnet': ['claude-sonnet-4', 'Claude-4 Sonnet'],
  'Claude-4.5-Sonnet': ['claude-sonnet-4-5'],
  'o3-mini': [],
  'o4-mini': [],
  'Gemini 2.5 Flash': [],
  'GPT-5': [],
})

const text = (row: Row, key: string): string => String(row[key] ?? '')
const model = (row: Row): string => named(text(row, 'model'))

/** A measure of one column, in the paper and in ours. */
interface Measured {
  readonly measure: string
  readonly column: string
  readonly published?: readonly [table: string, place: ColumnPlace]
  readonly corrected?: readonly [table: string, place: ColumnPlace]
  readonly reason: string
}

const measures = (printed: string, row: (row: Row) => string | null, all: readonly Measured[]): readonly SideBySide[] =>
  all.map(({ measure, column, published, corrected, reason }) => ({
    printed: `pbebench/${printed}`,
    measure,
    paper: printedColumn({ column, row }),
    ...(published === undefined ? {} : { published: ourColumn(...published) }),
    ...(corrected === undefined ? {} : { corrected: ourColumn(...corrected) }),
    reason,
  }))

const BEST = 'Published: the best of all samples by words. Corrected: every sample, strictly read.'
const CHARACTERS = 'Published: Edit_Sim of whole words, best sample. Corrected: of characters, every sample.'
const COMPLEXITY = 'Published: of the best sample. Corrected: of all samples that were read.'

const column = (table: string, key: string, times = 1, row: (row: Row) => string | null = model) =>
  [`pbebench/${table}`, { column: key, row, times }] as const

/** Tables of first and last code blocks: of the paper in shares or percent, ours in percent. */
const blocks = (printed: string, ours: string, unit: '%' | 'share'): readonly SideBySide[] => {
  const [published, corrected] = unit === '%' ? [1, 100] : [0.01, 1]
  const named = unit === '%' ? ', %' : ''
  return measures(
    printed,
    model,
    (['first', 'last'] as const).flatMap((which) => {
      const end = which === 'first' ? 'First' : 'Last'
      // Our own reading takes the last block.
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

const PART_NAMES = {
  all: ['accuracy', 'nonNull'],
  gen_train234_test2to10: ['genTrain234', 'genTrain234NonNull'],
  gen_train23_test2to10: ['genTrain23', 'genTrain23NonNull'],
  rob_train_clean_23_test_all_23: ['robClean', 'robCleanNonNull'],
  rob_train_disc_23_test_all_23: ['robDisc', 'robDiscNonNull'],
  rob_train_irr_23_test_all_23: ['robIrr', 'robIrrNonNull'],
  rob_train_sup_23_test_all_23: ['robSup', 'robSupNonNull'],
} as const

const LETTERS = 'Published: an answer is compared to the letter. Corrected: its form does not matter.'

/** Accuracy with and without nulls of a part of CLUTRR. */
const kinship = (printed: string, part: keyof typeof PART_NAMES): readonly SideBySide[] => {
  const [accuracy, nonNull] = PART_NAMES[part]
  const mine = (row: Row): string | null => (row['part'] === part ? model(row) : null)
  const named = part === 'all' ? '' : `, ${part}`
  const both = (label: string, paper: string, key: 'accuracy' | 'nonNull'): Measured => ({
    measure: `${label}${named}, %`,
    column: paper,
    published: ['clutrr/nulls', { column: `${key}Published`, row: mine, times: 100 }],
    corrected: ['clutrr/nulls', { column: key, row: mine, times: 100 }],
    reason: LETTERS,
  })
  return measures(printed, kinshipModel, [
    both('Accuracy', accuracy, 'accuracy'),
    both('Accuracy without nulls', nonNull, 'nonNull'),
  ])
}

/** Some models were asked again with more tokens. */
const kinshipModel = (row: Row): string =>
  Number(row['maxTokens']) > 8192 ? `${model(row)}, ${text(row, 'maxTokens')} tokens` : model(row)

const WHOLE = 'Corrected: partial scores are not cut to whole numbers, and each train is judged alone.'

const trains = (printed: string, tier: string, key: (what: 'accuracy' | 'partial' | 'syntax') => string) => {
  const mine = (row: Row): string | null => (row['tier'] === tier ? model(row) : null)
  const named = tier === 'all' ? '' : `, ${tier}`
  const of = (label: string, what: 'accuracy' | 'partial' | 'syntax'): Measured => ({
    measure: `${label}${named}, %`,
    column: key(what),
    // Of one tier the paper's scorer cuts every partial score to 0 or 1: what is left is the accuracy.
    ...(what === 'partial' && tier !== 'all'
      ? { published: ['slr-bench/tiers', { column: 'accuracy', row: mine, times: 100 }] as const }
      : {}),
    corrected: ['slr-bench/tiers', { column: what, row: mine, times: 100 }],
    reason: WHOLE,
  })
  return measures(printed, model, [
    of('Accuracy', 'accuracy'),
    of('Partial score', 'partial'),
    of('Syntax score', 'syntax'),
  ])
}

/** The tables of all regressions of an analysis: `pbebench/table16/MODEL, SET/wald`. */
const ofFits =
  (analysis: string, kind: 'wald' | 'coefficients', term: 'term' | 'name', key: string) =>
  (tables: readonly Table[]): readonly Placed[] =>
    tables.flatMap(({ id, rows }) => {
      const [start, end] = [`pbebench/${analysis}/`, `/${kind}`]
      if (!id.startsWith(start) || !id.endsWith(end)) return []
      const [whose = '', ...set] = id.slice(start.length, -end.length).split(', ')
      return rows.map((row) => ({
        row: `${named(whose)}: ${termName(text(row, term))}`,
        ...(set.length === 0 ? {} : { set: set.join(', ') }),
        value: row[key] as Placed['value'],
      }))
    })

/** Terms of regressions in one spelling: `counter-feeding x bleeding`, `length`. */
const termName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('=yes', '')
    .replaceAll(':', ' x ')
    .replaceAll(/counter[_-]?(?=feeding|bleeding)/gu, 'counter-')
    .replaceAll(/cascade_(?:len|length)/gu, 'length')
    .replaceAll('model_id', 'model')

const SAMPLES = 'Published: samples of an item as independent. Corrected: p with errors clustered by item.'

/** @param model - whose regression the paper prints. */
const regression = (
  printed: string,
  model: string,
  found: { readonly [key: string]: { readonly measure: string; readonly ours: SideBySide['published'] } },
  clustered: SideBySide['corrected'],
): readonly SideBySide[] =>
  Object.entries(found).map(([key, { measure, ours }]) => ({
    printed: `pbebench/${printed}`,
    measure,
    paper: printedColumn({ column: key, row: (row) => `${model}: ${termName(text(row, 'term'))}` }),
    ...(ours === undefined ? {} : { published: ours }),
    ...(key === 'p' && clustered !== undefined ? { corrected: clustered } : {}),
    reason: SAMPLES,
  }))

const wald = (printed: string, ours: string, model: string): readonly SideBySide[] =>
  regression(
    printed,
    model,
    {
      chi2: { measure: 'Chi-squared', ours: ofFits(ours, 'wald', 'term', 'chi2') },
      p: { measure: 'p', ours: ofFits(ours, 'wald', 'term', 'p') },
    },
    ofFits(ours, 'wald', 'term', 'clusteredP'),
  )

const coefficients = (printed: string, model: string, withP: boolean): readonly SideBySide[] =>
  regression(
    printed,
    model,
    {
      coefficient: {
        measure: 'Coefficient, log odds',
        ours: ofFits(printed, 'coefficients', 'name', 'estimate'),
      },
      ...(withP ? { p: { measure: 'p', ours: ofFits(printed, 'coefficients', 'name', 'p') } } : {}),
    },
    ofFits(printed, 'coefficients', 'name', 'clusteredP'),
  )

const ofOrders = (row: Row): string => `${model(row)}, ${text(row, 'orders')} orders`

const RELATIONS: { readonly [short: string]: string } = {
  F: 'feeding',
  B: 'bleeding',
  CF: 'counterfeeding',
  CB: 'counterbleeding',
}

/** The share of planted relations that cascades which pass do not have. */
function lacked(row: Row): readonly Placed[] {
  const truth = text(row, 'truth')
  const short = truth.slice(0, -1)
  const [outcome, ...names] = text(row, 'set').split(', ')
  if (outcome !== 'passed' || truth !== `${short}+` || text(row, 'predicted') !== `${short}-`) return []
  const set = names.slice(0, -1).join(' ')
  const value = 100 * Number(row['share'])
  return [{ row: `${RELATIONS[short] ?? short}, ${names.at(-1) ?? ''}`, value, ...(set === '' ? {} : { set }) }]
}

const OSS = 'gpt-oss-120b'
const GPT = 'GPT-5'

/** Of each model and length the row of all samples, which is the last. */
const ofAllSamples = (rows: readonly Row[]): readonly Row[] =>
  [...Map.groupBy(rows, (row) => JSON.stringify([row['config'], row['model'], row['length']])).values()].map(
    (mine) => mine.at(-1) as Row,
  )

const CORRECTED_PASS =
  'Ours is strictly read, with an interval over items; the paper scores the last block of the best sample.'

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
const budgets = (printed: string, ours: (row: Row) => string, paper: (row: Row) => string): readonly SideBySide[] =>
  measures(
    printed,
    paper,
    BUDGET.map(([key, mine, measure]) => ({
      measure,
      column: key,
      published: column(printed, mine, 1, ours),
      reason: 'Other items; a budget of k takes the first k samples of one run, where the paper has a run for each k.',
    })),
  )

export const sideBySide: readonly SideBySide[] = [
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
  ...measures('table2', model, [
    {
      measure: 'Pass@1, %',
      column: 'pass',
      published: column('table2', 'passLast'),
      corrected: column('table2-corrected', 'pass', 100),
      reason: BEST,
    },
    {
      measure: 'Edit_Sim, %',
      column: 'editSim',
      published: column('table2', 'editSimLast'),
      corrected: column('table2-corrected', 'editSim', 100),
      reason: CHARACTERS,
    },
    {
      measure: 'Complexity',
      column: 'complexity',
      published: column('table2', 'complexityLast'),
      corrected: column('table2-corrected', 'complexity'),
      reason: COMPLEXITY,
    },
    {
      measure: 'Valid_Rate, %',
      column: 'validRate',
      published: column('table2', 'validLast'),
      corrected: column('table2-corrected', 'validRate', 100),
      reason: BEST,
    },
  ]),
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
  {
    printed: 'pbebench/table20',
    measure: 'Pass@1',
    paper: printedColumn({ column: 'lastPass', row: (row) => `${OSS}, ${text(row, 'length')} rules` }),
    corrected: ourColumn('pbebench/figure2', {
      column: 'pass',
      rows: ofAllSamples,
      row: (row) => `${model(row)}, ${text(row, 'length')} rules`,
    }),
    reason: CORRECTED_PASS,
  },
  ...blocks('table21', 'table2', 'share'),
  ...measures('table22', (row) => `${GPT}, ${text(row, 'length')} rules, ${text(row, 'samples')} samples`, [
    {
      measure: 'Pass@1',
      column: 'pass',
      corrected: column(
        'figure2',
        'pass',
        1,
        (row) => `${model(row)}, ${text(row, 'length')} rules, ${text(row, 'k')} samples`,
      ),
      reason: CORRECTED_PASS,
    },
  ]),
  ...measures('table23', (row) => `${GPT}, ${text(row, 'samples')} samples`, [
    {
      measure: 'Pass@1',
      column: 'lastPass',
      corrected: column('table23', 'pass', 1, (row) => `${model(row)}, ${text(row, 'k')} samples`),
      reason: 'Both average over all subsets of the samples; ours is strictly read, with an interval over items.',
    },
  ]),
  ...measures(
    'table24',
    (row) => `${GPT}, ${text(row, 'maxTokens')} tokens, ${text(row, 'effort')}`,
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
      corrected: column('table24', mine, times, (row) =>
        [model(row), `${text(row, 'maxTokens')} tokens`, text(row, 'effort')].filter((part) => part !== '').join(', '),
      ),
      reason: CORRECTED_PASS,
    })),
  ),
  ...budgets(
    'table25',
    (row) => `${model(row)}, ${text(row, 'budget')} samples`,
    (row) => `${OSS}, ${text(row, 'samples')} samples`,
  ),
  ...budgets(
    'table26',
    (row) => `${model(row)}, block ${text(row, 'block')} of ${text(row, 'budget')} samples`,
    (row) => `${OSS}, ${text(row, 'samples')} samples`,
  ),
  ...budgets(
    'table27',
    (row) => `${model(row)}, ${text(row, 'maxTokens')} tokens`,
    (row) => `${OSS}, ${text(row, 'maxTokens')} tokens`,
  ),
  {
    printed: 'pbebench/figure21',
    measure: 'False negatives, %',
    paper: printedColumn({ column: 'falseNegatives', row: (row) => `${text(row, 'relation')}, all models` }),
    published: (tables) =>
      tables.filter(({ id }) => id === 'pbebench/figure21').flatMap(({ rows }) => rows.flatMap(lacked)),
    reason: 'Models that succeed lack no relation that an item needs: many items have other solutions.',
  },
  ...measures('sectionf.9', (row) => `QwQ-32B and DeepSeek-R1, ${text(row, 'orders')} orders`, [
    {
      measure: 'Response length, characters',
      column: 'characters',
      corrected: column('reordering-strategies', 'characters', 1, ofOrders),
      reason: 'The paper says about how many, of two models; ours are means.',
    },
    {
      measure: 'Accuracy, %',
      column: 'accuracy',
      corrected: column('reordering-strategies', 'accuracy', 100, ofOrders),
      reason: 'The paper says about how much, of two models.',
    },
  ]),
  ...(['r', 'p'] as const).map(
    (key): SideBySide => ({
      printed: 'pbebench/table14',
      measure: key === 'r' ? 'Spearman' : 'p',
      paper: printedColumn({ column: key, row: (row) => text(row, 'dataset') }),
      corrected: (tables) =>
        tables
          .filter(({ id }) => id === 'core/rankings')
          .flatMap(({ rows }) =>
            rows.map((row) => ({
              row: `${text(row, 'a')} with ${text(row, 'b')}`,
              value: row[key === 'r' ? 'interval' : 'p'] as Placed['value'],
            })),
          ),
      reason: 'Other models and sets of items.',
    }),
  ),
]
