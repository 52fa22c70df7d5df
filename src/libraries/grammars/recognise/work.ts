import { memoize } from '../../../core/memo.ts'
import { cfgOf } from '../grammar/cfg.ts'
import { type Cnf, rulesByParent } from '../grammar/cnf.ts'
import type { ParseChart } from './chart.ts'
import { earleyParser } from './earley.ts'

/** Items of a bottom-up chart: symbols over spans. */
export const chartItems = (chart: ParseChart): number => chart.cells().reduce((sum, cell) => sum + cell.length - 2, 0)

/** What a bottom-up chart of one string costs a careful reader. */
export interface ChartWork {
  /** Symbols over spans that the chart has. */
  readonly entries: number
  /** Pairs of entries side by side, each to be looked up among the rules. */
  readonly lookups: number
  /** Pairs that a rule puts together, once a rule. */
  readonly inferences: number
}

export function chartWork(cnf: Cnf, chart: ParseChart): ChartWork {
  const symbols = cnf.nonterminals.length
  const places = chart.length + 1
  /** Entries that begin at a place and that end there, by symbol. */
  const [begin, end] = [new Int32Array(places * symbols), new Int32Array(places * symbols)]
  const [begun, ended] = [new Float64Array(places), new Float64Array(places)]
  const cells = chart.cells()
  for (const [from = 0, to = 0, ...found] of cells) {
    begun[from]! += found.length
    ended[to]! += found.length
    for (const symbol of found) {
      begin[from * symbols + symbol]!++
      end[to * symbols + symbol]!++
    }
  }
  let [lookups, inferences] = [0, 0]
  for (let place = 1; place < chart.length; place++) {
    lookups += ended[place]! * begun[place]!
    for (let b = 0; b < cnf.binary.length; b += 3)
      inferences += end[place * symbols + cnf.binary[b + 1]!]! * begin[place * symbols + cnf.binary[b + 2]!]!
  }
  return { entries: chartItems(chart), lookups, inferences }
}

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
