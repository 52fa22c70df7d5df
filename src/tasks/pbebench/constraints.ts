import { type Rule, symbolCount } from '../../libraries/rewriting/index.ts'
import { type CascadeAnswer, isRule, type Limits } from './types.ts'

/** The rules that are run, in order: an invalid one leaves the words alone and counts as invalid. */
export interface CheckedCascade {
  readonly rules: readonly Rule[]
  readonly valid: number
  readonly invalid: number
}

/** Does a rule keep to the limits? */
export type RuleCheck = (rule: Rule, limits: Limits) => boolean

/**
 * What every prompt says: sides that are short enough, the left one not empty, which the released check forgets. Any
 * letter may stand in a rule: not every style tells the alphabet, so none is held to it.
 */
export const strictCheck: RuleCheck = ([left, right], limits) =>
  left !== '' && sideFits(left, limits) && sideFits(right, limits)

/**
 * The released check: both sides short enough, every letter in the alphabet once outer blanks are left out of the test;
 * the left side may be empty (and then writes around every letter).
 */
export const publishedCheck: RuleCheck = ([left, right], limits) =>
  [left, right].every((side) => symbolCount(side) <= limits.side && keepsTo(limits.letters, side.trim()))

const keepsTo = (letters: string, text: string): boolean =>
  letters === '' || [...text].every((letter) => letters.includes(letter))

/** Is what the prompts tell of the letters true of the rules that are known? */
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
