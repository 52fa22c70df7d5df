import { defineTask } from '../../../core/define.ts'
import { tiers } from '../analyses/tiers.ts'
import { type Config, config, curriculum, presets } from './config.ts'
import { draw, features, type ItemFeatures, layout } from './draw.ts'
import { drawings } from './drawings.ts'
import { grade, oracle } from './oracle.ts'
import { parsers } from './parsers.ts'
import { answerBlock, parts, request, styles } from './prompt.ts'
import { type Answer, contentOf, type Given, partitionKey, type Shared } from './question.ts'
import { baselines, declaredShortcuts, heuristics, records } from './shortcuts.ts'
import { check, checkSteps, solution, witness } from './witness.ts'

/** Which rule parts the trains? Answered with a clause of Prolog, which is run. */
export const trains = defineTask<Config, null, Shared, Given, Answer, ItemFeatures>({
  name: 'slr-bench/trains',
  summary: 'Which rule decides where trains go? Facts in Prolog; the answer is a clause that is run on them',
  version: 4,
  scorerVersion: 3,
  promptVersion: 4,
  config,
  curriculum,
  presets,
  features,
  layout,
  draw: (c, _shared, cell, draws) => draw(c, cell, draws),
  styles,
  request: (question, style) => request(question, style),
  parts,
  parsers,
  grade,
  right: oracle,
  tieBreaker: 'partial',
  gold: ({ answer }) => answerBlock(answer),
  oracle,
  witness,
  check,
  solution,
  checkSteps: ({ given }, text) => checkSteps(given, text),
  declaredShortcuts,
  records,
  canonical: ({ given }) => contentOf(given),
  partition: { domain: 'slr-bench/trains/1', keyVersion: 1, of: 'item', key: ({ given }) => partitionKey(given) },
  heuristics,
  baselines,
  drawings,
  analyses: [tiers],
})
