import { defineTask } from '../../../core/define.ts'
import { slrAnalyses } from '../analyses/index.ts'
import { stated } from './checked-steps.ts'
import { type Config, config, levels, presets } from './config.ts'
import { draw, features, type ItemFeatures, layout } from './draw.ts'
import { view } from './drawings.ts'
import { grade, oracle } from './oracle.ts'
import { parsers } from './parsers.ts'
import { answerBlock, request, styles } from './prompt.ts'
import { type Answer, contentOf, fenceKey, type Given, type Shared } from './question.ts'
import { baselines, cues, heuristics } from './shortcuts.ts'
import { check, solution, witness } from './witness.ts'

/** Which rule parts the trains? Answered with a clause of Prolog, which is run. */
export const trains = defineTask<Config, null, Shared, Given, Answer, ItemFeatures>({
  name: 'slr-bench/trains',
  summary:
    'Which rule decides where trains go? Facts about cars in Prolog, and the answer a clause that is run on them',
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config,
  curriculum: levels,
  presets,
  features,
  layout,
  draw: (c, _shared, cell, draws) => draw(c, cell, draws),
  styles,
  request: (question, style) => request(question, style),
  parsers,
  grade,
  right: oracle,
  tieBreaker: 'partial',
  gold: ({ answer }) => answerBlock(answer),
  oracle,
  witness,
  check,
  solution,
  checkSteps: ({ given }, text) => stated(given, text),
  declaredShortcuts: cues,
  canonical: ({ given }) => contentOf(given),
  partition: { domain: 'slr-bench/trains/1', keyVersion: 1, of: 'item', key: ({ given }) => fenceKey(given) },
  heuristics,
  baselines,
  drawings: view,
  analyses: slrAnalyses,
})
