import { memoize } from '../../../core/memo.ts'
import { type Cnf, preterminals, rulesByParent } from '../grammar/cnf.ts'
import type { ParseChart } from './chart.ts'

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
 * Items of an Earley chart, predictions not counted: completed symbols, and rules whose first symbol is complete, each
 * with its origin.
 */
export function earleyItems(cnf: Cnf, tokens: ArrayLike<number>): number {
  const { byLeft, above, corners } = tablesOf(cnf)
  const symbols = cnf.nonterminals.length
  const predicted: Uint8Array[] = []
  /** At each place, the parents and origins that wait for a symbol. */
  const waiting: Map<number, number[]>[] = []
  const predict = (wanted: Iterable<number>): Uint8Array => {
    const row = new Uint8Array(symbols)
    for (const symbol of wanted) if (row[symbol] === 0) for (const corner of corners[symbol]!) row[corner] = 1
    return row
  }
  predicted.push(predict([0]))
  waiting.push(new Map())
  let count = 0
  for (let end = 1; end <= tokens.length; end++) {
    const done = new Set<number>()
    const agenda: number[] = []
    const complete = (symbol: number, origin: number): void => {
      const key = origin * symbols + symbol
      if (done.has(key)) return
      done.add(key)
      agenda.push(symbol, origin)
    }
    const here = new Map<number, number[]>()
    const begun = new Set<string>()
    waiting.push(here)
    for (const symbol of above[tokens[end - 1]!] ?? []) if (predicted[end - 1]![symbol] === 1) complete(symbol, end - 1)
    while (agenda.length > 0) {
      const origin = agenda.pop() as number
      const symbol = agenda.pop() as number
      const rules = byLeft[symbol]!
      for (let r = 0; r < rules.length; r += 2) {
        const [parent, needed] = [rules[r]!, rules[r + 1]!]
        const key = `${parent} ${needed} ${origin}`
        if (predicted[origin]![parent] !== 1 || begun.has(key)) continue
        begun.add(key)
        const list = here.get(needed)
        if (list === undefined) here.set(needed, [parent, origin])
        else list.push(parent, origin)
      }
      const parents = waiting[origin]!.get(symbol) ?? []
      for (let p = 0; p < parents.length; p += 2) complete(parents[p]!, parents[p + 1]!)
    }
    count += done.size + begun.size
    predicted.push(predict(here.keys()))
  }
  return count
}

const tablesOf = memoize((cnf: Cnf) => {
  const byLeft: number[][] = cnf.nonterminals.map(() => [])
  const children: Set<number>[] = cnf.nonterminals.map(() => new Set())
  for (const [parent, rules] of rulesByParent(cnf).entries())
    for (const { left, right } of rules) {
      byLeft[left]!.push(parent, right)
      children[parent]!.add(left)
    }
  /** Of every symbol, itself and all that can begin it. */
  const corners = cnf.nonterminals.map((_, symbol) => {
    const found = new Set([symbol])
    for (const one of found) for (const child of children[one]!) found.add(child)
    return [...found]
  })
  return { byLeft, above: preterminals(cnf), corners }
})

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
