import {
  type CheckedStep,
  type CheckedSteps,
  isArray,
  type Json,
  type Problem,
  type Question,
  type SolutionStep,
} from '../../../core/index.ts'
import { rulesByParent } from '../../../libraries/grammars/grammar/cnf.ts'
import { over } from '../grammars/derivation.ts'
import { analyzerOf, liftedOf, type Shared, symbolsOf, tokensOf } from '../grammars/grammar.ts'
import { codeOf } from '../grammars/present.ts'
import { matchingLines, partOf, spanLine } from '../grammars/proved.ts'
import type { Given } from '../grammars/strings.ts'

type CountQuestion = Question<Shared, Given>
type CountProblem = Problem<Shared, Given, number>

/** An item of a chart: a symbol over tokens from..to - 1, and its derivations. */
type CountedItem = readonly [symbol: number, from: number, to: number, derivations: number]

/** All items of the chart with their numbers of derivations, shorter spans first. */
function countedChart(shared: Shared, tokens: readonly number[]): readonly CountedItem[] {
  const rules = rulesByParent(liftedOf(shared).cnf)
  const n = tokens.length
  const counts = new Map<number, number>()
  const key = (symbol: number, from: number, to: number): number => (symbol * (n + 1) + from) * (n + 1) + to
  const cells = analyzerOf(shared).chart(tokens).cells()
  cells.sort(([a = 0, b = 0], [c = 0, d = 0]) => b - a - (d - c) || a - c)
  return cells.flatMap(([from = 0, to = 0, ...symbols]) =>
    symbols.map((symbol): CountedItem => {
      let ways = to - from === 1 ? 1 : 0
      for (const { left, right } of to - from === 1 ? [] : rules[symbol]!)
        for (let split = from + 1; split < to; split++)
          ways += (counts.get(key(left, from, split)) ?? 0) * (counts.get(key(right, split, to)) ?? 0)
      counts.set(key(symbol, from, to), ways)
      return [symbol, from, to, ways]
    }),
  )
}

/** The chart with the number of derivations of every item. */
export const witness = ({ shared, given }: CountProblem): Json => ({
  items: countedChart(shared, tokensOf(shared, given.string)).map((item) => [...item]),
})

/**
 * One pass: every item's number is the sum over its rules and splits, and every symbol that a rule makes of listed items is
 * listed.
 */
export function check({ shared, given, answer }: CountProblem, proof: Json): boolean {
  const items = partOf(proof, 'items')
  if (items === undefined || !isArray(items)) return false
  const { cnf } = liftedOf(shared)
  const tokens = tokensOf(shared, given.string)
  const n = tokens.length
  const listed = new Map<string, number>()
  for (const item of items) {
    if (!isArray(item) || item.length !== 4 || !item.every((part) => Number.isInteger(part))) return false
    listed.set(item.slice(0, 3).join(' '), item[3] as number)
  }
  if (listed.size !== items.length) return false
  const sums = new Map<string, number>()
  const add = (symbol: number, from: number, to: number, ways: number): void => {
    const key = `${symbol} ${from} ${to}`
    if (ways > 0) sums.set(key, (sums.get(key) ?? 0) + ways)
  }
  for (let at = 0; at < cnf.lexical.length; at += 2)
    for (const [from, token] of tokens.entries())
      if (token === cnf.lexical[at + 1]) add(cnf.lexical[at]!, from, from + 1, 1)
  const ways = (symbol: number, from: number, to: number): number => listed.get(`${symbol} ${from} ${to}`) ?? 0
  for (let at = 0; at < cnf.binary.length; at += 3)
    for (let from = 0; from < n; from++)
      for (let split = from + 1; split < n; split++) {
        const left = ways(cnf.binary[at + 1]!, from, split)
        for (let to = split + 1; left > 0 && to <= n; to++)
          add(cnf.binary[at]!, from, to, left * ways(cnf.binary[at + 2]!, split, to))
      }
  return (
    sums.size === listed.size &&
    [...sums].every(([key, sum]) => listed.get(key) === sum) &&
    (sums.get(`0 0 ${n}`) ?? 0) === answer
  )
}

export const gold = ({ answer }: CountProblem): string => `Answer: ${answer}`

/** Every symbol over every span that it derives, with its number of derivations; the whole string is the reason. */
export function solution(problem: CountProblem): readonly SolutionStep[] {
  const { shared, given, answer } = problem
  const tokens = tokensOf(shared, given.string)
  const { nonterminals } = liftedOf(shared).cnf
  const whole = tokens.length
  return [
    {
      reason: 'The number of derivations of the whole string; A[1-4]: 2 says that A derives tokens 1 to 4 in 2 ways.',
      short: 'Numbers of derivations over two tokens and more; A[1-4]: 2 says that A derives tokens 1 to 4 in 2 ways.',
      full: 'Numbers of derivations; A[1-4]: 2 says that A derives tokens 1 to 4 in 2 ways.',
    },
    ...countedChart(shared, tokens)
      .filter(([symbol, from, to]) => symbol !== 0 || to - from < whole)
      .map(([symbol, from, to, ways]) =>
        // The line of S over the whole string is the last one, and the only reason.
        spanLine(shared, `${over(shared, nonterminals[symbol]!, [from, to])}: ${ways}`, [from, to], Number.NaN),
      ),
    `${over(shared, 'S', [0, whole])}: ${answer}`,
    gold(problem),
  ]
}

const STEP = /^\s{0,8}([\p{L}\p{N}_]{1,64})\[(\d{1,4})-(\d{1,4})\]:\s{0,4}(\d{1,15})\s{0,8}$/u

/** Lines `A[1-4]: 2`, each against the exact chart. */
export function checkSteps({ shared, given }: CountQuestion, text: string): CheckedSteps {
  const tokens = tokensOf(shared, given.string)
  const { nonterminals } = symbolsOf(shared)
  let exact: ReadonlyMap<string, number> | null = null
  const steps: CheckedStep[] = []
  const unknown: string[] = []
  for (const { match, span } of matchingLines(text, STEP, 200)) {
    const symbol = nonterminals.get(codeOf(shared, match[1] as string))
    if (symbol === undefined) unknown.push(match[1] as string)
    const [from, to, ways] = [Number(match[2]) - 1, Number(match[3]), Number(match[4])]
    const inside = from >= 0 && to > from && to <= tokens.length
    exact ??= new Map(countedChart(shared, tokens).map(([a, i, j, known]) => [`${a} ${i} ${j}`, known] as const))
    const holds = symbol !== undefined && inside && (exact.get(`${symbol} ${from} ${to}`) ?? 0) === ways
    const isWhole = symbol === 0 && from === 0 && to === tokens.length
    steps.push({ span, holds, decides: isWhole ? String(ways) : null })
  }
  return { steps, unknown }
}
