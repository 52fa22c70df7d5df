import { memoize } from '../../../core/memo.ts'
import { cfgOf } from '../grammar/cfg.ts'
import { type Cnf, rulesByParent } from '../grammar/cnf.ts'
import type { ParseChart } from './chart.ts'
import { earleyParser } from './earley.ts'

/** Items of a bottom-up chart: symbols over spans. */
export const chartItems = (chart: ParseChart): number => chart.cells().reduce((sum, cell) => sum + cell.length - 2, 0)

/**
 * Items of an Earley chart of the beginning of a string, predictions not counted: completed symbols, and rules whose first
 * symbol is complete, each with its origin.
 */
export function earleyItems(cnf: Cnf, tokens: ArrayLike<number>): number {
  const names = Array.from(tokens, (token) => cnf.terminals[token] as string)
  return parserOf(cnf)
    .readAll(names)!
    .reduce((sum, { items }) => sum + items, 0)
}

const parserOf = memoize((cnf: Cnf) => earleyParser(cfgOf(cnf)))

/** Items of a chart that some parse of the whole string uses. */
export function usefulItems(cnf: Cnf, chart: ParseChart): number {
  const n = chart.length
  if (n === 0 || !chart.has(0, 0, n)) return 0
  const rules = rulesByParent(cnf)
  const seen = new Set<number>()
  const agenda: number[] = []
  const use = (symbol: number, from: number, to: number): void => {
    const key = (symbol * (n + 1) + from) * (n + 1) + to
    if (seen.has(key)) return
    seen.add(key)
    agenda.push(symbol, from, to)
  }
  use(0, 0, n)
  while (agenda.length > 0) {
    const to = agenda.pop() as number
    const from = agenda.pop() as number
    const symbol = agenda.pop() as number
    for (const { left, right } of rules[symbol]!)
      for (const split of chart.endsBelow(left, from, to))
        if (chart.has(right, split, to)) {
          use(left, from, split)
          use(right, split, to)
        }
  }
  return seen.size
}
