import { editDistance } from '../../core/edit-distance.ts'
import type { Grade } from '../../core/index.ts'
import { cascadeCategory, type Rule, runBounded, symbolCount } from '../../libraries/rewriting/index.ts'
import { type CascadeAnswer, type Examples, isRule, type Limits } from './types.ts'

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
 * Runs an answer: score 1 if the first `limits.rules` rules give every output. Subscores:
 * - `passPublished`, `validPublished`, `invalidPublished`: the same under the released rule check;
 * - `valid`, `invalid`: parsed rules that keep to the limits, and that do not;
 * - `editSimPublished`: the released Edit_Sim, 1 - wrong words / words to change;
 * - `editSim`: 1 - character distance / character distance of no rules, as in the paper's text; both are negative where
 *   an answer does harm, and absent where its words grow beyond every bound;
 * - `wordsRight`: share of outputs reproduced; `rules`: rules given; `overLimit`: rules beyond the limit;
 * - `predictedRules`: rules parsed; `predictedCategory`: their relations as a number 0..15 under the released test,
 *   absent where one of them is no rule;
 * - `predictedExactCategory`: the same under the exact definition, absent where a parsed rule breaks the limits;
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

/** Levenshtein distance in code points. */
export const wordDistance = (a: string, b: string): number => (a === b ? 0 : editDistance([...a], [...b]))

/** The summed distance of corresponding words. */
const totalDistance = (a: readonly string[], b: readonly string[]): number =>
  a.reduce((sum, word, i) => sum + wordDistance(word, b[i] as string), 0)

/** The rules that are run, in order: an invalid one leaves the words alone and counts as invalid. */
interface CheckedCascade {
  readonly rules: readonly Rule[]
  readonly valid: number
  readonly invalid: number
}

/** Does a rule keep to the limits? */
type RuleCheck = (rule: Rule, limits: Limits) => boolean

/**
 * The limits in every prompt: short sides, and a left side that is not empty (which the released check omits). Any
 * letter is allowed, since not every style states the alphabet.
 */
export const strictCheck: RuleCheck = ([left, right], limits) =>
  left !== '' && sideFits(left, limits) && sideFits(right, limits)

/**
 * The released check: both sides short enough, every letter in the alphabet once outer blanks are omitted of the test;
 * the left side may be empty (and then writes around every letter).
 */
const publishedCheck: RuleCheck = ([left, right], limits) =>
  [left, right].every((side) => symbolCount(side) <= limits.side && keepsTo(limits.letters, side.trim()))

const keepsTo = (letters: string, text: string): boolean =>
  letters === '' || [...text].every((letter) => letters.includes(letter))

/** Do the known rules satisfy the statement about letters in the prompts? */
export const lettersHold = ({ letters }: Limits, rules: readonly Rule[]): boolean =>
  rules.every((sides) => sides.every((side) => keepsTo(letters, side)))

function sideFits(side: string, limits: Limits): boolean {
  if (side.length > 16 * limits.side) return false
  const length = limits.count === 'graphemes' ? graphemeCount(side) : symbolCount(side)
  return length <= limits.side
}

/** A base with its combining marks counts once; a mark that ties two letters (as in t͡s) takes the next one along. */
export function graphemeCount(text: string): number {
  let count = 0
  let tied = false
  for (const symbol of text) {
    const mark = /\p{M}/u.test(symbol)
    if (!mark && !tied) count++
    tied = mark ? tied || (symbol >= '\u035c' && symbol <= '\u0362') : false
  }
  return count
}

/** Cuts after the largest number of rules, then checks each rule. */
export function checkCascade(answer: CascadeAnswer, limits: Limits, check: RuleCheck): CheckedCascade {
  const read = answer.slice(0, limits.rules)
  const rules = read.filter((rule): rule is Rule => isRule(rule) && check(rule, limits))
  return { rules, valid: rules.length, invalid: read.length - rules.length }
}
