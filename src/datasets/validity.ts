import type { Task } from '../core/index.ts'
import type { Audit } from './audit/report.ts'
import type { Manifest } from './manifest.ts'

/** A point of a validity checklist; answer null: only a person can say. */
export interface ValidityPoint {
  readonly topic: 'construct' | 'answers' | 'contamination' | 'statistics' | 'licence'
  readonly question: string
  readonly answer: string | null
}

/** Share of items on which two models differ, for the detectable difference. */
const DISAGREEMENT = 0.2

/**
 * What published checklists ask of a benchmark, with what its manifest and audit can say.
 *
 * Source: Bean et al., Measuring what Matters: Construct Validity in Large Language Model Benchmarks (NeurIPS 2025, arXiv 2511.04703;
 * eight recommendations); Reuel et al., BetterBench (NeurIPS 2024, arXiv 2411.12990; 46 practices, of which statistics and
 * licence).
 */
export function validityOf(
  task: Task,
  { count, groups, root, split, partition, seed, plugins = [] }: Omit<Manifest, 'files'>,
  audit?: Audit,
): readonly ValidityPoint[] {
  const asGiven = task.asGiven !== undefined
  const features = Object.keys(task.features.shape).length
  const half = (n: number): string => `± ${(1.96 * Math.sqrt(0.25 / Math.max(1, n))).toFixed(3)}`
  const difference = (2.8 * Math.sqrt(DISAGREEMENT / Math.max(1, count))).toFixed(3)
  const clusters = groups.count > 1 && groups.count < count
  return [
    point('construct', 'What phenomenon is measured, and how is it defined?', null),
    point('construct', 'What is asked?', task.summary),
    point('construct', 'Which other skills does a right answer need (language, format, knowledge)?', null),
    point(
      'construct',
      'Can confounders be separated?',
      features === 0 ? 'No features are recorded.' : `${features} features of each item stand beside it (Columns).`,
    ),
    point(
      'construct',
      'Do the items represent the phenomenon?',
      asGiven ? null : 'A sample of all items that the configuration can make, balanced by stratum (Strata).',
    ),
    point(
      'construct',
      'Can items be solved without the phenomenon?',
      audit === undefined ? 'Not audited.' : (audit.verdict[0] ?? null),
    ),
    point('construct', 'Does the score agree with other measures of the phenomenon?', null),
    point(
      'answers',
      'Why are the answers right?',
      asGiven
        ? 'Answers as given: they come from whoever wrote the questions, and nothing proves them.'
        : 'Each is checked by a second method and has a proof (touchstone verify --oracles).',
    ),
    point(
      'contamination',
      'Could models have seen the items?',
      asGiven
        ? null
        : 'text' in seed
          ? `Drawn from the seed ${JSON.stringify(seed.text)}, split ${split}. Once published, generate with another seed.`
          : 'Not before the seed is published: it is committed to.',
    ),
    point(
      'contamination',
      'Are training and test items apart?',
      partition === null
        ? asGiven
          ? null
          : 'By seed and split, not by content.'
        : 'By content: a hash of it decides its split.',
    ),
    point(
      'contamination',
      'What identifies the items?',
      `Root ${root}${plugins.map(({ sha256 }) => `, source ${sha256}`).join('')}.`,
    ),
    point(
      'statistics',
      'How precise is an accuracy?',
      `${count} items: 95 % interval of .5 is ${half(count)}` +
        `${clusters ? `, at worst ${half(groups.count)} where the items of each of the ${groups.count} groups agree` : ''}.`,
    ),
    point(
      'statistics',
      'Which difference of two models is found?',
      `${difference} with power 80 %, where they differ on ${100 * DISAGREEMENT} % of independent items.`,
    ),
    point(
      'statistics',
      'Are differences tested in pairs and with groups as clusters?',
      'Yes: touchstone compare, touchstone report.',
    ),
    point('statistics', 'Were errors read, not only counted?', null),
    point('licence', 'Under which licence may the items be used?', asGiven ? null : 'MIT.'),
    point('licence', 'Do they hold data of persons?', asGiven ? null : 'No: names come from lists.'),
  ]
}

const point = (topic: ValidityPoint['topic'], question: string, answer: ValidityPoint['answer']): ValidityPoint => ({
  topic,
  question,
  answer,
})
