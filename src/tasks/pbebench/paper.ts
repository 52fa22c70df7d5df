import type { Paper, PaperItem, PaperOverlay, PrintedTable } from '../../core/index.ts'
import { paperItems } from '../../core/paper-items.ts'
import { distributions } from './distributions.ts'
import { realWords } from './import/real-words.ts'
import { paperComparisons } from './paper-comparisons/index.ts'
import printed from './printed.json' with { type: 'json' }
import { printedRankings } from './printed-rankings.ts'
import { efficiencyFigure } from './sampling/efficiency.ts'

const from = paperItems('pbebench')
const { page, print, none, computed } = from
/** By an experiment and its analyses; those of other families have their full id. */
const run = (item: string, shows: string, [experiment, ...analyses]: readonly [string, ...string[]], differs: string) =>
  from.run(
    item,
    shows,
    {
      experiment: `pbebench-${experiment}`,
      analyses: analyses.map((id) => (id.includes('/') ? id : `pbebench/${id}`)),
    },
    { differs },
  )

/** With real words beside, where the user has a folder of them. */
const withWords: typeof run = (...args) => {
  const item = run(...args)
  return item.made.by === 'run' ? { ...item, made: { ...item.made, sourceFrom: realWords } } : item
}

const distribution = (n: number, set: string, experiment: string, of: 'lengths' | 'relations'): PaperItem =>
  run(
    `Figure ${n}`,
    `${of === 'lengths' ? 'Cascade lengths' : 'Relation categories'} of ${set}`,
    [experiment, 'figure3'],
    COUNTED,
  )
/** One of the matrices of predictions by target, drawn of the published items. */
const confusion = (
  n: number,
  shows: string,
  table: 'figure19' | 'figure21' | 'figure23',
  whose: string,
): PaperItem => ({
  ...run(
    `Figure ${n}`,
    shows,
    ['lite', 'figure19'],
    'Unused columns stay, so that the diagonal is a diagonal; unparsed responses have their own column.',
  ),
  pictures: [`pbebench/${table}-${whose.replace('-', '-pbebench-lite-published-')}`],
})
/** Simulated models in place of the two of the paper. */
const STRONG = 'simulated-20x6000-patcher'
const MIDDLE = 'simulated-8x2000-patcher'

const exact = 'Published: categories of the coded detector. Corrected: exact categories, errors clustered by item.'

const kinship =
  'On generated items in minimal pairs; the published files are imported from a folder and give the parts. Under "published" a response is compared literally.'

const rules =
  'On generated items, trains in similar pairs; the published records are imported from a folder. Partial scores are not truncated to integers, every train is judged alone under a new name, and the interpreter is ours.'

const BEST =
  'Published: the best of all samples, Edit_Sim of whole words. Corrected: every sample, strictly read, Edit_Sim of characters.'
const SUBSETS = 'Pass@k over all subsets of the samples, strictly read, with intervals over items.'
const NULLS = 'Right, wrong and null answers of each setting, with intervals over items.'
const LENGTHS = 'With intervals over items, and the spare rules: the published limit leaves none from 20 rules on.'
const SAMPLED = `${LENGTHS} One sample each, where the paper has 32: \`--samples 32\`.`
const COUNTED =
  'As published: items are counted. Beside it the exact categories, and the rules needed where that is proved.'
const BY_CHARACTERS =
  'The equation of Edit_Sim is of characters, the released code counts whole words: published and corrected have one each.'

const OSS = 'gpt-oss-120b in the paper'
const GPT = 'GPT-5 in the paper'

const inFigure = (printed: string, figure: string, row: PaperOverlay['row']): PaperOverlay => ({
  printed: `pbebench/${printed}`,
  figure: `pbebench/${figure}`,
  row,
})

