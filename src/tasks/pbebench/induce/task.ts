import { defineTask, type Json } from '../../../core/index.ts'
import { type Rule, traceCascade } from '../../../libraries/rewriting/index.ts'
import { solutions } from '../analyses/audits.ts'
import { induceAnalyses } from '../analyses/index.ts'
import { cascadeParsers } from '../answers/index.ts'
import { FENCE_DOMAIN, pairsKey, partitionKey } from '../canonical.ts'
import { cascadeView } from '../drawings.ts'
import { lettersHold } from '../grade.ts'
import { gradeInduction } from '../held-out.ts'
import { cascadeIsRight } from '../oracle.ts'
import { answerBlock, cascadeParts } from '../prompt.ts'
import { cascadeBaselines, hybridAnswer } from '../search/baselines.ts'
import { type CascadeAnswer, type Examples, isRule } from '../types.ts'
import { cascadeSolution, cascadeStated, checkTrace, type Trace } from '../witness.ts'
import { type Config, config, curriculum, presets } from './config.ts'
import { draw, group } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { layout, type Plan, plan } from './plan.ts'
import { request, styles } from './prompt.ts'

/** Induce an ordered cascade of string rewrites from input-output pairs (PBEBench, multi-step PBE). */
export const induce = defineTask<Config, Plan, Json, Examples, CascadeAnswer, ItemFeatures>({
  name: 'pbebench/induce',
  summary: 'Find an ordered list of replace rules that turns every input word into its output word',
  version: 2,
  scorerVersion: 6,
  promptVersion: 3,
  config,
  curriculum,
  presets,
  features,
  plan,
  layout,
  group,
  draw,
  styles,
  request,
  parts: cascadeParts,
  parsers: cascadeParsers,
  grade: ({ given, answer: truth }, answer) => gradeInduction(given, truth, answer),
  tieBreaker: 'editSim',
  gold: ({ answer }) => answerBlock(planted(answer)),
  canonical: ({ given }) => pairsKey(given),
  oracle: ({ given }, answer) => cascadeIsRight(given, answer),
  witness: ({ given, answer }) => traceCascade(given.inputs, planted(answer)).slice(1),
  check: ({ given, answer }, witness) =>
    lettersHold(given.limits, planted(answer)) && checkTrace(given, planted(answer), witness as Trace),
  solution: ({ given, answer }) => cascadeSolution(given, planted(answer), answerBlock(planted(answer))),
  checkSteps: ({ given }, text) => cascadeStated(given, text, answerBlock),
  drawings: ({ given, answer }) => [
    cascadeView({ title: 'Words after each rule', first: 'input', inputs: given.inputs, rules: planted(answer) }),
  ],
  partition: {
    domain: FENCE_DOMAIN,
    keyVersion: 1,
    key: ({ given }) => partitionKey(given.inputs, given.outputs),
    of: 'item',
  },
  baselines: cascadeBaselines,
  improve: hybridAnswer,
  heuristics: { 'answerer/identity': () => answerBlock([]) },
  analyses: induceAnalyses,
  audits: [solutions],
})

/** The truth of an item is a cascade without gaps. */
const planted = (answer: CascadeAnswer): readonly Rule[] => answer.filter(isRule)
