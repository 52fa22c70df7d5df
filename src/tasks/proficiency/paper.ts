import type { Paper, PaperItem, PrintedTable } from '../../core/index.ts'
import { paperItems } from '../../core/paper-items.ts'
import { paperComparisons } from './paper-comparisons.ts'
import printed from './printed.json' with { type: 'json' }

const { page, run: from } = paperItems('proficiency')
const run = (item: string, shows: string, experiment: string, analyses: readonly string[], notes: Notes) =>
  from(item, shows, { experiment, analyses }, notes)
type Notes = Parameters<typeof from>[3]

const LANGUAGES = 'proficiency-languages'
const RULES = 'rules, which are data here: presets of that name'
const A_CURVE = 'curves without numbers'
const A_STRING = 'a drawing of a string'
const AS_PRINTED = 'As printed; .3333 means one third, and rules printed twice count twice.'
const rules = (figure: number, languages: string): PaperItem =>
  run(`Figure ${figure}`, `Rules of ${languages}`, LANGUAGES, ['proficiency/grammars'], {
    unprinted: RULES,
    differs: AS_PRINTED,
    undrawn: 'rules are a table, as in the paper.',
  })

export const paper: Paper = {
  title: 'A Formal Language Benchmark for LLMs',
  authors: 'Ghosh, Gummadi and Terzi',
  items: [
    run('Figure 1', 'The grammar G1', LANGUAGES, ['proficiency/grammars'], {
      unprinted: RULES,
      differs:
        'The paper calls two grammars G1: this one (`g1-figure-1`), and that of figure 6 (`g1`). The released code has the second and not this one.',
    }),
    run('Figure 2', 'A string of L1 with the nonterminals of each level', LANGUAGES, ['proficiency/figure12'], {
      differs:
        'We drew the string. The probability in the caption is that of a string of g5; strings of figure 6’s G1 have 2^-36.',
    }),
    run('Figure 3', 'Strings inside and outside a language, by edit distance', LANGUAGES, ['proficiency/figure3'], {
      unprinted: 'a drawing of two circles',
      differs: 'Counts of test strings, by edits and by the exact distance to the language.',
    }),
    run(
      'Figure 4',
      'Loss inside and outside L1, and AUC by edit distance, against examples',
      'proficiency-figure4',
      ['proficiency/figure4'],
      {
        differs:
          'On g5, which L1 most likely is, and on g1. Published: AUC over all pairs, and as released. Corrected: over pairs of equal length, with 0 examples as the control.',
      },
    ),
    run('Figure 5', 'AUC of many models on L1 against examples', 'proficiency', ['proficiency/figure5'], {
      unprinted: A_CURVE,
      differs:
        'On all nine languages, of which L1 is most likely g5. Published: AUC over all pairs. Corrected: over pairs of equal length.',
    }),
    run(
      'Table 1',
      'Models by median AUC up to 32 examples: good, moderate, poor',
      'proficiency',
      ['proficiency/table1'],
      { differs: 'With intervals; a model whose interval crosses a border is marked.' },
    ),
    rules(6, 'G1 and G2'),
    rules(7, 'G3 and G4'),
    rules(8, 'G5 and G6'),
    rules(9, 'G7 and G8'),
    rules(10, 'G9'),
    run('Figure 11', 'Length distributions of the languages', LANGUAGES, ['proficiency/figure11'], {
      unprinted: A_CURVE,
      differs: 'Exact by dynamic programming instead of samples; a logarithmic axis.',
    }),
    run('Figure 12', 'Strings with the nonterminals of each level', LANGUAGES, ['proficiency/figure12'], {
      unprinted: A_STRING,
      differs: 'We drew the strings.',
    }),
    run('Figure 13', 'The same for further languages', LANGUAGES, ['proficiency/figure12'], {
      unprinted: A_STRING,
      differs: 'We drew the strings.',
    }),
    run(
      'Section 3',
      'The generative and the discriminative test; RQ1 to RQ3',
      'proficiency',
      ['proficiency/loss', 'proficiency/auc', 'proficiency/questions'],
      {
        unprinted: 'definitions',
        differs:
          'M2 has the same AUC as M1 only among strings of equal length: a constant spread over unequal lengths changes the order. Grouped tokens (`merged`) occur only in the discriminative test, which scores the same string both ways; a string that a model writes itself has no counterpart.',
      },
    ),
    run(
      'Section 4',
      'How many examples it takes, and which errors are heard',
      'proficiency-figure4',
      ['proficiency/criterion', 'proficiency/edit-places', 'proficiency/positions'],
      {
        differs:
          'The paper states it for figure 4 (about 1 at 128 examples); we add intervals, and errors by the level of the hierarchy at which they occur.',
      },
    ),
    run(
      'Modes',
      'The follow-up: fine-tuned on strings, and with the same strings in context',
      'proficiency-modes',
      ['proficiency/modes', 'proficiency/modes-gap', 'proficiency/modes-bias', 'proficiency/gain'],
      {
        differs:
          'Learners of this package and checkpoints that you name. The epoch is not chosen on the test strings; correlations are corrected for the random choice of lists.',
      },
    ),
    run(
      'Transfer',
      'The follow-up: strings of g5, tested on its changed forms',
      'proficiency-transfer',
      ['proficiency/gain', 'proficiency/ladder'],
      {
        differs:
          'Beside the AUC: the AUC without examples, the AUC of a perfect learner of g5, and the distance of the forms from g5.',
      },
    ),
    run(
      'Memorisation',
      'The released code: seen strings, edits of each string, changed rules',
      'proficiency-memorisation',
      ['proficiency/memorisation', 'proficiency/neighbours', 'proficiency/negatives'],
      {
        unprinted: 'no numbers were released',
        differs:
          'Seen and unseen strings are compared by nats above -ln P(s), so that a likely string does not count as a remembered one.',
      },
    ),
    run(
      'Rules',
      'The released code: strings that use a rule, compared with strings of the grammar in which it is changed',
      'proficiency-memorisation',
      ['proficiency/rules'],
      {
        unprinted: 'no numbers were released',
        differs:
          'Pairs of equal length, since a changed rule changes lengths. The released code compares strings of all lengths.',
      },
    ),
    run(
      'Conflict',
      'The released code: weights of one language, examples of another',
      'proficiency-conflict',
      ['proficiency/conflict'],
      {
        unprinted: 'no numbers were released',
        differs: 'Tests of both languages, compared with the same learner without training.',
      },
    ),
    run('Epochs', 'The released code: the epoch that is reported', 'proficiency-epochs', ['proficiency/epochs'], {
      unprinted: 'no numbers were released',
      differs:
        'As released: the epoch that is best on the test strings. Corrected: best on validation strings. Learners that read their strings several times stand in for checkpoints.',
    }),
    run(
      'Alphabets',
      'The follow-up: the same strings in other alphabets',
      'proficiency-alphabets',
      ['proficiency/writings'],
      {
        unprinted: 'numbers stand with those of the modes: g7 is g5 in letters',
        differs:
          'The same strings in each alphabet, paired. Rare characters replace under-trained tokens, which differ by model.',
      },
    ),
    page('Section 2', 'What a probabilistic formal language is, and why it is a fair test', {
      unprinted: 'definitions; no entropy is printed',
      differs: 'Entropies are computed exactly.',
    }),
    page('Section 7', 'Set-up: models, examples in context, three runs', {
      differs: 'Also three repetitions; embedded models instead of 18 open ones, unless `--model` names others.',
    }),
    page('Section 8', 'The definition G = (N, T, R, S, P), hierarchical grammars, sampling, and the disjoint split', {
      unprinted: 'definitions',
      differs: 'Strings are split by their hash; the paper’s split is `disjoint: published`.',
    }),
  ],
  printed: printed as readonly PrintedTable[],
  paperComparisons,
}