export const paper: Paper = {
  title: 'PBEBench: A Multi-Step Programming by Examples Reasoning Benchmark inspired by Historical Linguistics',
  authors: 'Naik et al.',
  items: [
    page('Figure 1', 'Proposer and solver; one instance with its relations'),
    run(
      'Table 1',
      'Accuracy of reordering, all items and those with one right order',
      ['perm', 'table1'],
      'With the chance of each item: of two rules the exchange is always right.',
    ),
    run(
      'Table 2',
      'Pass@1, Edit_Sim, complexity and valid rate of induction',
      ['lite', 'table2'],
      'Edit_Sim beside it over characters; complexity over all samples.',
    ),
    {
      ...run('Figure 2', 'Pass@1 by length of the cascade, gpt-oss-120b: part (a)', ['lengths', 'figure2'], SAMPLED),
      pictures: ['paper/pbebench/table20-drawn'],
    },
    {
      ...run('Figure 2b', 'Pass@1 of 20, 25 and 30 rules, GPT-5', ['20-30', 'figure2'], LENGTHS),
      pictures: ['paper/pbebench/table22-drawn'],
    },
    distribution(3, 'PBEBench-Lite', 'lite', 'lengths'),
    distribution(4, 'PBEBench-Lite', 'lite', 'relations'),
    distribution(5, 'PBEBench-Lite-MoreEg', 'moreeg', 'lengths'),
    distribution(6, 'PBEBench-Lite-MoreEg', 'moreeg', 'relations'),
    distribution(7, 'PBEBench', 'lengths', 'lengths'),
    distribution(8, 'PBEBench', 'lengths', 'relations'),
    distribution(9, 'PBEBench (25, 30)', '25-30', 'lengths'),
    distribution(10, 'PBEBench (25, 30)', '25-30', 'relations'),
    page('Algorithm 1', 'Rejection sampling with quotas and patience'),
    page('Algorithm 2', 'Which rules feed and bleed which'),
    page('Algorithm 3', 'Exchange of two related rules'),
    run('Table 3', 'First and last code block', ['lite', 'table2'], BEST),
    print('Table 4', 'Models and what is known of them'),
    print('Table 5', 'Licences of the models'),
    print('Table 6', 'Cost of some experiments'),
    print('Table 7', 'Snapshots of closed models'),
    print('Table 8', 'Sampling settings'),
    {
      ...run('Figure 11', 'Pass@1 against samples, gpt-oss-120b: part (a)', ['samples', 'table23', 'table25'], SUBSETS),
      pictures: ['paper/pbebench/table25-drawn'],
    },
    {
      ...run(
        'Figure 11b',
        'Pass@1 against the largest number of tokens, gpt-oss-120b',
        ['tokens', 'table24', 'table27'],
        NULLS,
      ),
      pictures: ['paper/pbebench/table27-drawn'],
    },
    {
      ...run('Figure 12', 'Pass@1 against samples, GPT-5: part (a), of 20 rules', ['samples-20', 'table23'], SUBSETS),
      pictures: ['paper/pbebench/table23-drawn'],
    },
    {
      ...run(
        'Figure 12b',
        'Pass@1 against the largest number of tokens, GPT-5, of 10 rules',
        ['effort', 'table24'],
        NULLS,
      ),
      pictures: ['paper/pbebench/table24-drawn'],
    },
    run('Table 9', 'CLUTRR: accuracy, accuracy without nulls, nulls', ['kinship', 'clutrr/nulls'], kinship),
    run('Table 10', 'CLUTRR by part', ['kinship', 'clutrr/nulls'], kinship),
    run('Table 11', 'SLR-Bench: accuracy, partial score, syntax score, nulls', ['rules', 'slr-bench/tiers'], rules),
    run('Table 12', 'SLR-Bench by tier', ['rules', 'slr-bench/tiers'], rules),
    withWords(
      'Table 13',
      'Real sound laws',
      ['sound-laws', 'table13'],
      'On two invented daughter languages with known laws, an item each; `--folder DIR` adds the 21 of the release, or words of your own. Section 5.5 has laws of many languages.',
    ),
    withWords(
      'Table 14',
      'Rank correlation of benchmarks with real sound laws',
      ['rankings', 'core/rank-agreement'],
      'For any tasks and models, with Kendall, p by permutation, intervals, and which benchmark predicts better. Generated languages stand for real ones; `--folder DIR` adds real words. The three printed numbers follow from tables 2, 9, 11 and 13: last code block, gpt-oss at high effort and 8,192 tokens.',
    ),
    ...[5, 10, 15, 20, 25].map(
      (length, k): PaperItem =>
        computed(
          `Figure ${13 + k}`,
          `Efficiency against patience, cascades of ${length} rules`,
          (effort) => efficiencyFigure(`pbebench/figure${13 + k}`, length, effort),
          'KL with half a count a category beside the published smoothing, which in large values is little else; the conditional sampler, which needs no patience, beside.',
        ),
    ),
    run(
      'Table 15',
      'Does reasoning help? Wald tests over three models with it on and off',
      ['reasoning', 'table15'],
      exact,
    ),
    run('Table 16', 'What makes items hard for QwQ-32B: Wald tests', ['lite', 'table16'], exact),
    run('Table 17', 'What makes reordering hard: coefficients', ['perm', 'table17'], exact),
    {
      ...run('Figure 18', 'Pass@1 against tokens by reasoning effort', ['effort', 'table24'], NULLS),
      pictures: ['paper/pbebench/table24-drawn'],
    },
    run('Table 18', 'What makes items hard for GPT-5: Wald tests', ['lite', 'table16'], exact),
    run(
      'Table 19',
      'What makes cascades hard for gpt-oss-120b: coefficients',
      ['lengths', 'table19'],
      'Published: 32 samples of an item as independent (here four, or `--samples 32`). Corrected: errors clustered by item.',
    ),
    run(
      'Section F.9',
      'Strategies in reordering: constraints or enumeration',
      ['perm', 'reordering-strategies'],
      'The paper reads some chains of thought; here every response is classed by rules, without a judge.',
    ),
    page('Section F.10', 'Cascades as long as the planted ones? Figures 19 and 20'),
    page('Section F.11', 'Cascades with the planted relations? Figures 21 to 30'),
    run('Table 20', 'gpt-oss-120b by length of the cascade', ['lengths', 'figure2'], SAMPLED),
    run('Table 21', 'PBEBench-Lite-MoreEg', ['moreeg', 'table2'], BEST),
    run('Table 22', 'GPT-5 by length and samples', ['20-30', 'figure2', 'table23'], LENGTHS),
    run('Table 23', 'GPT-5 by samples, averaged over all subsets of runs', ['samples-20', 'table23'], SUBSETS),
    run('Table 24', 'GPT-5 by tokens and effort', ['effort', 'table24'], NULLS),
    run(
      'Table 25',
      'gpt-oss-120b by samples',
      ['samples', 'table25'],
      'The first k samples of one run, where the paper has a run for each k.',
    ),
    run(
      'Table 26',
      'Variance between runs',
      ['samples', 'table26'],
      'Blocks of one run instead of runs; corrected: solved by any sample of a block, with an interval.',
    ),
    run(
      'Table 27',
      'gpt-oss-120b by sequence length',
      ['tokens', 'table27'],
      'Rows are settings of one model in one run.',
    ),
    confusion(19, 'Predicted against planted length, success', 'figure19', 'passed-all-models'),
    confusion(20, 'Predicted against planted length, failure', 'figure19', 'failed-all-models'),
    confusion(21, 'Each relation predicted against planted, success', 'figure21', 'passed-all-models'),
    confusion(22, 'Each relation predicted against planted, failure', 'figure21', 'failed-all-models'),
    confusion(23, 'Predicted against planted category, success', 'figure23', 'passed-all-models'),
    confusion(24, 'Predicted against planted category, failure', 'figure23', 'failed-all-models'),
    confusion(25, 'Categories of GPT-5, success', 'figure23', `passed-${STRONG}`),
    confusion(26, 'Categories of GPT-5, failure', 'figure23', `failed-${STRONG}`),
    confusion(27, 'Categories of gpt-oss-120b, success', 'figure23', `passed-${MIDDLE}`),
    confusion(28, 'Categories of gpt-oss-120b, failure', 'figure23', `failed-${MIDDLE}`),
    confusion(29, 'Categories of gpt-oss-120b, failure, again', 'figure23', `failed-${MIDDLE}`),
    confusion(30, 'Categories of gpt-oss-120b, success, again', 'figure23', `passed-${MIDDLE}`),
    page('Section 3', 'Proposer and solver: words, rules, quotas of relations, limits of an answer'),
    run('Section 4.3', 'Equations of pass@1 and Edit_Sim', ['lite', 'table2'], BY_CHARACTERS),
    page('Section 5.4', 'Ablations: samples, tokens, effort, more examples: Tables 21 and 23 to 27'),
    run(
      'Section 5.5',
      'Real sound laws, and which benchmark ranks models as they do: Tables 13 and 14',
      ['sound-change', 'laws'],
      'The paper asks for replacements of letters in real words. Here laws A > B / C _ D of 60 generated languages a set are asked for, and score by words that were not shown, by their length and by the known laws; a set has loans.',
    ),
    computed(
      'Hypothesis H3',
      'Is PBEBench more predictive of real sound laws than other benchmarks?',
      () => printedRankings(printed as readonly PrintedTable[]),
      'Table 14 has three correlations. Here their differences too, from the printed scores of tables 2, 9, 11 and 13, with intervals over its eleven models; Table 14 is for models that are run.',
    ),
    run(
      'Hypothesis H4',
      'Does thinking buy more than sampling at equal compute?',
      ['compute', 'equal-compute'],
      'The paper argues from Figures 11 and 12. Here one sample of more thought against samples of less that cost the same, with an interval over items.',
    ),
    {
      ...page('Section 6', 'Discussion: hypotheses H1 to H4, and how many right orders an item of reordering can have'),
      differs:
        'The bound (n - k + 1)! is too low: n! / k! orders keep k of n rules in order, and 89 items of the release have more than 24. Items hold their exact count (`validOrders`).',
    },
    page('Appendix A', 'Reproducibility: code and data; here every item follows from a seed'),
    page('Appendix B', 'Theory: the equation of feeding, bleeding and their counterparts, with its proofs'),
    page('Appendix C.1', 'Licences of data and code: data CC BY-SA 4.0, code MIT'),
    computed(
      'Appendix C.2',
      'Statistics of the data sets; Figures 3 to 10 have rows of their own',
      distributions,
      'Items of the presets beside what the paper says and what its records have. PBEBench-Lite-MoreEg: 15 items of each category in both; the paper says no lengths, and the preset has each category as often at every length that it can have: one rule alone makes no relation, so 3 items have one rule and 59 or 60 each other length.',
    ),
    run(
      'Appendix C.3',
      'The words of real sound laws: 21 instances of six languages',
      ['sound-laws', 'table13'],
      'Invented daughter languages; the 21 chunks of the released words are imported from a folder.',
    ),
    run('Appendix C.4', 'Equations of the metrics, of reordering too', ['perm', 'table1'], BY_CHARACTERS),
    page('Appendix D.1', 'Pseudocode: Algorithms 1 to 3'),
    page('Appendix D.2', 'How an answer is read: code blocks, first and last'),
    page('Appendix D.3', 'Prompts of both tasks; ours are in our own words'),
    page('Appendix D.4', 'Models, licences, costs and snapshots, to appendix D.7: Tables 4 to 7'),
    run('Appendix D.8', 'GPT-5 over all subsets of its runs: Table 23', ['samples-20', 'table23'], SUBSETS),
    none('Appendix E.1', 'The machines of the authors', 'a fact of their experiment without a number to compare'),
    page('Appendix E.2', 'Sampling settings: Table 8'),
    page('Appendix E.3', 'Thinking cut off at a budget, the answer asked for in a second call: models named two-pass:'),
    page('Appendix F.1', 'Performance by length: Tables 20 and 22'),
    page('Appendix F.2', 'Ablations: Figures 11, 12 and 18, Tables 23 to 27'),
    page('Appendix F.3', 'CLUTRR and SLR-Bench: Tables 9 to 12'),
    page('Appendix F.4', 'More examples: Table 21; changed words of both sets stand in appendix C.2'),
    page('Appendix F.5', 'Real sound laws: Table 13'),
    page('Appendix F.6', 'Efficiency of the proposer and the equation of the KL divergence: Figures 13 to 17'),
    page('Appendix F.7', 'Factorial analyses: Tables 15, 16 and 18'),
    page('Appendix F.8', 'Logistic regressions: Tables 17 and 19'),
    none('Appendix G', 'Use of assistants in writing the paper', 'nothing of the benchmark'),
  ],
  printed: printed as readonly PrintedTable[],
  paperComparisons,
  overlays: [
    inFigure('table20', 'figure2', (row) => ({ ...row, pass: row['lastPass'] ?? null, series: `${OSS}, k = 32` })),
    inFigure('table22', 'figure2', (row) => ({ ...row, series: `${GPT}, k = ${row['samples']}` })),
    inFigure('table23', 'figure11', (row) => ({
      k: row['samples'] ?? null,
      pass: row['lastPass'] ?? null,
      model: GPT,
    })),
    inFigure('table25', 'figure11', (row) => ({
      k: row['samples'] ?? null,
      pass: row['lastPass'] ?? null,
      model: OSS,
    })),
    inFigure('table24', 'figure18', (row) => ({ ...row, series: `${GPT} ${row['effort']}` })),
    inFigure('table27', 'figure18', (row) => ({ ...row, pass: row['lastPass'] ?? null, series: OSS })),
  ],
}
