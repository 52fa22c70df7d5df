import { defineTask, type Json } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { solutions } from '../analyses/audits.ts'
import { induceAnalyses } from '../analyses/index.ts'
import { cascadeParsers } from '../answers/index.ts'
import { pairsKey, pairsPartition } from '../canonical.ts'
import { lettersHold } from '../grade.ts'
import { gradeInduction } from '../held-out.ts'
import { cascadeIsRight } from '../oracle.ts'
import { answerBlock, cascadeParts } from '../prompt.ts'
import { cascadeBaselines, hybridAnswer } from '../search/baselines.ts'
import { type CascadeAnswer, type Examples, isRule } from '../types.ts'
import { cascadeProof, cascadeStated } from '../witness.ts'
import { type Config, config, curriculum, presets } from './config.ts'
import { draw, group } from './draw.ts'
import { features, type ItemFeatures } from './features.ts'
import { layout, type Plan, plan } from './plan.ts'
import { request, styles } from './prompt.ts'

/** The truth of an item is a cascade without gaps. */
const planted = (answer: CascadeAnswer): readonly Rule[] => answer.filter(isRule)

const proof = cascadeProof<Examples, CascadeAnswer>(
  ({ answer }) => planted(answer),
  (answer) => answerBlock(planted(answer)),
  ['Words after each rule', 'input'],
)

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
  ...proof,
  canonical: ({ given }) => pairsKey(given),
  oracle: ({ given }, answer) => cascadeIsRight(given, answer),
  check: (item, witness) => lettersHold(item.given.limits, planted(item.answer)) && proof.check(item, witness),
  checkSteps: ({ given }, text) => cascadeStated(given, text, answerBlock),
  partition: pairsPartition,
  baselines: cascadeBaselines,
  improve: hybridAnswer,
  heuristics: { 'answerer/identity': () => answerBlock([]) },
  analyses: induceAnalyses,
  audits: [solutions],
})
