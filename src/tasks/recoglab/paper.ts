import type { Paper, PrintedTable } from '../../core/index.ts'
import { paperItems } from '../../core/paper-items.ts'
import { paperComparisons } from './paper-comparisons.ts'
import printed from './printed.json' with { type: 'json' }

const from = paperItems('recoglab')
const { page } = from
const run = (
  item: string,
  shows: string,
  analyses: readonly string[],
  differs: string,
  experiment = `recoglab-${item.toLowerCase().replace(' ', '')}`,
) => from.run(item, shows, { experiment, analyses }, { differs })

const BY_DISTANCE =
  'Distances are balanced by design, so each distance of a size has about equally many items and an interval.'
const PAIRED = 'The items of a pair share the problem; their differences have intervals over contexts and p.'

export const paper: Paper = {
  title: 'ReCogLab: a framework testing relational reasoning and cognitive hypotheses on LLMs',
  authors: 'Liu et al. 2025',
  items: [
    page('Figure 1', 'Example problems and graphs of the four domains'),
    run(
      'Figure 2',
      'Accuracy of 8 configs over 30 seeds of 200 items',
      ['recoglab/figure2'],
      'Boxes over the seeds, beside the spread that binomial noise alone would give.',
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
      'With intervals, chance, and a baseline without reasoning: a curve that the baseline follows too says nothing about reasoning.',
    ),
    run('Figure 4', 'Accuracy by symbolic distance and size of the network', ['recoglab/figure4-social'], BY_DISTANCE),
    run(
      'Figure 5',
      'Number of hops and exact path, plain and flavoured',
      ['recoglab/figure5'],
      'A pair is one network with the same people, worded both ways.',
    ),
    run(
      'Figure 6',
      'Accuracy against input tokens: more people, entity filler, prose filler',
      ['recoglab/figure6'],
      'Tokens are the mean reported by the provider; simulated models count words.',
    ),
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
      'Counts in these items reveal nothing about the answer; the published trees are presets too.',
    ),
    run(
      'Figure 10',
      'Figure 4 for number of hops and exact path, plain and flavoured',
      ['recoglab/figure4-social'],
      BY_DISTANCE,
    ),
    {
      ...run(
        'Figure 11',
        'The same four tasks once more, under the same caption',
        ['recoglab/figure4-social'],
        BY_DISTANCE,
        'recoglab-figure10',
      ),
      undrawn: 'it is that of Figure 10.',
    },
    run('Figure 12', 'Figure 9 again, larger', ['recoglab/figure9'], 'As Figure 9.', 'recoglab-figure9'),
    page('Table 1', 'Question types of the families'),
    page('Section 3', 'The generator: domains, entities, questions, and how a data set is made'),
    run(
      'Section C.1',
      'The symbolic distance effect: is a far pair easier, and does it take less thought?',
      ['recoglab/distance-comparison', 'recoglab/thinking-comparison'],
      'The paper defines the effect and shows Figures 10 and 11; we use chains of 32 people with every distance from 1 to 15 equally often, and show tokens by distance beside accuracy.',
      'recoglab-distance',
    ),
    run(
      'Section C.2',
      'Detecting inconsistency and indeterminate conclusions: hits and false alarms',
      ['recoglab/figure9'],
      'False positives of each class, with intervals; the paper names three in its text.',
      'recoglab-figure9',
    ),
    page('Appendix A', 'Prompts, parsers, and the choice among them on 50 validation items'),
    run(
      'Appendix B.5',
      'The oldest and the youngest generation, which the paper describes and does not report',
      ['core/accuracy'],
      'As published, any member of the generation is correct. We add items in which people look alike and one is correct.',
      'recoglab-generations',
    ),
    page('Appendix B', 'Parameters of each domain, where entities come from, splits'),
    page('Appendix D', 'Examples of each domain: `touchstone generate` and `touchstone view` show ours'),
  ],
  printed: printed as readonly PrintedTable[],
  paperComparisons,
}
