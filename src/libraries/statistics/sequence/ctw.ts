import { ContextTree } from './context-tree.ts'
import type { SequenceLearner } from './learner.ts'

/** Odds are kept away from 0 and infinity, where they could not come back. */
const widest = 1e200

/**
 * Context-tree weighting over any alphabet (Willems, Shtarkov, Tjalkens 1995): the Bayes mixture of every tree source of
 * depth up to `depth`, Dirichlet(`pseudo`) estimates at the nodes. Each node keeps the odds of stopping there against
 * looking further back.
 */
export class ContextTreeWeighting implements SequenceLearner {
  readonly size: number
  private readonly tree: ContextTree
  private readonly pseudo: number
  private odds = new Float64Array(64).fill(1)
  /** Odds before each change, with how many there were at each symbol read. */
  private readonly changed: (readonly [node: number, odds: number])[] = []
  private readonly marks: number[] = []

  constructor(size: number, depth = 6, pseudo = 0.1) {
    this.size = size
    this.tree = new ContextTree(size, depth)
    this.pseudo = pseudo
  }

  probability(symbol: number): number {
    return this.predict(symbol, this.knownPath(), null)
  }

  read(symbol: number): void {
    const { tree } = this
    tree.begin()
    this.marks.push(this.changed.length)
    const path = [0]
    for (let order = 0; order < tree.longest; order++) path.push(tree.grow(path[order] as number, order))
    this.predict(symbol, path, (node, here, deeper) => {
      const before = this.oddsOf(node)
      this.changed.push([node, before])
      this.setOdds(node, Math.min(widest, Math.max(1 / widest, (before * here) / deeper)))
    })
    for (const node of path) tree.add(node, symbol)
    tree.push(symbol)
  }

  mark(): number {
    return this.tree.length
  }
  rewind(mark: number): void {
    if (mark >= this.tree.length) return
    const keep = this.marks[mark] as number
    while (this.changed.length > keep) {
      const [node, odds] = this.changed.pop() as readonly [number, number]
      this.odds[node] = odds
    }
    this.marks.length = mark
    this.tree.rewind(mark)
  }

  /** The deepest node predicts by its counts; each node above mixes its own estimate with what is below. */
  private predict(
    symbol: number,
    path: readonly number[],
    learn: ((node: number, here: number, deeper: number) => void) | null,
  ): number {
    // Contexts longer than any seen have empty counts: their estimate is uniform down to the full depth.
    const deepest = path.length - 1
    let p = deepest < this.tree.longest ? 1 / this.size : this.estimate(path[deepest] as number, symbol)
    for (let i = deepest < this.tree.longest ? deepest : deepest - 1; i >= 0; i--) {
      const node = path[i] as number
      const here = this.estimate(node, symbol)
      const odds = this.oddsOf(node)
      learn?.(node, here, p)
      p = (odds * here + p) / (odds + 1)
    }
    return p
  }

  private estimate(node: number, symbol: number): number {
    const { tree, pseudo } = this
    return (tree.count(node, symbol) + pseudo) / (tree.total(node) + pseudo * this.size)
  }

  private knownPath(): number[] {
    const { tree } = this
    const path = [0]
    for (let order = 0; order < tree.longest; order++) {
      const node = tree.longer(path[order] as number, order)
      if (node === 0) break
      path.push(node)
    }
    return path
  }

  private oddsOf(node: number): number {
    return this.odds[node] ?? 1
  }
  private setOdds(node: number, value: number): void {
    if (node >= this.odds.length) {
      const wide = new Float64Array(Math.max(node + 1, 2 * this.odds.length)).fill(1)
      wide.set(this.odds)
      this.odds = wide
    }
    this.odds[node] = value
  }
}
