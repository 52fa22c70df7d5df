import type { Grade } from '../../core/index.ts'
import { cascadeCategory, type Rule, runBounded, symbolCount } from '../../libraries/rewriting/index.ts'
import { checkCascade, publishedCheck, type RuleCheck, strictCheck } from './constraints.ts'
import { type CascadeAnswer, type Examples, isRule } from './types.ts'
import { totalDistance } from './word-distance.ts'

/** Words of an answer may grow to this many code units in all; no true cascade comes near it. */
const GROWTH = 1 << 16

/** Sides up to this length count for the published complexity. */
const WIDE = 20

interface Run {
  readonly valid: number
  readonly invalid: number
  /** null: the words outgrew every bound. */
  readonly words: readonly string[] | null
}

function run(answer: CascadeAnswer, { inputs, limits }: Examples, check: RuleCheck): Run {
  const { rules, valid, invalid } = checkCascade(answer, limits, check)
  const ran = runBounded(inputs, rules, GROWTH)
  return { valid, invalid, words: ran.kind === 'ran' ? ran.words : null }
}

const wrongWords = (words: readonly string[], outputs: readonly string[]): number =>
  words.reduce((sum, word, i) => sum + (word === outputs[i] ? 0 : 1), 0)

/** 1 - distance / (distance of doing nothing); where nothing is to do, 1 for doing nothing and 0 otherwise. */
const similarity = (distance: number, whole: number): number =>
  whole === 0 ? (distance === 0 ? 1 : 0) : 1 - distance / whole

/**
 * Runs an answer: value 1 when every output is reproduced by the first `limits.rules` rules. Parts:
 * - `passPublished`, `validPublished`, `invalidPublished`: the same under the released rule check;
 * - `valid`, `invalid`: rules among those read that keep to the limits, and that do not;
 * - `editSimPublished`: the released Edit_Sim, 1 - wrong words / words to change;
 * - `editSim`: 1 - character distance / character distance of doing nothing, as the paper's text has it; both are
 *   negative where an answer does harm, and absent where its words outgrew every bound;
 * - `wordsRight`: share of words reproduced; `rules`: rules given; `overLimit`: rules beyond the limit;
 * - `predictedRules`: rules read; `predictedCategory`: their relations as a number 0..15 under the released test, absent
 *   where one of them is no rule;
 * - `predictedExactCategory`: the same under the exact definition, absent where a rule read does not keep to the limits;
 * - `complexity`: summed sides of the valid rules; `complexityPublished`: of all rules given.
 */
export function gradeCascade(question: Examples, answer: CascadeAnswer): Grade {
  const ours = run(answer, question, strictCheck)
  const published = run(answer, question, publishedCheck)
  const { inputs, outputs, limits } = question
  const wordsToChange = wrongWords(inputs, outputs)
  const parts: Record<string, number> = {
    passPublished: published.words !== null && wrongWords(published.words, outputs) === 0 ? 1 : 0,
    validPublished: published.valid,
    invalidPublished: published.invalid,
    valid: ours.valid,
    invalid: ours.invalid,
    rules: answer.length,
    overLimit: Math.max(0, answer.length - limits.rules),
    complexity: sides(checkCascade(answer, limits, strictCheck).rules),
    complexityPublished: sides(answer.filter(isRule).filter((rule) => rule.every((side) => symbolCount(side) <= WIDE))),
  }
  const read = answer.slice(0, limits.rules)
  parts['predictedRules'] = read.length
  if (read.every((rule) => isRule(rule) && rule[0] !== '' && rule.join('').length <= 4 * WIDE))
    parts['predictedCategory'] = cascadeCategory(read.filter(isRule), 'paper')
  if (ours.invalid === 0)
    parts['predictedExactCategory'] = cascadeCategory(checkCascade(answer, limits, strictCheck).rules, 'exact')
  if (published.words !== null)
    parts['editSimPublished'] = similarity(wrongWords(published.words, outputs), wordsToChange)
  if (ours.words === null) return { value: 0, parts: { ...parts, wordsRight: 0 } }
  const wrong = wrongWords(ours.words, outputs)
  parts['editSim'] = similarity(totalDistance(ours.words, outputs), totalDistance(inputs, outputs))
  return { value: wrong === 0 ? 1 : 0, parts: { ...parts, wordsRight: 1 - wrong / outputs.length } }
}

const sides = (rules: readonly Rule[]): number =>
  rules.reduce((sum, [left, right]) => sum + symbolCount(left) + symbolCount(right), 0)
