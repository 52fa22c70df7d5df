import { defineTask, type Extraction, type Grade, type Json, type Parser } from '../../../core/index.ts'
import { soundLawsAnalyses } from '../analyses/index.ts'
import { cascadeParsers } from '../answers/index.ts'
import { pairsKey } from '../canonical.ts'
import { checkCascade, gradeCascade, lettersHold, strictCheck } from '../grade.ts'
import { changedPairs, heldOutParts, shareRight } from '../held-out.ts'
import { cascadeIsRight } from '../oracle.ts'
import { answerBlock, cascadeParts, cascadePrompt } from '../prompt.ts'
import { cascadeBaselines, hybridAnswer } from '../search/baselines.ts'
import { type Examples, isRule } from '../types.ts'
import { cascadeProof, cascadeStated } from '../witness.ts'
import { type Config, config, curriculum, presets } from './config.ts'
import { draw, features, type ItemFeatures, type LawsAnswer, layout } from './draw.ts'
import type { WordPair } from './word-pairs.ts'

const styles = ['standard', 'plain'] as const

const INTRO =
  'The inputs are words of an older language, the outputs what they became in a younger one. Find the sound laws: an ordered list of string rewrite rules that turns every input into its output. Few laws that each explain many words are better than many that explain one.'

const known = ({ rules }: LawsAnswer) => rules.filter(isRule)

const proof = cascadeProof<Examples, LawsAnswer>(
  ({ answer }) => known(answer),
  (answer) => answerBlock(known(answer)),
  ['Words after each law', 'older'],
)

/** Discover sound laws from word pairs of real or invented languages (Real-SLI). */
export const soundLaws = defineTask<Config, null, Json, Examples, LawsAnswer, ItemFeatures>({
  name: 'pbebench/sound-laws',
  summary: 'Find sound laws: an ordered list of replace rules that turns older words into younger ones',
  version: 6,
  scorerVersion: 6,
  promptVersion: 4,
  config,
  curriculum,
  presets,
  features,
  layout: (c) => layout(c),
  draw: (c, _shared, at, draws) => draw(c, at, draws),
  styles,
  request: ({ given }, style) => ({
    kind: 'chat',
    messages: [
      {
        role: 'user',
        content: cascadePrompt(given, { example: style === 'standard', alphabet: true, intro: INTRO }),
      },
    ],
  }),
  parts: cascadeParts,
  parsers: {
    strict: lawsOf(cascadeParsers.strict),
    lenient: lawsOf(cascadeParsers.lenient),
    published: lawsOf(cascadeParsers['published'] as Parser<Json, Examples, LawsAnswer['rules']>),
  },
  tieBreaker: 'editSim',
  grade: ({ given, answer: truth }, answer) => gradeLaws(given, truth, answer),
  ...proof,
  canonical: ({ given }) => pairsKey(given),
  oracle: ({ given }, answer) => cascadeIsRight(given, answer.rules),
  check: (item, witness) => lettersHold(item.given.limits, known(item.answer)) && proof.check(item, witness),
  checkSteps: ({ given }, text) => cascadeStated(given, text, answerBlock),
  baselines: cascadeBaselines,
  improve: hybridAnswer,
  heuristics: { 'answerer/identity': () => answerBlock([]) },
  analyses: soundLawsAnalyses,
})

function lawsOf(parser: Parser<Json, Examples, LawsAnswer['rules']>): Parser<Json, Examples, LawsAnswer> {
  return (text, question): Extraction<LawsAnswer> => {
    const found = parser(text, question)
    return found.kind === 'unparsed' ? found : { ...found, answer: { rules: found.answer, heldOut: [] } }
  }
}

/**
 * As `induce`, and: `rulesPerChanged`, valid rules over words to change (near 1 the answer patches words one by one).
 * Where words are kept out of the question, these are the held-out words of {@link heldOutParts}; `heldOut` is the share
 * right of all of them.
 */
function gradeLaws(given: Examples, truth: LawsAnswer, answer: LawsAnswer): Grade {
  const grade = gradeCascade(given, answer.rules)
  const { rules } = checkCascade(answer.rules, given.limits, strictCheck)
  const changed = changedPairs(given).inputs.length
  const pairsOf = (pairs: readonly WordPair[]) => ({
    inputs: pairs.map(([earlier]) => earlier),
    outputs: pairs.map(([, later]) => later),
  })
  const heldOut = shareRight(rules, pairsOf(truth.heldOut))
  return {
    value: grade.value,
    parts: {
      ...grade.parts,
      ...(changed > 0 ? { rulesPerChanged: rules.length / changed } : {}),
      ...(heldOut === null
        ? {}
        : {
            heldOut,
            ...heldOutParts(
              given,
              {
                changed: pairsOf(truth.heldOut.filter(([earlier, later]) => earlier !== later)),
                unchanged: pairsOf(truth.heldOut.filter(([earlier, later]) => earlier === later)),
              },
              rules,
            ),
          }),
    },
  }
}
