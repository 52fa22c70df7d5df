import { type Rule, symbolCount } from '../../rewriting/index.ts'
import { type CascadeAnswer, isRule, type Limits } from './types.ts'

/** The rules that are run, in order: an invalid one leaves the words alone and counts as invalid. */
export interface CheckedCascade {
  readonly rules: readonly Rule[]
  readonly valid: number
  readonly invalid: number
}

/** Does a rule keep to the limits? Ours also wants a non-empty left side, which the released check forgets. */
export type RuleCheck = (rule: Rule, limits: Limits) => boolean

export const strictCheck: RuleCheck = ([left, right], limits) =>
  left !== '' && sideFits(left, limits) && sideFits(right, limits)

/**
 * The released check: both sides short enough, every letter in the alphabet once outer blanks are left out of the test;
 * the left side may be empty (and then writes around every letter).
 */
export const publishedCheck: RuleCheck = ([left, right], limits) =>
  [left, right].every(
    (side) => symbolCount(side) <= limits.side && [...side.trim()].every((letter) => allowed(letter, limits)),
  )

const allowed = (letter: string, { letters }: Limits): boolean => letters === '' || letters.includes(letter)

function sideFits(side: string, limits: Limits): boolean {
  if (side.length > 16 * limits.side) return false
  const length = limits.count === 'graphemes' ? graphemeCount(side) : symbolCount(side)
  return length <= limits.side && [...side].every((letter) => allowed(letter, limits))
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
