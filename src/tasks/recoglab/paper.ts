import type { Paper, PaperItem, PrintedTable } from '../../core/index.ts'
import { paperComparisons } from './paper-comparisons.ts'
import printed from './printed.json' with { type: 'json' }

const run = (
  item: string,
  shows: string,
  analyses: readonly string[],
  differs: string,
  experiment = `recoglab-${item.toLowerCase().replace(' ', '')}`,
): PaperItem => ({
  id: `recoglab/${item.toLowerCase().replace(' ', '')}`,
  item,
  shows,
  made: { by: 'run', experiment, analyses },
  differs,
})

const page = (item: string, shows: string): PaperItem => ({
  id: `recoglab/${item.toLowerCase().replace(' ', '')}`,
  item,
  shows,
  made: { by: 'page', page: 'docs/families/recoglab.md' },
})

const NOTHING_MEASURED = 'Nothing is measured.'
const A_FIGURE = 'none: a figure without numbers'
const ELSEWHERE = 'none of its own'

/** No cell of the atlas is empty: what an entry does not say of itself follows from its kind. */
const explained = (items: readonly PaperItem[]): readonly PaperItem[] =>
  items.map((entry) => ({
    unprinted: entry.item.startsWith('Figure') ? A_FIGURE : ELSEWHERE,
    ...(entry.made.by === 'run' ? {} : { differs: NOTHING_MEASURED }),
    ...entry,
  }))

const BY_DISTANCE =
  'Distances are balanced by design, so that every cell of a size has about as many items; each cell has its interval.'
const PAIRED = 'Pairs share the problem, and their differences have intervals over contexts and p.'

export const paper: Paper = {
  title: 'ReCogLab: a framework testing relational reasoning and cognitive hypotheses on LLMs',
  authors: 'Liu et al. 2025',
  items: explained([
    {
      id: 'recoglab/figure1',
      item: 'Figure 1',
      shows: 'Example problems and graphs of the four domains',
      made: { by: 'page', page: 'docs/families/recoglab.md' },
    },
    run(
      'Figure 2',
      'Accuracy of 8 configs over 30 seeds of 200 items',
      ['recoglab/figure2'],
      'With the spread that binomial noise alone would give.',
    ),
    run(
      'Figure 3',
      'Accuracy against the number of entities, each domain',
      [
        'recoglab/figure3-comparison',
        'recoglab/figure3-social',
        'recoglab/figure3-syllogism',
        'recoglab/figure3-families',
      ],
      'With intervals and chance, and a reader without reasoning beside: a curve that it climbs tells nothing of reasoning.',
    ),
    run('Figure 4', 'Accuracy by symbolic distance and size of the network', ['recoglab/figure4-social'], BY_DISTANCE),
    run(
      'Figure 5',
      'Number of hops and exact path, plain and flavoured',
      ['recoglab/figure5'],
      'Pairs are the same network with the same people, worded both ways.',
    ),
    {
      ...run(
        'Figure 6',
        'Accuracy against input tokens: more people, entity filler, prose filler',
        ['recoglab/figure6'],
        'Tokens are the mean that the provider reports; embedded models report none and have the table alone.',
      ),
      undrawn: 'embedded models report no tokens, which are its axis.',
    },
    run(
      'Figure 7',
      'Order of the statements: forward, reverse, random',
      ['recoglab/figure7-comparison', 'recoglab/figure7-syllogism'],
      PAIRED,
    ),
    run(
      'Figure 8',
      'Congruent, incongruent and meaningless statements',
      ['recoglab/figure8', 'recoglab/figure8-syllogism'],
      PAIRED,
    ),
    run(
      'Figure 9',
      'Confusion matrices of consistency and feasibility',
      ['recoglab/figure9'],
      'Items whose counts tell nothing of the answer; the published trees are presets beside them.',
    ),
    run(
      'Figure 10',
      'Figure 4 for number of hops and exact path, plain and flavoured',
      ['recoglab/figure4-social'],
      BY_DISTANCE,
    ),
    run(
      'Figure 11',
      'The same four tasks once more, under the same caption',
      ['recoglab/figure4-social'],
      BY_DISTANCE,
      'recoglab-figure10',
    ),
    run('Figure 12', 'Figure 9 again, larger', ['recoglab/figure9'], 'As Figure 9.', 'recoglab-figure9'),
    {
      id: 'recoglab/table1',
      item: 'Table 1',
      shows: 'Question types of the families',
      made: { by: 'page', page: 'docs/families/recoglab.md' },
    },
    page('Section 3', 'The generator: domains, entities, questions, and how a data set is made'),
    run(
      'Section C.1',
      'The symbolic distance effect: is a far pair easier, and does it take less thought?',
      ['recoglab/distance-social', 'recoglab/thinking-social'],
      'The paper shows accuracy only; tokens by distance stand beside it. Embedded models count none.',
      'recoglab-figure4',
    ),
    run(
      'Section C.2',
      'Detecting inconsistency and indeterminate conclusions: hits and false alarms',
      ['recoglab/figure9'],
      'False positives of each class, with intervals; the paper names three in its text.',
      'recoglab-figure9',
    ),
    {
      id: 'recoglab/appendixa',
      item: 'Appendix A',
      shows: 'Prompts, parsers, and the choice among them on 50 validation items',
      made: { by: 'page', page: 'docs/families/recoglab.md' },
    },
    page('Appendix B', 'Parameters of each domain, where entities come from, splits'),
    page('Appendix D', 'Examples of each domain: `touchstone generate` and `touchstone view` show ours'),
  ]),
  printed: printed as readonly PrintedTable[],
  paperComparisons,
}
