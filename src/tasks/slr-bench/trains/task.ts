import { defineTask } from '../../../core/define.ts'
import { slrAnalyses } from '../analyses/index.ts'
import { baselines, heuristics } from './baselines.ts'
import { type Config, config } from './config.ts'
import { cues } from './cues.ts'
import { draw } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { contentOf, fenceKey } from './fence.ts'
import { grade } from './grade.ts'
import { layout } from './layout.ts'
import { levels } from './levels.ts'
import { oracle } from './oracle.ts'
import { parsers } from './parsers.ts'
import { presets } from './presets.ts'
import { answerBlock, request, styles } from './prompt.ts'
import type { Answer, Given, Shared } from './question.ts'
import { solution } from './solution.ts'
import { stated } from './stated.ts'
import { view } from './view.ts'
import { check, witness } from './witness.ts'

/** Which rule parts the trains? Answered with a clause of Prolog, which is run. */
export const trains = defineTask<Config, null, Shared, Given, Answer, ItemFeatures>({
  name: 'slr-bench/trains',
  summary:
    'Which rule decides where trains go? Facts about cars in Prolog, and the answer a clause that is run on them',
  version: 1,
  scorer: 1,
  wording: 1,
  config,
  levels,
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
  stated: ({ given }, text) => stated(given, text),
  cues,
  canonical: ({ given }) => contentOf(given),
  fence: { domain: 'slr-bench/trains/1', keyVersion: 1, of: 'item', key: ({ given }) => fenceKey(given) },
  heuristics,
  baselines,
  view,
  analyses: slrAnalyses,
})
