import { defineTask } from '../../../core/define.ts'
import { tiers } from '../analyses/tiers.ts'
import { type Config, config } from './config.ts'
import { draw } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { contentOf, fenceKey } from './fence.ts'
import { layout } from './layout.ts'
import { levels } from './levels.ts'
import { presets } from './presets.ts'
import { answerBlock, request, styles } from './prompt.ts'
import type { Answer, Given, Shared } from './question.ts'
import { grade } from './reading/grade.ts'
import { parsers } from './reading/parsers.ts'
import { stated } from './reading/stated.ts'
import { baselines, heuristics } from './shortcuts/baselines.ts'
import { cues } from './shortcuts/cues.ts'
import { oracle } from './truth/oracle.ts'
import { solution } from './truth/solution.ts'
import { check, witness } from './truth/witness.ts'
import { view } from './view.ts'

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
  analyses: [tiers],
})
