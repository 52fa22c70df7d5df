import { defineTask, type Json } from '../../../core/index.ts'
import { soundChangeAnalyses } from '../analyses/index.ts'
import { baselines } from './baselines.ts'
import { type Config, config, curriculum, declaredShortcuts, presets } from './config.ts'
import { draw, features, type ItemFeatures, layout } from './draw.ts'
import { drawings } from './drawings.ts'
import { grade } from './grade.ts'
import { oracle } from './oracle.ts'
import { parsers } from './parsers.ts'
import { answerBlock, parts, request, styles } from './prompt.ts'
import { type Answer, contentOf, FENCE_DOMAIN, type Given, partitionKey } from './question.ts'
import { check, checkSteps, solution, witness } from './witness.ts'

/**
 * Sound laws between natural classes, inferred from words of an older and of younger languages, scored on held-out
 * words.
 */
export const soundChange = defineTask<Config, null, Json, Given, Answer, ItemFeatures>({
  name: 'pbebench/sound-change',
  summary: 'Find the ordered sound laws that turned older words into younger ones, scored on held-out words',
  version: 2,
  scorerVersion: 3,
  promptVersion: 2,
  config,
  curriculum,
  presets,
  features,
  layout: (c, _plan, draws) => layout(c, draws),
  draw: (c, _shared, at, draws) => draw(c, at, draws),
  styles,
  request,
  parts,
  parsers,
  grade: ({ given, answer: truth }, answer) => grade(given, truth, answer),
  tieBreaker: 'shown',
  gold: ({ given, answer }) => answerBlock(given.languages, answer.laws),
  canonical: ({ given }) => contentOf(given),
  oracle: ({ given }, answer) => oracle(given, answer),
  witness: ({ given, answer }) => witness(given, answer),
  check: ({ given, answer }, proof) => check(given, answer, proof),
  solution: ({ given, answer }) => solution(given, answer),
  checkSteps: ({ given }, text) => checkSteps(given, text),
  drawings: ({ given, answer }) => drawings(given, answer),
  partition: {
    domain: FENCE_DOMAIN,
    keyVersion: 1,
    key: ({ given }) => partitionKey(given.words.map(({ older }) => older)),
    of: 'item',
  },
  baselines,
  declaredShortcuts,
  heuristics: { 'answerer/no-laws': ({ given }) => answerBlock(given.languages, []) },
  analyses: soundChangeAnalyses,
})
