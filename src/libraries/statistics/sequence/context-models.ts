import { ContextTree } from './context-tree.ts'
import type { SequenceLearner } from './learner.ts'

/** A Markov chain of fixed order with `pseudo` counts added to every symbol; no back-off. Order 0 is the unigram model. */
export class Markov implements SequenceLearner {
  readonly size: number
  private readonly tree: ContextTree
  private readonly pseudo: number

  constructor(size: number, order: number, pseudo = 0.1) {
    this.size = size
    this.tree = new ContextTree(size, order)
    this.pseudo = pseudo
  }

  probability(symbol: number): number {
    const { tree, pseudo } = this
    let node = 0
    for (let order = 0; order < tree.longest; order++) {
      node = tree.longer(node, order)
      if (node === 0) return 1 / this.size
    }
    return (tree.count(node, symbol) + pseudo) / (tree.total(node) + pseudo * this.size)
  }

  read(symbol: number): void {
    const { tree } = this
    tree.begin()
    let node = 0
    for (let order = 0; order < tree.longest; order++) node = tree.grow(node, order)
    tree.add(node, symbol)
    tree.push(symbol)
  }

  mark(): number {
    return this.tree.length
  }
  rewind(mark: number): void {
    this.tree.rewind(mark)
  }
}

/** How much probability a context leaves to the shorter one. */
export type Escape =
  /** PPM method C (Moffat 1990): as many escapes as different symbols seen. */
  | { readonly kind: 'ppm-c' }
  /** Interpolated absolute discounting; with update exclusion the lower orders count contexts, as Kneser and Ney (1995) do. */
  | { readonly kind: 'kneser-ney'; readonly discount: number }

/**
 * Interpolates all context orders 0..depth from the bottom up, starting at 1/size. Update exclusion: a symbol is counted
 * at the orders that did not know it and at the highest one that did.
 */
export class BackOff implements SequenceLearner {
  readonly size: number
  private readonly tree: ContextTree
  private readonly escape: Escape

  constructor(size: number, depth: number, kind: Escape) {
    this.size = size
    this.tree = new ContextTree(size, depth)
    this.escape = kind
  }

  probability(symbol: number): number {
    const { tree } = this
    let p = 1 / this.size
    for (let node = 0, order = 0; ; order++) {
      const total = tree.total(node)
      if (total === 0) break
      const count = tree.count(node, symbol)
      const distinct = tree.distinct(node)
      if (this.escape.kind === 'ppm-c') p = (count + distinct * p) / (total + distinct)
      else {
        const { discount } = this.escape
        p = (Math.max(count - discount, 0) + discount * distinct * p) / total
      }
      if (order === tree.longest) break
      node = tree.longer(node, order)
      if (node === 0) break
    }
    return p
  }

  read(symbol: number): void {
    const { tree } = this
    tree.begin()
    const path = [0]
    for (let order = 0; order < tree.longest; order++) path.push(tree.grow(path[order] as number, order))
    for (let order = path.length - 1; order >= 0; order--) {
      const node = path[order] as number
      const known = tree.count(node, symbol) > 0
      tree.add(node, symbol)
      if (known) break
    }
    tree.push(symbol)
  }

  mark(): number {
    return this.tree.length
  }
  rewind(mark: number): void {
    this.tree.rewind(mark)
  }
}

/** PPM-C with contexts up to 5. */
export const ppm = (size: number, depth = 5): SequenceLearner => new BackOff(size, depth, { kind: 'ppm-c' })

/** Interpolated Kneser-Ney with contexts up to `depth` and discount 0.6. */
export const kneserNey = (size: number, depth: number): SequenceLearner =>
  new BackOff(size, depth, { kind: 'kneser-ney', discount: 0.6 })

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
