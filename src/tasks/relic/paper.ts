import type { Paper, PrintedTable } from '../../core/index.ts'
import { paperItems } from '../../core/paper-items.ts'
import { paperComparisons } from './paper-comparisons.ts'
import printed from './printed.json' with { type: 'json' }
import { table5 } from './table5.ts'

const from = paperItems('relic')
const { page, print, none, computed } = from
const run = (item: string, shows: string, analyses: readonly string[], differs: string, experiment = 'relic') =>
  from.run(item, shows, { experiment, analyses }, { differs })

export const paper: Paper = {
  title: 'RELIC: Evaluating Compositional Instruction Following via Language Recognition',
  authors: 'Petty, Hu, Wang, Ravfogel, Merrill and Linzen 2025',
  items: [
    page('Figure 1', 'From grammar to strings to prompt'),
    run(
      'Table 1',
      'Class-balanced accuracy and macro F1 of each model',
      ['relic/table1'],
      'Published: combinations of class and length as replicates, unparsed responses as a third class. Corrected: intervals clustered by grammar, two classes.',
    ),
    run(
      'Figure 2',
      'Accuracy against the number of binary rules and the length of the string',
      ['relic/figure2', 'relic/inflection'],
      'Published: lines fitted to unbalanced accuracies. Corrected: lines fitted to the points drawn, with clustered intervals; the inflection length is fitted instead of read off.',
    ),
    run(
      'Figure 3',
      'Accuracy of each class and answers given, by length',
      ['relic/figure3'],
      'Published: one standard error over responses. Corrected: intervals clustered by grammar, answers of the strict parser only.',
    ),
    run(
      'Figure 4',
      'Do models agree on what is hard? Rank correlations by grammar and by string',
      ['relic/figure4'],
      'Corrected: only grammars and strings that both models answered, with intervals.',
    ),
    page('Figure 5', 'The derivation tree of one string, built step by step'),
    from.run(
      'Figure 6',
      'Test-time compute by length, relative to its peak; strategies by length',
      {
        experiment: 'relic-strategies',
        analyses: ['relic/figure6', 'relic/growth'],
        judged: { judges: ['baseline:reader'], analyses: ['relic/strategies'] },
      },
      {
        differs:
          'Top: for embedded models, lines written instead of tokens; exponents of growth are shown beside the bounds of section 7.3. Bottom: each judgement belongs to its response, whereas the paper joins by a number that restarts in each grammar. `--judge` names a judge model; the embedded judge uses the words of the response, and the title gives its agreement with o4-mini.',
      },
    ),
    run(
      'Figure 7',
      'Correlations between the sizes of the grammars',
      ['relic/figure7'],
      'Corrected: correlations of logarithms, with intervals.',
    ),
    run(
      'Figure 8',
      'Shares of the classes, altogether and by length',
      ['relic/figure8'],
      'As published; `relic-500-published` has the lengths of the release.',
    ),
    run(
      'Figure 9',
      'Grammars by coverage',
      ['relic/figure9'],
      'Published: strings as a share of the largest possible number. Corrected: share of lengths at which the language has a string.',
    ),
    run('Figure 10', 'Rank correlations by string, faceted by length', ['relic/figure4'], 'As Figure 4.'),
    run('Figure 11', 'Rank correlations by grammar and string, all facets', ['relic/figure4'], 'As Figure 4.'),
    run(
      'Table 2',
      'Correlation of accuracy and F1 with the sizes of the grammar',
      ['relic/table2'],
      'Published: accuracy over (grammar, length) rows. Corrected: over grammars, p adjusted by Holm. The caption names a compression ratio that the paper’s table omits; ours has it as a column.',
    ),
    run(
      'Table 3',
      'Regression of accuracy on model, size and length',
      ['relic/table3'],
      'Corrected: errors clustered by grammar, logistic.',
    ),
    print('Table 4', 'Inference settings of the models'),
    computed(
      'Table 5',
      'Agreement of o4-mini with three people on the strategy of 20 responses',
      table5,
      'Recomputed from the printed labels, with chance-corrected coefficients. For your labels: `touchstone analyze agreement LABELS.csv`, with `--run` for the judges of a run.',
    ),
    run(
      'Figure 12',
      'Test-time compute by length, absolute',
      ['relic/figure6'],
      'For embedded models, lines written instead of tokens.',
      'relic-strategies',
    ),
    run(
      'Figure 13',
      'Lengths of responses; accuracy of finished and of truncated ones, by grammar',
      ['relic/figure13'],
      'Truncation comes from the finish reason instead of the token count; the paper swaps the two labels. Embedded models show only the top, in steps: they are never truncated, so use a model with a token limit. An imported release without finish reasons is classed by reasoning that is never closed, with lengths in words, digits and signs.',
      'relic-strategies',
    ),
    page('Appendix A', 'The prompt'),
    none(
      'Appendix F',
      'Four chains of thought',
      'outputs of two models, printed; ours are shown by `touchstone show RUN`',
    ),
    page('Section 3', 'How grammars, positives and negatives are drawn'),
    run(
      'Section 5.2',
      'The length at which accuracy falls, read off Figure 2',
      ['relic/inflection'],
      'Fitted, with intervals over grammars.',
    ),
    from.run(
      'Section 6.1',
      'What some chains of thought do: steps that are true, and the first that is not',
      {
        experiment: 'relic-strategies',
        analyses: ['relic/table1'],
        judged: { judges: ['baseline:checker'], analyses: ['relic/trace'] },
      },
      { differs: 'The paper discusses four chains; we check every stated step of every chain.' },
    ),
    from.run(
      'Section 6.2',
      'Strategies of chains of thought, judged by o4-mini',
      {
        experiment: 'relic-strategies',
        analyses: ['relic/table1'],
        judged: { judges: ['baseline:reader', 'baseline:checker'], analyses: ['relic/strategies', 'relic/judges'] },
      },
      {
        differs:
          '`--judge` names any judge, shown beside the trace checker. We add a label for responses without reasons, which the paper’s three labels do not cover. `import relic-judgements` imports released judgements.',
      },
    ),
    run(
      'Section 7.3',
      'How fast test-time compute should grow with length',
      ['relic/growth'],
      'The exponents of a run are shown beside the bounds 1.7, 3 and 6.',
      'relic-strategies',
    ),
    from.run(
      'Version 2',
      'Does effort follow the exact work of an item, and where does it stop?',
      { experiment: 'relic-strategies', analyses: ['relic/work'] },
      {
        differs:
          'The question is that of the second version (April 2026); the definitions, in tokens or steps, are ours.',
        unprinted: 'of a later version of the paper',
      },
    ),
    page('Appendix B', 'Sizes of the grammars, and why terminals and lexical rules go together (Figures 7 to 9)'),
    page('Appendix C', 'Detailed results: Tables 2 and 3'),
    print('Appendix D', 'Cost, set-up and parameters: Table 4; the costs are those of the authors'),
    page('Appendix E', 'Test-time compute: Figure 12'),
    page('Appendix G', 'Agreement of judge and people: Table 5; for your labels: `touchstone analyze agreement`'),
    page('Appendix H', 'Completion tokens, finished and not: Figure 13'),
  ],
  printed: printed as readonly PrintedTable[],
  paperComparisons,
}
