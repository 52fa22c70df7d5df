import type { Paper, PaperItem, PrintedTable } from '../../core/index.ts'
import printed from './printed.json' with { type: 'json' }

const run = (
  item: string,
  shows: string,
  experiment: string,
  analyses: readonly string[],
  differs?: string,
): PaperItem => ({
  id: `proficiency/${item.toLowerCase().replaceAll(' ', '')}`,
  item,
  shows,
  made: { by: 'run', experiment, analyses },
  ...(differs === undefined ? {} : { differs }),
})
const page = (item: string, shows: string): PaperItem => ({
  id: `proficiency/${item.toLowerCase().replaceAll(' ', '')}`,
  item,
  shows,
  made: { by: 'page', page: 'docs/families/proficiency.md' },
})

export const paper: Paper = {
  title: 'A Formal Language Benchmark for LLMs',
  authors: 'Ghosh, Gummadi and Terzi',
  items: [
    run('Figure 1', 'The grammar G1', 'proficiency-languages', ['proficiency/grammars']),
    run('Figure 2', 'A string of L1 with the nonterminals of each level', 'proficiency-languages', [
      'proficiency/figure12',
    ]),
    run('Figure 3', 'Strings inside and outside a language, by edit distance', 'proficiency-languages', [
      'proficiency/figure3',
    ]),
    run(
      'Figure 4',
      'Loss inside and outside L1, and AUC by edit distance, against examples',
      'proficiency-figure4',
      ['proficiency/figure4'],
      'The headline AUC keeps the length; a row of what length alone tells stands beside it.',
    ),
    run('Figure 5', 'AUC of many models on L1 against examples', 'proficiency', ['proficiency/figure5']),
    run(
      'Table 1',
      'Models by median AUC up to 32 examples: good, moderate, poor',
      'proficiency',
      ['proficiency/table1'],
      'With intervals; a model whose interval crosses a border says so.',
    ),
    page('Figure 6', 'Rules of G1 and G2'),
    page('Figure 7', 'Rules of G3 and G4'),
    page('Figure 8', 'Rules of G5 and G6'),
    page('Figure 9', 'Rules of G7 and G8'),
    page('Figure 10', 'Rules of G9'),
    run(
      'Figure 11',
      'Length distributions of the languages',
      'proficiency-languages',
      ['proficiency/figure11'],
      'Exact by dynamic programming instead of 10,000 samples.',
    ),
    run('Figure 12', 'Strings with the nonterminals of each level', 'proficiency-languages', ['proficiency/figure12']),
    run('Figure 13', 'The same for further languages', 'proficiency-languages', ['proficiency/figure12']),
    run('Section 3', 'The generative and the discriminative test; RQ1 to RQ3', 'proficiency', [
      'proficiency/loss',
      'proficiency/auc',
      'proficiency/questions',
    ]),
    run(
      'Section 4',
      'How many examples it takes, and which errors are heard',
      'proficiency',
      ['proficiency/criterion', 'proficiency/edit-places', 'proficiency/positions'],
      'The paper says it of figure 4 in words (about 1 at 128 examples): here with intervals, and errors by the level of the hierarchy at which they stand.',
    ),
    page('Section 2', 'What a probabilistic formal language is, and why it is a fair test'),
    page('Section 7', 'Set-up: models, examples in context, three runs'),
    page('Section 8', 'The definition G = (N, T, R, S, P), hierarchical grammars, sampling, and the disjoint split'),
  ],
  printed: printed as readonly PrintedTable[],
}
