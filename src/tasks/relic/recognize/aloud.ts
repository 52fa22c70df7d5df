import { solutionText } from '../../../core/index.ts'
import { analyzerOf, tokensOf } from './compiled.ts'
import type { RelicQuestion } from './prompt.ts'
import { bigramLegal } from './shortcuts/heuristics.ts'
import { solution } from './truth/solution.ts'

/** Longest string that the one who tires still parses. */
export const TIRES_AFTER = 8

/** A derivation, or a chart in which none is, with the verdict; a step is a line. */
export function derived(question: RelicQuestion): { readonly text: string; readonly steps: number } {
  const tokens = tokensOf(question)
  const answer = analyzerOf(question.shared).chart(tokens).has(0, 0, tokens.length)
  const text = solutionText(solution({ ...question, answer }), 'full')
  return { text, steps: text.split('\n').length }
}

/** As above for strings that are short; a rule of thumb beyond, as the paper finds it of models (its section 6.2). */
export function tiring(question: RelicQuestion): { readonly text: string; readonly steps: number } {
  const tokens = question.given.string.split(' ')
  if (tokens.length <= TIRES_AFTER) return derived(question)
  const legal = bigramLegal(question)
  const text = [
    `The string has ${tokens.length} tokens, too many to try every way of splitting it.`,
    legal
      ? 'Its neighbouring tokens all look as if they could stand side by side, so it is likely to be generated.'
      : 'Some of its neighbouring tokens look as if they could never stand side by side, so it is not likely to be generated.',
    `Answer: ${legal ? 'Yes' : 'No'}`,
  ].join('\n')
  return { text, steps: text.split('\n').length }
}
