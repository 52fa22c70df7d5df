import type { Baseline, CountedAnswer, Json, Question, RandomStreams } from '../../../core/index.ts'
import { applyRule, type Rule } from '../../../libraries/rewriting/index.ts'
import { lenientAnswer } from '../answers/strict.ts'
import { checkCascade, strictCheck } from '../grade.ts'
import { answerBlock } from '../prompt.ts'
import type { CascadeAnswer, Examples } from '../types.ts'
import { greedySearch } from './greedy.ts'
import { patch } from './patcher.ts'
import type { SearchProblem } from './problem.ts'
import { cascadeSearch } from './search.ts'
import { maxOnTheWay } from './search-tables.ts'

type CascadeBaseline = Extract<Baseline<Json, Examples>, { kind: 'chat' }>

/** Evaluations of a rule in a state; some 40,000 to 120,000 take a second on one core. */
const STEPS = { short: 2_500, usual: 25_000, long: 250_000 }

/** The search problem of a question. Letters: the stated ones, else those of the words. */
export function problemOf({ inputs, outputs, limits }: Examples): SearchProblem {
  const letters = limits.letters === '' ? [...new Set([...inputs, ...outputs].join(''))].join('') : limits.letters
  return { inputs, outputs, rules: limits.rules, side: limits.side, letters }
}

/** The best answer within the limit of rules: rules beyond it would not be read. */
const answerOf = (rules: readonly Rule[] | null): string => answerBlock(rules ?? [])

/** `steps` of its work: those until the limit was met, or all where it was not. */
const search = (steps: number, minimise = false): CascadeBaseline => {
  const work = ({ given }: Question<unknown, Examples>, draws: RandomStreams): CountedAnswer => {
    const found = cascadeSearch(problemOf(given), draws.stream('search'), { steps, minimise })
    return { text: answerOf(found.rules), steps: found.solvedAt ?? found.steps }
  }
  return {
    kind: 'chat',
    note: minimise
      ? `shortest description: cascade-search, continued to ${steps} steps for a shorter cascade`
      : `two-ended peeling with large-neighbourhood search, ${steps} steps per item`,
    answer: (question, draws) => work(question, draws).text,
    work,
  }
}

/** Solvers for tasks that ask for a cascade. */
export const cascadeBaselines: { readonly [name: string]: CascadeBaseline } = {
  identity: { kind: 'chat', note: 'no rules: every word stays as it is', answer: () => answerBlock([]) },
  patcher: {
    kind: 'chat',
    note: 'a private rule for each changed word, which touches no other word',
    answer: ({ given }) => answerBlock(patch(given)),
  },
  greedy: {
    kind: 'chat',
    note: `forward greedy on edit distance with restarts, ${STEPS.usual} steps per item`,
    answer: ({ given }, draws) =>
      answerBlock(greedySearch(problemOf(given), draws.stream('search'), { steps: STEPS.usual })),
  },
  'cascade-search': search(STEPS.usual),
  'cascade-search-short': search(STEPS.short),
  'cascade-search-long': search(STEPS.long),
  shortest: search(STEPS.usual, true),
}

/**
 * A model helped by search: the rules read from its response (leniently), as far as they keep to the limits, begin the
 * search. Returns a response in the usual form; one that is right already, and one from which the search finds no cascade
 * within the limit, stays as it is.
 */
export function hybridAnswer(
  { given }: Question<unknown, Examples>,
  response: string,
  draws: RandomStreams,
  steps = STEPS.usual,
): string {
  const read = lenientAnswer(response)
  const start = read.kind === 'extracted' ? usable(given, read.answer) : []
  const problem = problemOf(given)
  const letters = [...new Set([problem.letters, ...start.flat()].join(''))].join('')
  const { rules, solved } = cascadeSearch({ ...problem, letters }, draws.stream('hybrid'), { steps, start })
  return solved && rules !== null ? answerBlock(rules) : response
}

/**
 * The rules of an answer that would be run, up to the first one that makes a word longer than the search lets words grow.
 * Those with a line break touch no word, but would touch the joined words of the search, which knows no letter above U+FFFF.
 */
function usable(given: Examples, answer: CascadeAnswer): readonly Rule[] {
  const rules = checkCascade(answer, given.limits, strictCheck).rules.filter(
    (rule) => !/[\n\ud800-\udfff]/.test(rule.join('')),
  )
  const longest = maxOnTheWay(given.limits.side, [...given.inputs, ...given.outputs])
  let words = given.inputs
  for (const [k, rule] of rules.entries()) {
    words = applyRule(words, rule)
    if (words.some((word) => word.length > longest)) return rules.slice(0, k)
  }
  return rules
}
