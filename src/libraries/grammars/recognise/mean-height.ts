import type { ParentRule } from '../grammar/rule-lists.ts'
import type { ParseChart } from './chart.ts'

/** Trees of a node by height, a word counting 1: entry i has those of height `least + i`, as doubles. */
interface Heights {
  readonly least: number
  readonly trees: readonly number[]
}

/**
 * Mean over all parses of the tree's height, a word counting 1 as in nltk's `Tree.height`, so that a preterminal has 2;
 * null outside the language, or where there are more parses than a double holds. From the short spans to the long ones.
 * `rules`: the binary rules of every symbol; the start symbol is 0.
 */
export function meanHeight(rules: readonly (readonly ParentRule[])[], chart: ParseChart): number | null {
  const n = chart.length
  if (n === 0 || !chart.has(0, 0, n)) return null
  const places = n + 1
  const nodeOf = (symbol: number, from: number, to: number): number => (symbol * places + from) * places + to
  const heights = new Map<number, Heights>()
  for (let length = 1; length <= n; length++)
    for (let from = 0; from + length <= n; from++)
      for (let symbol = 0; symbol < rules.length; symbol++) {
        const to = from + length
        if (!chart.has(symbol, from, to)) continue
        const pairs: (readonly [Heights, Heights])[] = []
        for (const { left, right } of length === 1 ? [] : (rules[symbol] as readonly ParentRule[]))
          for (const split of chart.endsBelow(left, from, to)) {
            const [a, b] = [heights.get(nodeOf(left, from, split)), heights.get(nodeOf(right, split, to))]
            if (a !== undefined && b !== undefined) pairs.push([a, b])
          }
        heights.set(nodeOf(symbol, from, to), length === 1 ? { least: 2, trees: [1] } : over(pairs))
      }
  const { least, trees } = heights.get(nodeOf(0, 0, n)) as Heights
  const total = trees.reduce((sum, count) => sum + count, 0)
  const sum = trees.reduce((all, count, i) => all + count * (least + i), 0)
  return Number.isFinite(sum) ? sum / total : null
}

/** The trees over two children, for all choices of them: as high as the higher child, and one more. */
function over(pairs: readonly (readonly [Heights, Heights])[]): Heights {
  const least = Math.min(...pairs.map(([a, b]) => Math.max(a.least, b.least))) + 1
  const most = Math.max(...pairs.map(([a, b]) => Math.max(highest(a), highest(b)))) + 1
  const trees = new Array<number>(most - least + 1).fill(0)
  for (const [a, b] of pairs) {
    let before = 0
    for (let height = Math.max(a.least, b.least); height <= Math.max(highest(a), highest(b)); height++) {
      const within = upTo(a, height) * upTo(b, height)
      trees[height + 1 - least] = (trees[height + 1 - least] as number) + (within - before)
      before = within
    }
  }
  return { least, trees }
}

const highest = ({ least, trees }: Heights): number => least + trees.length - 1

const upTo = ({ least, trees }: Heights, height: number): number =>
  trees.slice(0, Math.max(0, height - least + 1)).reduce((sum, count) => sum + count, 0)
