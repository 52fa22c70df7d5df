import { BARE, isWorked, PROGRAM } from './checker.ts'
import type { Strategy, StrategyQuestion } from './prompt.ts'

/**
 * Kinds of words, each with the weight of log(1 + mentions per 100 words). Fitted by logistic regression to the 12,001 released
 * judgements of o4-mini; more than 0 reads as rule-based.
 */
const KINDS: readonly (readonly [words: RegExp, weight: number])[] = [
  // Guesses.
  [
    /\b(?:un)?likely\b|\bprobabl[ey]\b|\bplausibl[ey]\b|\bseems?\b|\bappears? (?:to|that|likely)|\bpresum|\bpossibl[ey]\b|\bguess|\bassum|\bsuggests?\b|\bconceivabl|\breasonabl/giu,
    -1.24,
  ],
  // It is too much work.
  [
    /\bcomplex|\btoo (?:long|many|large|much)|\bmanually\b|\bby hand\b|\bvery (?:long|large|many)|\btedious|\btime[- ]consuming|\bimpractical|\binfeasible|\bexhausti|\bpractical|\bheuristic|\bcomputational|\bsimulat|\bshortcut/giu,
    -3.73,
  ],
  // What the grammar or the string looks like.
  [
    /\bmany\b|\blarge\b|\blong\b|\brecursive|\bnumber of|\bstructure|\bflexib|\bvariety|\bdiverse|\brich\b|\bgiven (?:the|that)\b/giu,
    -2.5,
  ],
  // Cases are exhausted.
  [
    /\bno\b|\bnone\b|\bnothing\b|\bnot? found\b|\bempty\b|\ball (?:rules|productions|possible|pairs|splits|the rules)|\bany (?:rule|production)|\beach\b|\bevery\b|\bonly\b/giu,
    1.32,
  ],
  // Parts of the string by their places.
  [/\bsubstrings?\b|\bspan|\blength \d|\bpositions?\b|\[\d+, ?\d+\]|\(\d+, ?\d+\)|\bcell/giu, 0.94],
  // Cases are left out.
  [/\betc\b|\band so on\b|\.\.\.|\bcontinu/giu, -1.15],
]
const START = 0.25
/** Of the logarithm of the tokens of the string. */
const LENGTH = -0.3

/** How a judge would label a response, by its words; derivations and charts in our notation are checked. */
export function readStrategy(question: StrategyQuestion): Strategy {
  const { string, response } = question.given
  if (response.trim().length < BARE && !response.includes('->')) return 'none'
  if (PROGRAM.test(response)) return 'code'
  if (isWorked(question)) return 'rule-based'
  const words = Math.max(1, response.split(/\s+/u).length)
  const score = KINDS.reduce(
    (sum, [kind, weight]) => sum + weight * Math.log1p((100 * (response.match(kind)?.length ?? 0)) / words),
    START + LENGTH * Math.log(string.split(' ').length),
  )
  return score > 0 ? 'rule-based' : 'heuristic'
}
