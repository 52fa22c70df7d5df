import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { rounded } from '../../../core/index.ts'
import {
  cascadeCategory,
  categoryCode,
  changedPerRule,
  complexity,
  type Rule,
  relations,
  traceCascade,
} from '../../../libraries/rewriting/index.ts'
import { lowerBound } from '../lower-bound.ts'
import type { Instance } from '../sampling/settings.ts'
import type { Examples } from '../types.ts'

const flag = (what: string) => z.boolean().describe(what).meta({ role: 'difficulty' })
const number = (what: string, unit: string) => z.number().describe(what).meta({ role: 'difficulty', unit })

/** Features of a planted cascade and its words. */
export const cascadeFeatures = {
  length: feature(z.int(), 'stratum', 'rules in the target cascade', 'rules'),
  category: feature(z.string(), 'stratum', 'relations of the target cascade: digits for F, B, CF, CB'),
  feeding: flag('an earlier rule can make places for a later one'),
  bleeding: flag('an earlier rule can destroy places of a later one'),
  counterfeeding: flag('a later rule would feed an earlier one'),
  counterbleeding: flag('a later rule would bleed an earlier one'),
  relations: number('related ordered pairs of rules, feeding and bleeding counted apart', 'relations'),
  exactCategory: feature(z.string(), 'truth', 'the category under the semantic definition'),
  words: number('word pairs', 'pairs'),
  wordsChanged: number('words that differ from their output', 'words'),
  letters: number('letters of the alphabet', 'letters'),
  changedMean: number('words changed a rule, mean', 'words'),
  changedMin: number('words changed by the rule that changes fewest', 'words'),
  density: number('share of the words that a rule changes, mean', 'share'),
  complexity: feature(z.int(), 'truth', 'summed length of all sides of the target cascade', 'letters'),
}

export const features = z.object({
  ...cascadeFeatures,
  paperCategory: feature(
    z.string(),
    'truth',
    'the category under the released test, which has false positives and false negatives',
  ),
  lowerBound: number('rules that every cascade with these outputs has at least, proved', 'rules'),
  minimalLength: feature(
    z.int().nullable(),
    'truth',
    'rules of a shortest cascade; null: the target is not proved to be shortest',
    'rules',
  ),
  limit: number('rules an answer may have', 'rules'),
  slack: number('limit minus the length of the planted cascade', 'rules'),
  hypotheses: number('log10 of the number of cascades of this length', 'log10'),
})

export type ItemFeatures = z.infer<typeof features>

export function describeCascade(
  instance: Instance,
  category: number,
  classifier: 'paper' | 'exact',
  letters: number,
): { readonly [name in keyof typeof cascadeFeatures]: ItemFeatures[name] } {
  const { inputs, outputs, rules } = instance
  const changed = changedPerRule(traceCascade(inputs, rules))
  const mean = changed.reduce((sum, count) => sum + count, 0) / Math.max(1, changed.length)
  return {
    length: rules.length,
    category: categoryCode(category),
    feeding: (category & 8) !== 0,
    bleeding: (category & 4) !== 0,
    counterfeeding: (category & 2) !== 0,
    counterbleeding: (category & 1) !== 0,
    relations: relations(rules, classifier).length,
    exactCategory: categoryCode(cascadeCategory(rules, 'exact')),
    words: inputs.length,
    wordsChanged: inputs.filter((word, i) => word !== outputs[i]).length,
    letters,
    changedMean: rounded(mean),
    changedMin: Math.min(...changed),
    density: rounded(mean / inputs.length),
    complexity: complexity(rules),
  }
}

/** What is proved of the shortest cascade, and the published label. */
export function describeShortest(question: Examples, rules: readonly Rule[]) {
  const bound = lowerBound(question, question.limits.side)
  return {
    paperCategory: categoryCode(cascadeCategory(rules, 'paper')),
    lowerBound: bound,
    minimalLength: bound === rules.length ? bound : null,
  }
}

/** log10 of (left sides x right sides) ** length. */
export function hypotheses(letters: number, side: readonly [number, number], empty: boolean, length: number): number {
  let [left, power] = [0, 1]
  for (let n = 1; n <= side[1]; n++) {
    power *= letters
    if (n >= side[0]) left += power
  }
  return rounded(length * (log10(left) + log10(left + (empty ? 1 : 0))))
}

/** Only + - * /, so that every platform gives the same bits: ln m = 2 artanh((m - 1) / (m + 1)) on 1 <= m < 10. */
function log10(x: number): number {
  let [mantissa, exponent] = [x, 0]
  while (mantissa >= 10) {
    mantissa /= 10
    exponent++
  }
  const ratio = (mantissa - 1) / (mantissa + 1)
  let [power, sum] = [ratio, 0]
  for (let k = 1; k < 240; k += 2) {
    sum += power / k
    power *= ratio * ratio
  }
  return exponent + (2 * sum) / Math.LN10
}
