import { defineTask, type Json } from '../../../core/index.ts'
import { soundChangeAnalyses } from '../analyses/index.ts'
import { baselines } from './baselines/index.ts'
import { type Config, config, presets } from './config.ts'
import { cues } from './cues.ts'
import { draw, layout } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { contentOf, FENCE_DOMAIN, fenceKey } from './fence.ts'
import { levels } from './levels.ts'
import { answerBlock, request, styles } from './prompt.ts'
import type { Answer, Given } from './question.ts'
import { parsers } from './reading/answers.ts'
import { grade } from './reading/grade.ts'
import { stated } from './reading/stated.ts'
import { oracle } from './truth/oracle.ts'
import { solution } from './truth/solution.ts'
import { check, witness } from './truth/witness.ts'
import { view } from './view.ts'

/** Sound laws between natural classes, found in words of an older and of younger languages, tried on words that were not shown. */
export const soundChange = defineTask<Config, null, Json, Given, Answer, ItemFeatures>({
  name: 'pbebench/sound-change',
  summary: 'find the ordered sound laws by which older words became younger ones; they are tried on other words',
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config,
  curriculum: levels,
  presets,
  features,
  layout: (c, _plan, draws) => layout(c, draws),
  draw: (c, _shared, at, draws) => draw(c, at, draws),
  styles,
  request,
  parsers,
  grade: ({ given, answer: truth }, answer) => grade(given, truth, answer),
  tieBreaker: 'shown',
  gold: ({ given, answer }) => answerBlock(given.languages, answer.laws),
  canonical: ({ given }) => contentOf(given),
  oracle: ({ given }, answer) => oracle(given, answer),
  witness: ({ given, answer }) => witness(given, answer),
  check: ({ given, answer }, proof) => check(given, answer, proof),
  solution: ({ given, answer }) => solution(given, answer),
  checkSteps: ({ given }, text) => stated(given, text),
  drawings: ({ given, answer }) => view(given, answer),
  partition: {
    domain: FENCE_DOMAIN,
    keyVersion: 1,
    key: ({ given }) => fenceKey(given.words.map(({ older }) => older)),
    of: 'item',
  },
  baselines,
  declaredShortcuts: cues,
  heuristics: { 'answerer/no-laws': ({ given }) => answerBlock(given.languages, []) },
  analyses: soundChangeAnalyses,
})
